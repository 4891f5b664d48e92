import { setTimeout as sleep } from 'node:timers/promises';
import { json, type Reply } from '../../faults/support/http.js';
import { uuidOf } from '../../faults/support/prices-file.js';
import type { Service } from '../../faults/support/service.js';

/** Series that every batch changes, all in one transaction. */
const SERIES = 8;
const UUIDS = Array.from({ length: SERIES }, (_, index) => uuidOf(1000 + index));
const HEAD =
  'uuid,iso3_country_code,commodity,price_type,market,source,currency,measure_unit,date,periodicity,price_value';
const FIRST_DAY = Date.UTC(2000, 0, 1);
const DAY = 86_400_000;
/** The promise to readers, in milliseconds. */
const FRESH_WITHIN = 1000;

export interface Observed {
  batches: number;
  reads: number;
  /** Answers that put together two states of the data. */
  mixed: string[];
  /** Answers that lacked a batch which had been acknowledged for more than a second. */
  stale: string[];
  undocumented: string[];
  refused: number;
  /** The oldest answer, in milliseconds since the batch after it had been acknowledged. */
  oldest: number;
}

/** A batch gives each series one more daily price: the number of the batch, on the day of that number. */
function batch(number: number): Buffer {
  const date = dateOf(number);
  const rows = UUIDS.map(
    (uuid) => `${uuid},KEN,Batches,RETAIL,${uuid},Clusters,USD,Kg,${date},daily,${number}`,
  );
  return Buffer.from(`${HEAD}\r\n${rows.join('\r\n')}\r\n`);
}

const dateOf = (number: number) => new Date(FIRST_DAY + number * DAY).toISOString().slice(0, 10);
const numberOf = (date: string) => (Date.parse(date) - FIRST_DAY) / DAY;

/**
 * Imports batch after batch through one service and reads through others, all at the same time, and compares every answer with what
 * had been acknowledged when it was asked for.
 */
export async function hammer(writer: Service, readers: Service[], duration: number): Promise<Observed> {
  const observed: Observed = {
    batches: 0,
    reads: 0,
    mixed: [],
    stale: [],
    undocumented: [],
    refused: 0,
    oldest: 0,
  };
  /** When each batch was acknowledged. */
  const acknowledged = [0];
  const store = async () => {
    const number = acknowledged.length;
    const reply = await writer.write('POST', '/api/v1/Import/?format=prices', batch(number), {
      headers: { 'Content-Type': 'text/csv' },
    });
    if (reply.status === 200) acknowledged.push(performance.now());
    else if (reply.status === 503) observed.refused++;
    else observed.undocumented.push(`write: ${reply.status} ${reply.text.slice(0, 300)}`);
  };
  await store();
  if (acknowledged.length === 1) throw new Error(observed.undocumented.join());
  await sleep(FRESH_WITHIN);

  const end = performance.now() + duration;
  const writing = (async () => {
    while (performance.now() < end) await store();
  })();
  const reading = readers.flatMap((reader) =>
    [
      [`/api/v1/PriceSerie/?uuids=${UUIDS.join(',')}`, ofSeries] as const,
      [`/api/v1/PriceSeriePrice/?uuid__in=${UUIDS.join(',')}&latest=2&periodicity=daily`, ofPrices] as const,
    ].map(async ([path, numbersIn]) => {
      while (performance.now() < end) {
        const askedAt = performance.now();
        const reply = await reader.ask(path);
        if (reply.status === 503) observed.refused++;
        else if (reply.status !== 200 || reply.cut)
          observed.undocumented.push(`read: ${reply.status} ${reply.text.slice(0, 300)}`);
        else compare(path, numbersIn(reply), askedAt);
      }
    }),
  );
  const compare = (path: string, numbers: number[], askedAt: number) => {
    observed.reads++;
    const what = `${path.split('?')[0]} ${numbers.join(' ')}`;
    if (new Set(numbers).size !== 1) observed.mixed.push(what);
    const missed = acknowledged[Math.min(...numbers) + 1];
    if (missed === undefined || missed > askedAt) return;
    observed.oldest = Math.max(observed.oldest, askedAt - missed);
    if (askedAt - missed > FRESH_WITHIN)
      observed.stale.push(`${what}, ${Math.round(askedAt - missed)} ms late`);
  };
  await Promise.all([writing, ...reading]);
  observed.batches = acknowledged.length - 1;
  return observed;
}

/** The batch that each series shows. */
function ofSeries(reply: Reply): number[] {
  const { count, results } = json<{ count: number; results: { last_price_date: string }[] }>(reply);
  return [...results.map((entry) => numberOf(entry.last_price_date)), ...(count === SERIES ? [] : [NaN])];
}

/** The batches that the entry and the newest prices of each series show. */
function ofPrices(reply: Reply): number[] {
  const { count, results } = json<{
    count: number;
    results: { series: { last_price_date: string }; datapoints: { date: string; price_value: number }[] }[];
  }>(reply);
  const numbers = results.flatMap(({ series, datapoints }) => [
    numberOf(series.last_price_date),
    ...datapoints.flatMap(({ date, price_value }, index) => [numberOf(date) + index, price_value + index]),
  ]);
  return [...numbers, ...(count === SERIES ? [] : [NaN])];
}
