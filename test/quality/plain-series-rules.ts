/*
 * The rules on series once more, as plain loops over all series: no code of the service is used.
 * Months are texts, groups are found by comparing each series with each other one of its country.
 */

/** A series with all of its monthly points, oldest first. */
export interface PlainSerie {
  uuid: string;
  country: string;
  market: number;
  commodity: string;
  type: string;
  currency: string;
  unit: string;
  factor: number | null;
  points: { month: string; value: number }[];
}

/** Uuids, or uuids with months, of each finding of a rule, sorted. */
export type PlainSeriesFindings = Record<string, string[]>;

const middle = (numbers: number[]) => {
  const sorted = [...numbers].sort((one, other) => one - other);
  const half = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[half]! : (sorted[half - 1]! + sorted[half]!) / 2;
};

/** Of the large file: Malawi's series in Somali shillings, by hand. */
const FOREIGN = [['MWI', 'SOS']];

export function plainSeriesFindings(all: PlainSerie[]): PlainSeriesFindings & { testable: string[] } {
  const found: PlainSeriesFindings & { testable: string[] } = {
    testable: [],
    off_peers: [],
    split_series: [],
    twin_currency: [],
    identical_series: [],
    foreign_currency: [],
    not_a_commodity: [],
  };
  const countries = new Map<string, PlainSerie[]>();
  for (const serie of all) countries.set(serie.country, [...(countries.get(serie.country) ?? []), serie]);
  for (const series of countries.values()) {
    const months = series.map(({ points }) => new Map(points.map(({ month, value }) => [month, value])));
    const equalTo = new Map<number, number[]>();
    const taken = new Set<number>();
    for (const [index, serie] of series.entries()) {
      if (FOREIGN.some(([country, currency]) => serie.country === country && serie.currency === currency))
        found.foreign_currency!.push(serie.uuid);
      if (/^(Wage|Exchange rate)/.test(serie.commodity)) found.not_a_commodity!.push(serie.uuid);

      const alike = series.flatMap((other, at) =>
        other.commodity === serie.commodity && other.type === serie.type ? [at] : [],
      );
      if (serie.factor !== null) {
        const peers = alike.filter(
          (at) => series[at]!.currency === serie.currency && series[at]!.factor !== null,
        );
        const ratios: number[] = [];
        for (const { month, value } of serie.points) {
          const prices: number[] = [];
          for (const at of peers) {
            const price = months[at]!.get(month);
            if (price !== undefined) prices.push(price * series[at]!.factor!);
          }
          if (prices.length >= 4) ratios.push((value * serie.factor) / middle(prices));
        }
        if (ratios.length >= 6) {
          found.testable.push(serie.uuid);
          const ratio = middle(ratios);
          if (ratio >= 3 || ratio <= 1 / 3) found.off_peers!.push(serie.uuid);
        }
      }

      const here = alike.filter((at) => series[at]!.market === serie.market);
      const differ = (one: number, other: number) =>
        series[one]!.unit !== series[other]!.unit || series[one]!.currency !== series[other]!.currency;
      if (here[0] === index && here.some((at) => differ(at, index))) {
        found.split_series!.push(
          here
            .map((at) => series[at]!.uuid)
            .sort()
            .join(', '),
        );
      }
      for (const at of here) {
        const other = series[at]!;
        if (other.unit !== serie.unit || other.currency === serie.currency) continue;
        // The one that ends first is looked at; no two of the file end in the same month.
        if (serie.points.at(-1)!.month >= other.points.at(-1)!.month) continue;
        const fitting = pointsThatFit(serie, other);
        if (fitting.length > 0) found.twin_currency!.push(fitting.sort().join(', '));
      }

      if (serie.points.length < 12 || new Set(serie.points.map(({ value }) => value)).size < 6) continue;
      if (taken.has(index)) continue;
      const text = JSON.stringify(serie.points);
      for (let at = index + 1; at < series.length; at++) {
        const other = series[at]!;
        if (other.type !== serie.type || other.currency !== serie.currency) continue;
        if (other.points.length !== serie.points.length || JSON.stringify(other.points) !== text) continue;
        equalTo.set(index, [...(equalTo.get(index) ?? [index]), at]);
        taken.add(at);
      }
    }
    for (const set of equalTo.values()) {
      found.identical_series!.push(
        set
          .map((at) => series[at]!.uuid)
          .sort()
          .join(', '),
      );
    }
  }
  for (const list of Object.values(found)) list.sort();
  return found;
}

/** The points of a series between points of its twin, where one of the steps is within 30 %. */
function pointsThatFit(serie: PlainSerie, twin: PlainSerie): string[] {
  const near = (one: number, other: number) => Math.max(one, other) / Math.min(one, other) <= 1.3;
  const fitting: string[] = [];
  let run: PlainSerie['points'] = [];
  const endRun = () => {
    const [first, last] = [run[0], run.at(-1)];
    if (first === undefined || last === undefined) return;
    const before = twin.points.filter(({ month }) => month <= first.month).at(-1);
    const after = twin.points.find(({ month }) => month > last.month);
    if (before !== undefined && after !== undefined) {
      if (near(before.value, first.value) || near(last.value, after.value))
        for (const { month } of run) fitting.push(`${serie.uuid} ${month}-01`);
    }
    run = [];
  };
  for (const point of serie.points) {
    const last = run.at(-1);
    if (last !== undefined && twin.points.some(({ month }) => month > last.month && month <= point.month))
      endRun();
    run.push(point);
  }
  endRun();
  return fitting;
}
