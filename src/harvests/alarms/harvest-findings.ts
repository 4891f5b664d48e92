import type { FoundFinding } from '../../ledger/findings/finding.js';
import { dayFromIso, isoFromDay } from '../../lib/dates/calendar-date.js';
import { foundFinding } from '../../quality/checks/found-finding.js';
import { RULES } from '../../quality/rules/rule-table.js';
import { dayOfInstant } from '../../releases/period-end.js';
import type { HarvestRow } from '../records/harvest.entity.js';
import { type ExpectedRelease, expectedFile } from './expected-file.js';

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
  const about = { subject: `${HARVEST_SUBJECTS}${id}`, records: [{ table: 'Harvest', id, name }] };
  if (failures >= RULES.harvest_failed.thresholds.runs)
    found.push(
      foundFinding('harvest_failed', {
        ...about,
        detail: `The last runs of the harvest ${name} have failed: no file has come from its source.`,
      }),
    );
  if (heldSince !== null)
    found.push(
      foundFinding('harvest_held', {
        ...about,
        day: dayFromIso(heldSince.slice(0, 10)),
        detail: `A file of the harvest ${name} of ${heldSince.slice(0, 10)} looks wrong: it is held until somebody has it imported or dismisses it.`,
      }),
    );
  const today = dayOfInstant(now);
  const due = expectedFile(harvest, releases, today)?.until;
  if (due !== undefined && today > due)
    found.push(
      foundFinding('source_late', {
        ...about,
        day: due,
        detail: `The source of the harvest ${name} is late: a new file was expected until ${isoFromDay(due)}.`,
      }),
    );
  return found;
}
