import { numbers, tableRows } from './pages.js';

/** Fetches from a service; HTML where the address is one of a page. */
export type Fetch = <T = string>(address: string) => Promise<T>;

/** A number of a page beside the same of the API. */
export interface ComparedNumber {
  what: string;
  shown: number | null;
  known: number | null;
}

interface Series {
  uuid: string;
  commodity_id: number;
  iso3_country_code: string;
}

/**
 * Compares numbers of random pages with the API: of series, comparisons, searches and commodities.
 * @param below a random whole number below a limit
 * @param count numbers at least
 */
export async function compareNumbers(
  fetch: Fetch,
  below: (limit: number) => number,
  count: number,
): Promise<ComparedNumber[]> {
  const { count: total } = await fetch<{ count: number }>('/api/v1/PriceSerie/?page_size=1');
  const random = async () => {
    const page = 1 + below(total);
    const list = await fetch<{ results: Series[] }>(`/api/v1/PriceSerie/?page_size=1&page=${page}`);
    return list.results[0]!;
  };
  const compared: ComparedNumber[] = [];
  const kinds = [ofSeries, ofComparison, ofSearch, ofCommodity];
  for (let turn = 0; compared.length < count; turn++) {
    const found = await kinds[turn % kinds.length]!(fetch, await random(), await random());
    for (let each = 0; each < 5 && found.length > 0; each++)
      compared.push(...found.splice(below(found.length), 1));
  }
  return compared;
}

async function ofSeries(fetch: Fetch, { uuid }: Series): Promise<ComparedNumber[]> {
  const html = await fetch(`/series/${uuid}?periodicity=monthly&measure=real`);
  const { datapoints } = await fetch<{ datapoints: Record<string, number | null>[] }>(
    `/api/v1/PriceSeriePrice/${uuid}/?periodicity=monthly`,
  );
  const { observations } = await fetch<{ observations: Record<string, unknown>[] }>(
    `/api/v1/PriceSerieIndicator/${uuid}/?measure=real`,
  );
  const rated = new Map(observations.map((each) => [each.date, each]));
  return numbers(html).flatMap((row, index) => {
    const point = datapoints[index]!;
    const { ifpa, alps } = (rated.get(point.date) ?? {}) as Record<string, { value: number | null }>;
    const known = [
      point.price_value,
      point.price_value_real,
      point.price_value_dollar,
      ifpa?.value,
      alps?.value,
    ];
    return row.map((shown, column) => ({
      what: `series ${uuid} ${point.date} ${column}`,
      shown,
      known: known[column] ?? null,
    }));
  });
}

async function ofComparison(fetch: Fetch, one: Series, other: Series): Promise<ComparedNumber[]> {
  if (one.uuid === other.uuid) return [];
  const uuids = `${one.uuid},${other.uuid}`;
  const html = await fetch(`/compare?uuids=${uuids}&measure=usd`);
  const table = /href="(\/api\/v1\/PriceTable\/[^"]*format=csv)"/.exec(html)![1]!.replaceAll('&amp;', '&');
  const { dates, columns, values } = await fetch<{
    dates: string[];
    columns: { uuid: string }[];
    values: (number | null)[][];
  }>(table.replace('&format=csv', ''));
  const places = [one, other].map(({ uuid }) => columns.findIndex((column) => column.uuid === uuid));
  return numbers(html).flatMap((row, index) =>
    places.map((place, column) => ({
      what: `compare ${uuids} ${dates[index]}`,
      shown: row[column]!,
      known: values[index]![place]!,
    })),
  );
}

async function ofSearch(
  fetch: Fetch,
  { iso3_country_code, commodity_id }: Series,
): Promise<ComparedNumber[]> {
  const filters = `iso3_country_codes=${iso3_country_code}&commodity_ids=${commodity_id}`;
  const html = await fetch(`/browse?${filters}`);
  const uuids = [...html.matchAll(/<a href="\/series\/([^"?]+)">/g)].map((match) => match[1]!);
  const found: ComparedNumber[] = [];
  for (const [index, [shown]] of numbers(html, '<tbody>').slice(0, 5).entries()) {
    const address = `/api/v1/PriceSerieIndicator/${uuids[index]}/?latest=1`;
    const { observations } = await fetch<{ observations: { value: number | null }[] }>(address);
    found.push({ what: `browse ${uuids[index]}`, shown: shown!, known: observations[0]?.value ?? null });
  }
  return found;
}

async function ofCommodity(fetch: Fetch, { commodity_id }: Series): Promise<ComparedNumber[]> {
  const html = await fetch(`/commodities/${commodity_id}`);
  if (!html.includes('<h2>Countries</h2>')) return [];
  const changes = async (query: string) =>
    (
      await fetch<{ results: Change[] }>(
        `/api/v1/PriceChange/?commodity_ids=${commodity_id}&by=country&min_matched=1&goods=false&page_size=500${query}`,
      )
    ).results;
  const local = [
    ...(await changes('')),
    ...(await changes('&per=unit')),
    ...(await changes('&regional_average=true')),
    ...(await changes('&regional_average=true&per=unit')),
  ];
  const links = [...html.matchAll(/<th scope="row"><a href="\/countries\/([A-Z]{3})\/commodities\/\d+">/g)];
  const kinds = tableRows(html, '<h2>Countries</h2>').map((cells) => cells[4]);
  return numbers(html, '<h2>Countries</h2>').flatMap(([median, year, month], index) => {
    const change = local.find(
      ({ iso3_country_code, currency, unit, price_type }) =>
        iso3_country_code === links[index]![1] &&
        kinds[index] === `${currency} per ${unit}, ${price_type.toLowerCase()}`,
    )!;
    const shown = { median, change_12m: year, change_1m: month };
    return (['median', 'change_12m', 'change_1m'] as const).map((column) => ({
      what: `commodity ${commodity_id} ${links[index]![1]} ${column}`,
      shown: shown[column]!,
      known: change[column],
    }));
  });
}

interface Change extends Record<'median' | 'change_12m' | 'change_1m', number | null> {
  iso3_country_code: string;
  price_type: string;
  currency: string;
  unit: string;
}
