import { dayFromIso } from '../../lib/dates/calendar-date.js';
import { dayOfInstant } from '../../releases/period-end.js';
import type { ReleaseRecord } from '../../releases/release-record.js';
import { addDuration } from '../records/expected-duration.js';
import type { HarvestRow } from '../records/harvest.entity.js';

/** What is expected of a source: by its harvest itself, or by its earlier releases. */
interface ExpectingHarvest extends Pick<HarvestRow, 'source' | 'expected_interval' | 'expected_lag'> {
  /** When a file was imported last; null for never. */
  readonly importedAt: string | null;
}

/** What each release of a source says of when its values are expected. */
export type ExpectedRelease = Pick<
  ReleaseRecord,
  'source' | 'next_period_end' | 'next_expected' | 'p90_lag_days'
>;

/** When the next values of a harvest are expected. Days are day numbers. */
export interface ExpectedFile {
  readonly expected: number;
  /** The last day on which its source is not late. */
  readonly until: number;
}

/**
 * When the next values of a harvest are expected: its interval after the last file, or else the
 * next release of its source, which is the least late one where all are. Null where that is not
 * known.
 * @param releases of all sources
 */
export function expectedFile(
  { source, expected_interval: interval, expected_lag: lag, importedAt }: ExpectingHarvest,
  releases: readonly ExpectedRelease[],
  today: number,
): ExpectedFile | null {
  if (interval !== '') {
    if (importedAt === null) return null;
    const expected = addDuration(dayOfInstant(Date.parse(importedAt)), interval);
    return { expected, until: addDuration(expected, lag) };
  }
  const own = releases.filter(
    (release) => source !== '' && release.source === source && release.p90_lag_days !== null,
  );
  if (own.length === 0) return null;
  const days = own.map(({ next_expected: day }) => dayFromIso(day!)!);
  const coming = days.filter((day) => day >= today);
  return {
    expected: coming.length > 0 ? Math.min(...coming) : Math.max(...days),
    // While one country or frequency is not late, the source publishes.
    until: Math.max(
      ...own.map(({ next_period_end: end, p90_lag_days: lag }) => dayFromIso(end)! + Math.ceil(lag!)),
    ),
  };
}
