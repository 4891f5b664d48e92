import { accounts } from './accounts.js';
import { audit } from './audit.js';
import { bodies } from './bodies.js';
import { corrections } from './corrections.js';
import { badFilters, goodFilters } from './filters.js';
import { formats, longReplies } from './formats.js';
import { fpma } from './fpma.js';
import { framing } from './framing.js';
import { imports } from './imports.js';
import { origins } from './origins.js';
import { pages } from './pages.js';
import { points } from './points.js';
import { preparations } from './preparations.js';
import { proxy, proxySettings } from './proxy.js';
import { publicAddress, publicSettings } from './public.js';
import type { ListedRequest } from './request.js';
import { routes } from './routes.js';
import { tableFilters } from './table-filters.js';
import { targets } from './targets.js';
import { writes } from './writes.js';

/** A part of the list, for a service of its own with a new database. */
export interface Phase {
  name: string;
  settings: Readonly<Record<string, string>>;
  requests: readonly ListedRequest[];
}

/**
 * The list: always the same requests in the same order, because writes show in the reads after
 * them.
 */
export function phases(): Phase[] {
  const all: Phase[] = [
    { name: 'plain', settings: { IMPORT_MAX_BYTES: '300 KB' }, requests: plain() },
    { name: 'behind a proxy', settings: proxySettings, requests: proxy() },
    { name: 'public address', settings: publicSettings, requests: publicAddress() },
  ];
  checkIds(all.flatMap(({ requests }) => requests));
  return all;
}

function plain(): ListedRequest[] {
  const after = (when: string, requests: ListedRequest[]) =>
    requests.map((request) => ({ ...request, id: `${when}/${request.id}` }));
  return [
    ...preparations(),
    ...routes(),
    ...formats(),
    ...longReplies(),
    ...goodFilters(),
    ...badFilters(),
    ...points(),
    ...pages(),
    ...tableFilters(),
    ...fpma(),
    ...targets(),
    ...origins('origin'),
    ...accounts(),
    ...bodies(),
    ...writes(),
    ...after('after writes', [...tableFilters(), ...goodFilters()]),
    ...corrections(),
    ...imports(),
    ...audit(),
    ...after('after imports', [
      ...preparations(),
      ...formats(),
      ...longReplies(),
      ...goodFilters(),
      ...points(),
    ]),
    ...framing(),
  ];
}

function checkIds(requests: readonly ListedRequest[]): void {
  const seen = new Set<string>();
  for (const { id } of requests) {
    if (seen.has(id)) throw new Error(`Two requests of the list are called "${id}".`);
    seen.add(id);
  }
}
