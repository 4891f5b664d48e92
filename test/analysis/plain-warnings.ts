/*
 * Warnings in plain loops, from the indicators of single series as the API shows them: nothing of
 * the service is used.
 */

/** A series with the indicators of its months, in any order. */
export interface PlainSeries {
  series: {
    uuid: string;
    iso3_country_code: string;
    country_name: string;
    category: string;
    commodity: string;
    commodity_id: number;
    market: string;
    regional_average: boolean;
  };
  observations: {
    date: string;
    ifpa: { value: number | null; class: string | null };
    alps: { class: string | null };
  }[];
}

/** Which warnings. Months are written `YYYY-MM`. */
export interface PlainRequest {
  by: 'country' | 'country,category' | 'country,commodity';
  month?: string;
  from?: string;
  to?: string;
}

const numberOf = (month: string) => Number(month.slice(0, 4)) * 12 + Number(month.slice(5, 7)) - 1;
const textOf = (month: number) => `${Math.floor(month / 12)}-${String((month % 12) + 1).padStart(2, '0')}`;
const isLess = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0);

const monthsOf = ({ observations }: PlainSeries) => observations.map(({ date }) => numberOf(date));

/** What identifies a group, in the order of replies. */
function keyOf({ series }: PlainSeries, by: PlainRequest['by']): Record<string, string | number> {
  const { iso3_country_code, country_name, category, commodity, commodity_id } = series;
  return {
    iso3_country_code,
    country_name,
    ...(by === 'country,category' ? { category } : {}),
    ...(by === 'country,commodity' ? { commodity_id, commodity } : {}),
  };
}

/** The counts of some series in a month. */
function countsOf(all: readonly PlainSeries[], month: number) {
  const fresh = all.flatMap((one) => {
    const newest = Math.max(...monthsOf(one).filter((each) => each <= month));
    const at = one.observations.find(({ date }) => numberOf(date) === newest);
    return at !== undefined && newest >= month - 2 ? [{ ...one.series, ...at }] : [];
  });
  const number = (field: 'ifpa' | 'alps', name: string | null) =>
    fresh.filter((one) => one[field].class === name).length;
  const ifpa = {
    high: number('ifpa', 'high'),
    moderate: number('ifpa', 'moderate'),
    normal: number('ifpa', 'normal'),
    undefined: number('ifpa', null),
  };
  const alps = {
    crisis: number('alps', 'crisis'),
    alert: number('alps', 'alert'),
    stress: number('alps', 'stress'),
    normal: number('alps', 'normal'),
    undefined: number('alps', null),
  };
  const share = (some: number, of: number) => (of < 3 ? null : some / of);
  const rated = fresh.filter((one) => one.ifpa.class !== null || one.alps.class !== null);
  const high = rated.filter(
    (one) => one.ifpa.class === 'high' || ['alert', 'crisis'].includes(one.alps.class ?? ''),
  );
  return {
    rated: rated.length,
    high: high.length,
    series: all.filter((one) => monthsOf(one).some((each) => each <= month)).length,
    fresh,
    ifpa,
    alps,
    share_high: share(ifpa.high, fresh.length - ifpa.undefined),
    share_alert_or_worse: share(alps.crisis + alps.alert, fresh.length - alps.undefined),
  };
}

function rowOf(key: object, all: readonly PlainSeries[], month: number) {
  const { series, fresh, ifpa, alps, share_high, share_alert_or_worse, rated, high } = countsOf(all, month);
  const persistence = { ifpa: 0, alps: 0 };
  for (let at = month; (countsOf(all, at).share_high ?? 0) >= 0.25; at--) persistence.ifpa++;
  for (let at = month; (countsOf(all, at).share_alert_or_worse ?? 0) >= 0.25; at--) persistence.alps++;
  const top = fresh
    .filter((one) => one.ifpa.value !== null)
    .sort((one, other) => other.ifpa.value! - one.ifpa.value! || isLess(one.uuid, other.uuid))
    .slice(0, 5)
    .map((one) => ({
      uuid: one.uuid,
      commodity: one.commodity,
      market: one.market,
      date: one.date,
      ifpa: one.ifpa.value,
      ifpa_class: one.ifpa.class,
      alps_class: one.alps.class,
    }));
  return {
    ...key,
    month: textOf(month),
    series,
    fresh: fresh.length,
    markets: new Set(fresh.map(({ market }) => market)).size,
    ifpa,
    alps,
    share_high: closeTo(share_high),
    share_alert_or_worse: closeTo(share_alert_or_worse),
    persistence,
    top,
    rated,
    high,
  };
}

const closeTo = (value: number | null) => (value === null ? null : (expect.closeTo(value, 12) as number));

/** The rows of warnings, in the order of the API. */
export function plainWarnings(all: readonly PlainSeries[], { by, month, from, to }: PlainRequest) {
  const rows: ReturnType<typeof rowOf>[] = [];
  const priced = all.filter(({ observations }) => observations.length > 0);
  for (const country of [...new Set(priced.map(({ series }) => series.iso3_country_code))].sort()) {
    const everything = priced.filter(({ series }) => series.iso3_country_code === country);
    const markets = everything.filter(({ series }) => !series.regional_average);
    const counted = markets.length > 0 ? markets : everything;
    const countryNewest = Math.max(...counted.flatMap(monthsOf));
    const newest = month === undefined ? countryNewest : numberOf(month);
    const last = Math.min(newest, to === undefined ? Infinity : numberOf(to));
    const isRange = from !== undefined || to !== undefined;
    const groups = new Map<string, PlainSeries[]>();
    for (const one of counted) {
      const key = JSON.stringify(keyOf(one, by));
      groups.set(key, [...(groups.get(key) ?? []), one]);
    }
    const sorted = [...groups.values()].sort(
      ([one], [other]) =>
        (by === 'country,category' ? isLess(one!.series.category, other!.series.category) : 0) ||
        isLess(one!.series.commodity, other!.series.commodity) ||
        one!.series.commodity_id - other!.series.commodity_id,
    );
    for (const group of sorted) {
      const first = Math.max(
        Math.min(...group.flatMap(monthsOf)),
        isRange ? (from === undefined ? 0 : numberOf(from)) : last,
      );
      for (let at = last; at >= first; at--) rows.push(rowOf(keyOf(group[0]!, by), group, at));
    }
  }
  return rows;
}
