/** Results of a rule for the table, by label. */
export type Measurements = Record<string, number | string | boolean>;

export interface RunMode {
  /** Fewer rounds and shorter loads, for every build. */
  short: boolean;
}

/** A rule of the reliability requirements and its test script. */
export interface Rule {
  id: string;
  title: string;
  /** Skipped if MariaDB is not installed. */
  needsMariadb?: boolean;
  /** Why the rule cannot be tested on this machine. */
  skipReason?: string;
  /** Milliseconds after which the script fails; two minutes by default. */
  timeoutMs?: number;
  /** @throws when the rule does not hold */
  run(mode: RunMode): Promise<Measurements>;
}

/**
 * Something took longer than its limit. A busy machine may be the cause, so the rule is repeated
 * with `--retry`; any other error fails at once.
 */
export class TimeLimitError extends Error {
  override name = 'TimeLimitError';
}

/** The machine lacks what the rule needs, or the run is too short for it. */
export class SkipRule extends Error {}

/** Rounds milliseconds for the table. */
export const ms = (value: number): number => Math.round(value);
