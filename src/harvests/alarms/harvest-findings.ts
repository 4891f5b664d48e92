import type { FoundFinding } from '../../ledger/findings/finding.js';
import { dayFromIso, isoFromDay } from '../../lib/dates/calendar-date.js';
import { foundFinding } from '../../quality/checks/found-finding.js';
import { RULES } from '../../quality/rules/rule-table.js';
import { dayOfInstant } from '../../releases/period-end.js';
import type { ReleaseRecord } from '../../releases/release-record.js';
import { addDuration } from '../records/expected-duration.js';
import type { HarvestRow } from '../records/harvest.entity.js';

/** What begins the subjects of all findings about harvests. */
export const HARVEST_SUBJECTS = 'harvest ';

/** A harvest that is on, and what became of its runs. */
export interface WatchedHarvest extends Pick<
  HarvestRow,
  'id' | 'name' | 'source' | 'expected_interval' | 'expected_lag'
> {
  /** Runs that have failed since the last one that has not. */
  readonly failures: number;
  /** When the run began that is held, and waits for a decision; null for none. */
  readonly heldSince: string | null;
  /** When a file was imported last; null for never. */
  readonly importedAt: string | null;
}

/** What each release of a source says of it when it is expected. */
type ExpectedRelease = Pick<ReleaseRecord, 'source' | 'next_period_end' | 'p90_lag_days'>;

/**
 * What is wrong with a harvest now.
 * @param now milliseconds since 1970
 * @param releases of all sources
 */
export function harvestFindings(
  harvest: WatchedHarvest,
  releases: readonly ExpectedRelease[],
  now: number,
): FoundFinding[] {
  const { id, name, failures, heldSince } = harvest;
  const found: FoundFinding[] = [];
  const subject = `${HARVEST_SUBJECTS}${id}`;
  if (failures >= RULES.harvest_failed.thresholds.runs)
    found.push(
      foundFinding('harvest_failed', {
        subject,
        detail: `The last runs of the harvest ${name} have failed: no file has come from its source.`,
      }),
    );
  if (heldSince !== null)
    found.push(
      foundFinding('harvest_held', {
        subject,
        day: dayFromIso(heldSince.slice(0, 10)),
        detail: `A file of the harvest ${name} of ${heldSince.slice(0, 10)} looks wrong: it is held until somebody has it imported or dismisses it.`,
      }),
    );
  const due = dueDay(harvest, releases);
  if (due !== null && dayOfInstant(now) > due)
    found.push(
      foundFinding('source_late', {
        subject,
        day: due,
        detail: `The source of the harvest ${name} is late: a new file was expected until ${isoFromDay(due)}.`,
      }),
    );
  return found;
}

/** The last day on which a new file is not late; null where that is not known. */
function dueDay(
  { source, expected_interval: interval, expected_lag: lag, importedAt }: WatchedHarvest,
  releases: readonly ExpectedRelease[],
): number | null {
  if (interval !== '')
    return importedAt === null
      ? null
      : addDuration(addDuration(dayOfInstant(Date.parse(importedAt)), interval), lag);
  const days = releases
    .filter((release) => source !== '' && release.source === source && release.p90_lag_days !== null)
    .map(({ next_period_end: end, p90_lag_days: highLag }) => dayFromIso(end)! + Math.ceil(highLag!));
  // While one country or frequency is not late, the source publishes.
  return days.length === 0 ? null : Math.max(...days);
}
