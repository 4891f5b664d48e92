import { setTimeout as sleep } from 'node:timers/promises';
import { jsonBody, type HttpReply } from '../../faults/support/http.js';
import { generatedUuid } from '../../faults/support/prices-file.js';
import type { Service } from '../../faults/support/service.js';

/** Series changed by every batch, in one transaction. */
const SERIES = 8;
const UUIDS = Array.from({ length: SERIES }, (_, index) => generatedUuid(1000 + index));
const HEAD =
  'uuid,iso3_country_code,commodity,price_type,market,source,currency,measure_unit,date,periodicity,price_value';
const FIRST_DAY = Date.UTC(2000, 0, 1);
const DAY = 86_400_000;
/** Maximum age of a reply in milliseconds. */
const FRESH_WITHIN = 1000;

export interface HammerResult {
  batches: number;
  reads: number;
  /** Replies that mix two states of the data. */
  mixed: string[];
  /** Replies without a batch that had been acknowledged more than a second before. */
  stale: string[];
  undocumented: string[];
  rejected: number;
  /** The oldest reply: milliseconds since the acknowledgement of the first batch it lacks. */
  oldest: number;
}

/** A batch adds one daily price to each series: the batch number, on the day of that number. */
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
 * Imports batch after batch through one service while reading through others, and compares every
 * reply with the batches that had been acknowledged when it was requested.
 */
export async function hammer(writer: Service, readers: Service[], duration: number): Promise<HammerResult> {
  const result: HammerResult = {
    batches: 0,
    reads: 0,
    mixed: [],
    stale: [],
    undocumented: [],
    rejected: 0,
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
    else if (reply.status === 503) result.rejected++;
    else result.undocumented.push(`write: ${reply.status} ${reply.text.slice(0, 300)}`);
  };
  await store();
  if (acknowledged.length === 1) throw new Error(result.undocumented.join());
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
        const requestedAt = performance.now();
        const reply = await reader.request(path);
        if (reply.status === 503) result.rejected++;
        else if (reply.status !== 200 || reply.truncated)
          result.undocumented.push(`read: ${reply.status} ${reply.text.slice(0, 300)}`);
        else compare(path, numbersIn(reply), requestedAt);
      }
    }),
  );
  const compare = (path: string, numbers: number[], requestedAt: number) => {
    result.reads++;
    const what = `${path.split('?')[0]} ${numbers.join(' ')}`;
    if (new Set(numbers).size !== 1) result.mixed.push(what);
    const missed = acknowledged[Math.min(...numbers) + 1];
    if (missed === undefined || missed > requestedAt) return;
    result.oldest = Math.max(result.oldest, requestedAt - missed);
    if (requestedAt - missed > FRESH_WITHIN)
      result.stale.push(`${what}, ${Math.round(requestedAt - missed)} ms late`);
  };
  await Promise.all([writing, ...reading]);
  result.batches = acknowledged.length - 1;
  return result;
}

/** The latest batch of each series. */
function ofSeries(reply: HttpReply): number[] {
  const { count, results } = jsonBody<{ count: number; results: { last_price_date: string }[] }>(reply);
  return [...results.map((entry) => numberOf(entry.last_price_date)), ...(count === SERIES ? [] : [NaN])];
}

/** The latest batches according to the entry and the newest prices of each series. */
function ofPrices(reply: HttpReply): number[] {
  const { count, results } = jsonBody<{
    count: number;
    results: { series: { last_price_date: string }; datapoints: { date: string; price_value: number }[] }[];
  }>(reply);
  const numbers = results.flatMap(({ series, datapoints }) => [
    numberOf(series.last_price_date),
    ...datapoints.flatMap(({ date, price_value }, index) => [numberOf(date) + index, price_value + index]),
  ]);
  return [...numbers, ...(count === SERIES ? [] : [NaN])];
}
