import { ArrayOf, Nested } from '../../platform/validation/field.js';
import { Id, Text, WideCount } from '../../platform/validation/fields.js';

/** How many of something came back, changed and went. */
export class Effects {
  @WideCount() added!: number;
  @WideCount() changed!: number;
  @WideCount() removed!: number;
}

/** A later import that repeated points which have gone: to be imported again. */
export class LaterInput {
  @Id() change_set_id!: number;
  @Text() input!: string;
  @Text() format!: string;
  @Text() digest!: string;
}

/** What became of corrections. */
class RevertedCorrections {
  @WideCount({ description: 'Ended by the change set; they stand again' }) reopened!: number;
  @WideCount({ description: 'Their base is what the source had before' }) rebased!: number;
  @WideCount({ description: 'Made by the change set' }) ended!: number;
}

/** What a revert did, or in a dry run would do. */
export class RevertCounts {
  @Nested(Effects) points!: Effects;
  @Nested(Effects) series!: Effects;
  @Nested(Effects, { description: 'Reference records, rates and indices' }) records!: Effects;
  @Nested(RevertedCorrections) corrections!: RevertedCorrections;
  /** Points, rates, indices, series and records. */
  @WideCount({ description: 'Left alone, because they have another value since' })
  changed_since!: number;
  @WideCount({ description: 'Series and records left alone, because others use them' })
  still_used!: number;
  @ArrayOf(Nested(LaterInput)) later_inputs!: LaterInput[];
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
