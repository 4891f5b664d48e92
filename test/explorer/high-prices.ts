import type { Fetch } from './page-numbers.js';
import { tableRows } from './pages.js';

/** What a place says of the high prices of a country, beside what the API says. */
export interface ComparedText {
  where: string;
  shown: string | undefined;
  known: string;
}

interface Warning {
  iso3_country_code: string;
  month: string;
  fresh: number;
  rated: number;
  high: number;
}

const LEAST_RATED = 3;
/** Months by which a country may be behind that which a quarter of the countries reach. */
const OLD_MONTHS = 3;

const numberOf = (month: string) => Number(month.slice(0, 4)) * 12 + Number(month.slice(5, 7)) - 1;
const textOf = (month: number) => `${Math.floor(month / 12)}-${String((month % 12) + 1).padStart(2, '0')}`;

/** What is said of a country in a few words, from the numbers of the API alone. */
function saidOf({ fresh, rated, high }: Warning, isOld: boolean): string {
  if (isOld) return 'old prices';
  if (rated < LEAST_RATED) return fresh === 0 ? 'no fresh series' : 'too few can be rated';
  const percent = Math.round((100 * high) / rated);
  return high === 0 ? `none of ${count(rated)}` : `${percent}% (${count(high)} of ${count(rated)})`;
}

const count = (value: number) => value.toLocaleString('en');

/**
 * The codes of countries that are old: more than three months behind what a quarter reach.
 * @param newest month of each country, at most the month that is shown
 */
function oldOf(newest: ReadonlyMap<string, number>): Set<string> {
  const months = [...newest.values()].sort((one, other) => other - one);
  const current = months[Math.ceil(months.length / 4) - 1] ?? 0;
  return new Set([...newest].filter(([, month]) => month < current - OLD_MONTHS).map(([iso3]) => iso3));
}

/** The sentence of a map about each country, by the code at the end of its link. */
function labelsOf(html: string): Map<string, string> {
  const links = html.matchAll(/<a href="[^"]*?([A-Z]{3})"(?: rel="nofollow")? aria-label="([^"]+)"><title>/g);
  return new Map([...links].map(([, iso3, label]) => [iso3!, label!.replace(/^.*High prices: /, '')]));
}

/** The cell of a table that says it, by the code that the row links to. */
function cellsOf(html: string, heading: string, column: number): Map<string, string> {
  const section = html.slice(html.indexOf(heading));
  const body = /<tbody>([\s\S]*?)<\/tbody>/.exec(section)![1]!;
  const codes = [...body.matchAll(/<th scope="row"><a\s+href="\/countries\/([A-Z]{3})/g)].map(
    ([, iso3]) => iso3!,
  );
  const rows = tableRows(section, '<tbody>');
  return new Map(codes.map((iso3, index) => [iso3, rows[index]!.at(column)!]));
}

/**
 * Compares what pages, maps and the API say of the high prices of every country: of the newest
 * months on the start page, the page of warnings and that of the country, and of earlier months on
 * that of warnings.
 * @param months earlier ones, back from the newest of all
 */
export async function compareHighPrices(fetch: Fetch, months: number): Promise<ComparedText[]> {
  const list = async (query: string) =>
    (await fetch<{ results: Warning[] }>(`/api/v1/PriceWarning/?page_size=1000${query}`)).results;
  const newest = await list('');
  const reach = new Map(newest.map(({ iso3_country_code, month }) => [iso3_country_code, numberOf(month)]));
  const old = oldOf(reach);
  const start = await completePage(fetch, '/');
  const warnings = await fetch('/warnings');
  const places: [string, Map<string, string>][] = [
    ['/', cellsOf(start, '>Countries<', -1)],
    ['map of /', labelsOf(start)],
    ['/warnings', cellsOf(warnings, '<tbody>', 2)],
    ['map of /warnings', labelsOf(warnings)],
  ];
  const compared: ComparedText[] = [];
  for (const row of newest) {
    const iso3 = row.iso3_country_code;
    const known = saidOf(row, old.has(iso3));
    for (const [place, texts] of places)
      compared.push({ where: `${place}, ${iso3}`, shown: texts.get(iso3), known });
    compared.push({
      where: `/countries/${iso3}`,
      shown: sentenceOf(await fetch(`/countries/${iso3}`)),
      known,
    });
  }
  const last = Math.max(...reach.values());
  for (let month = last; month > last - months; month--) {
    const query = `month=${textOf(month)}`;
    const html = await fetch(`/warnings?${query}`);
    const [cells, labels] = [cellsOf(html, '<tbody>', 2), labelsOf(html)];
    const rows = await list(`&${query}`);
    const reached = new Map([...reach].map(([iso3, reaches]) => [iso3, Math.min(reaches, month)]));
    for (const iso3 of reached.keys())
      if (!rows.some((row) => row.iso3_country_code === iso3)) reached.delete(iso3);
    const oldThen = oldOf(reached);
    for (const row of rows) {
      const iso3 = row.iso3_country_code;
      const known = saidOf(row, oldThen.has(iso3));
      compared.push({ where: `/warnings?${query}, ${iso3}`, shown: cells.get(iso3), known });
      compared.push({ where: `map of /warnings?${query}, ${iso3}`, shown: labels.get(iso3), known });
    }
  }
  return compared;
}

/** What the sentence of a country's page says, in the few words of the other places. */
function sentenceOf(html: string): string | undefined {
  const text = /<h2>Warnings<\/h2>\s*<p>([^<]*)<\/p>/.exec(html)?.[1] ?? '';
  if (text.includes('are old')) return 'old prices';
  if (text.includes('too few can be rated')) return 'too few can be rated';
  if (text.includes('no series is fresh')) return 'no fresh series';
  const none = /no price is high, of ([\d,]+) that can be rated/.exec(text);
  if (none !== null) return `none of ${none[1]}`;
  const some = /: (\d+%) of the food prices that can be rated are high (\(.*?\))/.exec(text);
  return some === null ? undefined : `${some[1]} ${some[2]}`;
}

/** The start page, once nothing of it is being calculated any more. */
async function completePage(fetch: Fetch, address: string): Promise<string> {
  let html = await fetch(address);
  for (let attempt = 0; attempt < 50 && html.includes('being calculated'); attempt++) {
    await new Promise((resolve) => setTimeout(resolve, 200));
    html = await fetch(address);
  }
  return html;
}
