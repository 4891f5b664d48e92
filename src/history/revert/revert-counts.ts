/** How many of something came back, changed and went. */
export interface Effects {
  added: number;
  changed: number;
  removed: number;
}

/** A later import that repeated points which have gone: to be imported again. */
export interface LaterInput {
  change_set_id: number;
  input: string;
  format: string;
  digest: string;
}

/** What a revert did, or in a dry run would do. */
export interface RevertCounts {
  points: Effects;
  series: Effects;
  /** Reference records, rates and indices. */
  records: Effects;
  corrections: {
    /** Ended by the change set; they stand again. */
    reopened: number;
    /** Their base is now what the source had before. */
    rebased: number;
    /** Made by the change set. */
    ended: number;
  };
  /** Points, rates, indices, series and records left alone, because they have changed since. */
  changed_since: number;
  /** Series and records left alone that the change set made, because others use them. */
  still_used: number;
  later_inputs: LaterInput[];
}

const noEffects = (): Effects => ({ added: 0, changed: 0, removed: 0 });

export const noCounts = (): RevertCounts => ({
  points: noEffects(),
  series: noEffects(),
  records: noEffects(),
  corrections: { reopened: 0, rebased: 0, ended: 0 },
  changed_since: 0,
  still_used: 0,
  later_inputs: [],
});

/** Counts what a change of something from one value to another is. */
export function addEffect(effects: Effects, before: unknown, after: unknown): void {
  effects[before === null ? 'added' : after === null ? 'removed' : 'changed']++;
}

/** Adds the counts of a part to those of the whole. */
export function addCounts(total: RevertCounts, part: RevertCounts): void {
  for (const name of ['points', 'series', 'records'] as const)
    for (const effect of ['added', 'changed', 'removed'] as const) total[name][effect] += part[name][effect];
  for (const outcome of ['reopened', 'rebased', 'ended'] as const)
    total.corrections[outcome] += part.corrections[outcome];
  total.changed_since += part.changed_since;
  total.still_used += part.still_used;
}
