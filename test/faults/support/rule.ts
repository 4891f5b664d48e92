/** What a rule measured, for the table. */
export type Figures = Record<string, number | string | boolean>;

/** How a run is meant. */
export interface RunMode {
  /** Fewer rounds and shorter loads: for every build. */
  short: boolean;
}

/** A rule of the reliability requirements, and the script that proves it. */
export interface Rule {
  id: string;
  title: string;
  /** It needs a MariaDB server that may be killed. */
  needsMariadb?: boolean;
  /** What else is not there and is needed: why the rule cannot be proved here. */
  missing?: string;
  /** Milliseconds after which the script counts as failed; two minutes unless given. */
  limit?: number;
  /** @throws what is wrong */
  run(mode: RunMode): Promise<Figures>;
}

/** Rounded for the table. */
export const ms = (value: number): number => Math.round(value);
