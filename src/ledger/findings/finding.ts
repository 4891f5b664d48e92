/** What a finding is about. */
export const FINDING_SCOPES = ['point', 'series', 'group', 'rate', 'index', 'harvest'] as const;
export type FindingScope = (typeof FINDING_SCOPES)[number];

/** How sure a rule is: likely wrong, worth a look, or for information. */
export const SEVERITIES = ['error', 'look', 'info'] as const;
export type Severity = (typeof SEVERITIES)[number];

/**
 * `open`; `dismissed` by a maintainer; `corrected` and `gone`: no longer there, with and without a
 * standing correction of a member.
 */
export const FINDING_STATES = ['open', 'dismissed', 'corrected', 'gone'] as const;
export type FindingState = (typeof FINDING_STATES)[number];

/** A series, or one of its points, that a finding is about. */
export interface SeriesMember {
  readonly serieId: number;
  readonly uuid: string;
  /** Day number; null where it is the series as a whole. */
  readonly day: number | null;
  readonly value: number | null;
}

/** A record of a reference table, or a harvest, that a finding is about. */
export interface RecordMember {
  /** The path segment of the table. */
  readonly table: string;
  readonly id: number;
  readonly name: string;
}

/** What a rule has found in the data as they are. */
export interface FoundFinding {
  readonly rule: string;
  readonly severity: Severity;
  readonly scope: FindingScope;
  /** What was checked; see `Check`. */
  readonly subject: string;
  /** What distinguishes it from other findings of the rule about the subject; '' if it is one. */
  readonly about: string;
  readonly country: string | null;
  /** 1 daily, 2 weekly, 3 monthly. */
  readonly period: number | null;
  /** Day number. */
  readonly day: number | null;
  readonly value: number | null;
  readonly expected: number | null;
  readonly ratio: number | null;
  /** The point or series itself; of a group all of them. */
  readonly series: readonly SeriesMember[];
  /** The records that it is about, where it is about records. */
  readonly records?: readonly RecordMember[];
  /** A sentence with the numbers in it. */
  readonly detail: string;
}

/** A member of a group, as responses show it. */
export type ShownMember =
  { uuid: string; date?: string; value?: number | null } | { table: string; id: number; name: string };
