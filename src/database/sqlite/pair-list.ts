import type BetterSqlite3 from 'better-sqlite3';

/**
 * Adds the SQL aggregate `pair_list(key, value)`: the pairs of a group as one blob of doubles, in
 * ascending order of their keys. The driver needs several times as long for a row of two numbers.
 */
export function addPairList(database: BetterSqlite3.Database): void {
  database.aggregate<number[]>('pair_list', {
    start: () => [],
    // Never without a value: the driver's types know of one argument only.
    step(pairs, key: number, value?: number) {
      pairs.push(key, value!);
    },
    result: (pairs) => Buffer.from(Float64Array.from(inOrder(pairs)).buffer),
  });
}

/** The numbers of a blob that `pair_list` returned. */
export const numbersOfPairs = (blob: Buffer): Float64Array => new Float64Array(new Uint8Array(blob).buffer);

/** Rows mostly come in the order of an index, though SQL does not promise it. */
function inOrder(pairs: number[]): number[] {
  for (let index = 2; index < pairs.length; index += 2)
    if (pairs[index]! < pairs[index - 2]!) return sorted(pairs);
  return pairs;
}

const sorted = (pairs: readonly number[]): number[] =>
  Array.from({ length: pairs.length / 2 }, (_, index) => [pairs[index * 2]!, pairs[index * 2 + 1]!])
    .sort(([one], [other]) => one! - other!)
    .flat();
