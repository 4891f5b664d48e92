/** How a correction stands, or how it has ended. */
export const CORRECTION_STATES = ['standing', 'confirmed', 'superseded', 'withdrawn'] as const;
export type CorrectionState = (typeof CORRECTION_STATES)[number];

/** What a point or record was according to its source, before a maintainer overruled it. */
export interface CorrectionBase {
  readonly value: number;
  readonly comment: string | null;
  /** The revision that gave it its values. */
  readonly since: number;
}

/** What a maintainer has set instead. */
export interface CorrectedValue {
  readonly value: number;
  readonly comment: string | null;
}

/** The point that a correction is about. */
export interface CorrectedPoint {
  readonly serieId: number;
  readonly period: number;
  readonly day: number;
  /** Whether it is marked as calculated. */
  readonly calculated: boolean;
}

/** The record that a correction is about. */
export interface CorrectedRecord {
  /** The table's name in the database. */
  readonly table: string;
  /** The values of its unique key as JSON. */
  readonly key: string;
  readonly recordId: number;
  readonly day: number;
}

/** A correction that stands. */
export interface StandingCorrection {
  readonly id: number;
  /** Null where the source has nothing. */
  readonly base: CorrectionBase | null;
  /** Null where the maintainer has removed the point or record. */
  readonly ours: CorrectedValue | null;
}

/**
 * What an import does with what is stored: merge with it, as it does by default; only add to it; or
 * set corrections aside.
 */
export type ImportMode = 'merge' | 'fill_only' | 'overrule_corrections';

/** The mode that two flags mean together; null if they exclude each other. */
export function importMode(flags: {
  overrule_corrections?: boolean;
  fill_only?: boolean;
}): ImportMode | null {
  const { overrule_corrections: overrule = false, fill_only: fill = false } = flags;
  if (overrule && fill) return null;
  return overrule ? 'overrule_corrections' : fill ? 'fill_only' : 'merge';
}

/** What becomes of a correction when the source has a value. */
export type CorrectionOutcome = 'keeps' | 'confirms' | 'supersedes';

/**
 * Merges as git does, by value alone: the source repeats its base, agrees with the correction, or
 * has spoken anew.
 * @param base the source's value when the correction was made; null for none
 * @param ours the correction; null for a removal
 * @param theirs the source's value now; null where it says nothing
 */
export function mergeCorrection(
  base: number | null,
  ours: number | null,
  theirs: number | null,
): CorrectionOutcome {
  if (theirs === null || theirs === base) return 'keeps';
  return theirs === ours ? 'confirms' : 'supersedes';
}
