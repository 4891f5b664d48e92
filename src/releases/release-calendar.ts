import { ICalCalendar, ICalCalendarMethod, ICalEventTransparency } from 'ical-generator';
import { CALENDAR, mediaFormat } from '../platform/formats/page-formats.js';
import { Reply } from '../platform/http/reply.js';
import type { RequestInfo } from '../platform/http/request.js';
import { contentDisposition } from '../platform/listing/file-name.js';
import type { ReleaseRecord } from './release-record.js';

/** Seconds after which subscribers read the calendar again: the dates move once a day at most. */
const REFRESH_AFTER = 86_400;

/**
 * The next releases that are expected as all-day events (RFC 5545), for calendars that people
 * subscribe to. The same data give the same bytes.
 */
export function releaseCalendar(
  records: readonly ReleaseRecord[],
  info: Pick<RequestInfo, 'origin' | 'path' | 'query'>,
  revision: number,
): Reply {
  const calendar = new ICalCalendar({
    name: 'Food prices: expected releases',
    prodId: { company: 'Price Data Service', product: 'Release calendar', language: 'EN' },
    method: ICalCalendarMethod.PUBLISH,
    ttl: REFRESH_AFTER,
  });
  for (const record of records) {
    const { next_expected: expected, next_period_end: end, iso3_country_code: iso3 } = record;
    if (expected === null) continue;
    calendar.createEvent({
      // One event for each period: what was expected of the last one is not moved to the next.
      id: `${record.source_id}-${iso3}-${record.periodicity}-${end}@${new URL(info.origin).hostname}`,
      start: midnight(expected),
      allDay: true,
      transparency: ICalEventTransparency.TRANSPARENT,
      stamp: midnight(record.last_stored ?? record.last_period_end),
      summary: `${record.country_name}: ${record.periodicity} prices (${record.source})`,
      description:
        `Values up to ${end} are expected, by the median lag of ${record.releases} releases: ` +
        `${record.median_lag_days} days after the end of a period.`,
      url: `${info.origin}/countries/${iso3}`,
    });
  }
  const { mediaType } = mediaFormat(CALENDAR);
  const headers = { 'Content-Disposition': contentDisposition(info.path, info.query, CALENDAR) };
  return Reply.text(calendar.toString(), mediaType, { headers, revision });
}

/** A date as ical-generator takes it: events of whole days are read in UTC. */
const midnight = (date: string): Date => new Date(`${date}T00:00:00Z`);
