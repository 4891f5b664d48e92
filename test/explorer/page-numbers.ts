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
  if (!html.includes('<h2>The numbers</h2>')) return [];
  const { results } = await fetch<{
    results: { iso3_country_code: string; price_type: string; unit: string; observations: Month[] }[];
  }>(`/api/v1/PriceAggregate/?commodity_ids=${commodity_id}&by=country&page_size=500`);
  const links = [...html.matchAll(/<th scope="row"><a href="\/countries\/([A-Z]{3})">/g)];
  const kinds = tableRows(html, '<h2>Countries</h2>').map((cells) => cells[1]);
  return numbers(html, '<h2>Countries</h2>').flatMap((row, index) => {
    const group = results.find(
      ({ iso3_country_code, price_type, unit }) =>
        iso3_country_code === links[index]![1] &&
        kinds[index] === `${price_type.toLowerCase()}, US$ per ${unit}`,
    )!;
    const newest = group.observations.find(({ n }) => n > 0)!;
    const known = [newest.median, newest.min, newest.max];
    return known.map((value, column) => ({
      what: `commodity ${commodity_id} ${links[index]![1]} ${column}`,
      shown: row[column]!,
      known: value,
    }));
  });
}

interface Month {
  median: number | null;
  min: number | null;
  max: number | null;
  n: number;
}
