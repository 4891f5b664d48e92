import type { FindingScope, Severity } from '../../findings/finding.js';

/** A rule, as `FindingRule/` and the documentation show it. */
export interface Rule {
  readonly severity: Severity;
  readonly scope: FindingScope;
  /** When it holds, with the names of its thresholds. */
  readonly description: string;
  readonly thresholds: Readonly<Record<string, number>>;
}

const rule = <T extends Record<string, number>>(
  severity: Severity,
  scope: FindingScope,
  description: string,
  thresholds: T,
) => ({ severity, scope, description, thresholds });

/** How the neighbours of a point are chosen. */
const NEIGHBOURS = { each_side: 3, within_months: 6, at_least: 3, sides_agree_within: 2 };

/** Every rule, with its thresholds. */
export const RULES = {
  spike: rule(
    'error',
    'point',
    'A price is `ratio` times the median of its neighbours, or a `ratio`-th of it, and the medians of the prices before and after it agree.',
    { ratio: 5, ...NEIGHBOURS },
  ),
  spike_possible: rule(
    'look',
    'point',
    'As `spike`, from `ratio` on; for vegetables and fruits from `ratio_fresh` on.',
    { ratio: 3, ratio_fresh: 4, ...NEIGHBOURS },
  ),
  decimal_slip: rule(
    'error',
    'point',
    'Beside `spike`: the ratio is within `tolerance` of a power of ten, by which the expected price is divided.',
    { tolerance: 0.15 },
  ),
} as const satisfies Record<string, Rule>;

export type RuleName = keyof typeof RULES;
