import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { type DataSize, SIZE_L, startWithPrices, watchMemory } from '../support/data-size.js';
import { ms, type Measurements, type Rule } from '../support/rule.js';
import { sendRequest } from '../support/http.js';
import type { Service } from '../support/service.js';
import { UnreadReplies } from '../support/unread.js';

const PRICES = '/api/v1/PriceSeriePrice/';
/** What the readers request; the number of each is put into its dates, so that all differ. */
const LONG: readonly [path: (date: string) => string, headers: string][] = [
  [(date) => `${PRICES}?format=csv&start_date=${date}`, ''],
  [(date) => `${PRICES}?format=csv&start_date=${date}`, 'Accept-Encoding: br\r\n'],
  [(date) => `${PRICES}?format=ndjson&start_date=${date}`, 'Accept-Encoding: gzip\r\n'],
  [(date) => `${PRICES}?page_size=2000&start_date=${date}`, ''],
  [(date) => `/api/v1/PriceSerie/?format=csv&newerThan=${date}`, ''],
];
const READERS = 280;
const PAGES = 60;
/** How often a client asks for its page at size L, as long as it is 503. */
const TRIES = 5;

const dateOf = (number: number) =>
  `20${String(10 + (number % 5))}-${String(1 + (number % 12)).padStart(2, '0')}-${String(1 + (number % 28)).padStart(2, '0')}`;

const TITLE = `memory with ${READERS} stalled readers and ${PAGES} large pages`;
const S: DataSize = { series: 3000, days: 333, megabytes: 350, selection: '' };

export const stalledReaders: Rule = {
  id: 'R1',
  title: TITLE,
  timeoutMs: 240_000,
  run: ({ short }) => measure(short ? { ...S, series: 1000, days: 100 } : S),
};

export const stalledReadersAtSizeL: Rule = {
  id: 'R1',
  title: `${TITLE} at size L`,
  timeoutMs: 1_800_000,
  run: () => measure(SIZE_L, TRIES),
};

async function measure(size: DataSize, tries = 1): Promise<Measurements> {
  const { series, days, megabytes } = size;
  const service = await startWithPrices(size);
  const maxMemory = watchMemory(service);
  const readers = new UnreadReplies();
  for (let number = 0; number < READERS; number++) {
    const [path, headers] = LONG[number % LONG.length]!;
    readers.open(service.port, path(dateOf(number)), headers);
  }
  await readers.answered(20_000);
  await sleep(2000);
  const { stalled, statuses } = readers;
  const pages = await Promise.all(
    Array.from({ length: PAGES }, (_, number) => largePage(service, number, tries)),
  );
  const most = maxMemory();
  readers.close();
  const pageStatuses = pages.flat();
  const whole = pages.filter((statuses) => statuses.at(-1) === 200).length;
  assert.ok(stalled >= 20, `Only ${stalled} readers stalled: ${JSON.stringify(statuses)}`);
  assert.deepEqual(
    Object.keys(statuses).filter((status) => !['200', '503'].includes(status)),
    [],
    JSON.stringify(statuses),
  );
  assert.ok(whole >= 3, `Only ${whole} pages were sent: ${pageStatuses.join(' ')}`);
  assert.ok(
    pageStatuses.every((status) => status === 200 || status === 503),
    pageStatuses.join(' '),
  );
  assert.ok(most <= megabytes, `The service used ${most} MB.`);
  await service.stop();
  return {
    points: series * days,
    'stalled readers': stalled,
    'rejected readers': statuses['503'] ?? 0,
    'pages sent': whole,
    'sent at the first try': pages.filter(([first]) => first === 200).length,
    tries: pageStatuses.length,
    'most memory MB': ms(most),
  };
}

/**
 * Requests a large page, and again after the seconds that a 503 names.
 * @returns the statuses, in order
 */
async function largePage(service: Service, number: number, tries: number): Promise<number[]> {
  const path =
    number % 2 === 0
      ? `/api/v1/PriceSerie/?page_size=10000&newerThan=${dateOf(number)}`
      : `${PRICES}?page_size=1000&start_date=${dateOf(number)}`;
  const statuses: number[] = [];
  while (statuses.length < tries) {
    const request = { headers: { 'Accept-Encoding': 'br' }, timeoutMs: 60_000 };
    const { status, headers } = await sendRequest(service.port, path, request);
    statuses.push(status);
    if (status !== 503) break;
    const seconds = Number(headers['retry-after']);
    assert.ok(seconds > 0, 'A 503 has no Retry-After.');
    if (statuses.length < tries) await sleep(1000 * seconds);
  }
  return statuses;
}
