import { COMMODITIES, countryOf, type DataSize } from './data.js';
import type { MeasuredServer } from './processes.js';
import { compare, type Comparison, type Rounds } from './rounds.js';
import { RandomRequests } from './scenarios.js';
import { httpGet } from './servers.js';

const HTML = { Accept: 'text/html' };

/** Pages that are measured, each by an address that nobody has asked for before. */
export const PAGES: readonly (readonly [name: string, path: string])[] = [
  ['data', '/data'],
  ['search', '/browse'],
  ['search that is understood', '/browse?search=how+much+is+market+12%3F'],
  ['search of a comparison', '/compare?add=market+12'],
  ['country', `/countries/${countryOf(1)}`],
  ['commodity', `/commodities/${COMMODITIES}`],
  ['commodity in a country', `/countries/${countryOf(1)}/commodities/${COMMODITIES}`],
  ['market', '/markets/1'],
  ['help', '/help'],
  ['start page', '/'],
  ['warnings', '/warnings'],
  ['releases', '/releases'],
  ['warnings by commodity', '/warnings?by=country,commodity'],
];

/** Milliseconds of processor time of one request for a page. */
export async function timePage(service: MeasuredServer, path: string): Promise<number> {
  const before = service.cpu();
  const { status } = await httpGet(service.port, path, HTML);
  if (status !== 200) throw new Error(`${path} has status ${status}.`);
  return (service.cpu() - before) / 1000;
}

/** Pages of random series, beside the prices of one. */
export function comparePages(service: MeasuredServer, size: DataSize, rounds: Rounds): Promise<Comparison> {
  const random = new RandomRequests(size);
  const page = () => ({ path: `/series/${random.uuid()}`, headers: HTML });
  return compare(
    { server: service, next: page },
    { server: service, next: () => random.onePrice() },
    4,
    rounds,
  );
}
