import { isoFromDay } from '../lib/dates/calendar-date.js';
import { columnsOf } from '../platform/formats/columns.js';
import { ApiSchema, OrNull } from '../platform/validation/field.js';
import { CalendarDate, Count, Decimal, Id, Iso3, OneOf, Text } from '../platform/validation/fields.js';
import { PERIOD_NAMES, type PeriodName, periodNames } from '../price-series/periodicity.js';
import { SCHEDULE_REASONS, type ScheduleReason, scheduleOf } from './release-schedule.js';
import type { Release, ReleaseGroup } from './released-periods.js';

/** What a source has published for a country, and when the next values are to be expected. */
@ApiSchema({ name: 'Release' })
export class ReleaseRecord {
  @Id() source_id!: number;
  @Text({ description: 'Name of the source' }) source!: string;
  @Iso3() iso3_country_code!: string;
  @Text() country_name!: string;
  @OneOf(periodNames) periodicity!: PeriodName;
  @Count({ description: 'Series of the source in the country with values of this frequency' })
  series!: number;
  @CalendarDate({ description: 'Last day of the newest period with values' }) last_period_end!: string;
  @OrNull(CalendarDate({ description: 'When its values were first stored here; null if not known' }))
  last_stored!: string | null;
  @CalendarDate({ description: 'Last day of the period after it' }) next_period_end!: string;
  @OrNull(CalendarDate({ description: 'When its values are expected; null for a reason' }))
  next_expected!: string | null;
  @OrNull(
    OneOf(SCHEDULE_REASONS, {
      description:
        'Why no date is expected. `too_few_releases`: fewer than three periods have ended and come since the first import of the source',
    }),
  )
  reason!: ScheduleReason | null;
  @OrNull(Count({ description: 'Days since the expected date; 0 until then' })) days_late!: number | null;
  @Count({ description: 'Releases that the lags are of: the last 12 at most' }) releases!: number;
  @OrNull(Decimal({ description: 'Median days from the end of a period to its release' }))
  median_lag_days!: number | null;
  @OrNull(Decimal({ description: 'Days that nine of ten releases take at most' }))
  p90_lag_days!: number | null;
}

export const releaseColumns = columnsOf(ReleaseRecord);

/** A group with what the catalogue has of it. */
export interface ListedGroup extends ReleaseGroup {
  readonly source: string;
  readonly countryName: string;
  series: number;
  /** Last day of its newest period. */
  newestEnd: number;
}

/** @param releases of the group, oldest first */
export function releaseRecord(
  group: ListedGroup,
  releases: readonly Release[],
  today: number,
): ReleaseRecord {
  const { medianLag, highLag, nextEnd, expected, late, ...schedule } = scheduleOf(
    group.period,
    releases,
    group.newestEnd,
    today,
  );
  const last = releases.find(({ endDay }) => endDay === group.newestEnd);
  return {
    source_id: group.sourceId,
    source: group.source,
    iso3_country_code: group.country,
    country_name: group.countryName,
    periodicity: PERIOD_NAMES[group.period],
    series: group.series,
    last_period_end: isoFromDay(group.newestEnd),
    last_stored: last === undefined ? null : isoFromDay(last.storedDay),
    next_period_end: isoFromDay(nextEnd),
    next_expected: expected === null ? null : isoFromDay(expected),
    reason: schedule.reason,
    days_late: late,
    releases: schedule.releases,
    median_lag_days: medianLag,
    p90_lag_days: highLag,
  };
}
