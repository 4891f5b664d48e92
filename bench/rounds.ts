import { percentile, runLoad, type LoadRequest, type LoadResult } from './load.js';
import type { MeasuredServer } from './processes.js';

/** The number of rounds of a comparison, and the milliseconds of each side in a round. */
export interface Rounds {
  count: number;
  duration: number;
  /** Milliseconds of each side before the first round; by default as many as in a round. */
  warmUp?: number;
}

/** One side of a comparison. */
export interface Side {
  server: MeasuredServer;
  next: () => LoadRequest;
}

/** Medians over rounds. Times are in milliseconds, processor time in microseconds per request. */
export interface LoadMetrics {
  perSecond: number;
  p50: number;
  p99: number;
  cpu: number;
}

export interface Comparison {
  ours: LoadMetrics;
  theirs: LoadMetrics;
  /** Median over rounds of ours / theirs, computed within each round. */
  ratio: number;
  p50Ratio: number;
  p99Ratio: number;
  /** Theirs / ours, so that more is better here as well. */
  cpuRatio: number;
  /** Replies of both sides other than 200 or 304, by status. */
  unexpected: Record<string, number>;
}

type Round = LoadResult & { cpu: number };

/** Loads both sides alternately, so that other load on the machine affects both alike. */
export async function compare(
  ours: Side,
  theirs: Side,
  connections: number,
  { count, duration, warmUp = duration }: Rounds,
): Promise<Comparison> {
  const rounds: [Round, Round][] = [];
  for (const { server, next } of [ours, theirs])
    await runLoad({ port: server.port, next, connections, duration: warmUp });
  for (let round = 0; round < count; round++) {
    const first = round % 2 === 0 ? await load(ours, connections, duration) : null;
    const other = await load(theirs, connections, duration);
    rounds.push([first ?? (await load(ours, connections, duration)), other]);
  }
  const unexpected: Record<string, number> = {};
  for (const { unexpected: found } of rounds.flat()) {
    for (const [status, times] of Object.entries(found))
      unexpected[status] = (unexpected[status] ?? 0) + times;
  }
  return {
    ours: mediansOf(rounds.map(([round]) => round)),
    theirs: mediansOf(rounds.map(([, round]) => round)),
    ratio: median(rounds.map(([one, other]) => one.perSecond / other.perSecond)),
    p50Ratio: median(rounds.map(([one, other]) => one.p50 / other.p50)),
    p99Ratio: median(rounds.map(([one, other]) => one.p99 / other.p99)),
    cpuRatio: median(rounds.map(([one, other]) => other.cpu / one.cpu)),
    unexpected,
  };
}

async function load({ server, next }: Side, connections: number, duration: number): Promise<Round> {
  const before = server.cpu();
  const result = await runLoad({ port: server.port, next, connections, duration });
  return { ...result, cpu: (server.cpu() - before) / result.requests };
}

const mediansOf = (rounds: readonly Round[]): LoadMetrics => ({
  perSecond: median(rounds.map(({ perSecond }) => perSecond)),
  p50: median(rounds.map(({ p50 }) => p50)),
  p99: median(rounds.map(({ p99 }) => p99)),
  cpu: median(rounds.map(({ cpu }) => cpu)),
});

export const median = (values: readonly number[]) =>
  percentile(
    [...values].sort((one, other) => one - other),
    0.5,
  );
