import { dayFromIso } from '../../lib/dates/calendar-date.js';
import { latestDate, utcDate } from '../../lib/dates/relative-date.js';
import { instantText } from '../../platform/clock/clock.js';
import { one, ParseError, type ParseContext, type ValueParser } from '../../platform/validation/parsers.js';
import { QuerySchema } from '../../platform/validation/query-schema.js';

/** A state of the data that a request asks for: by revision, by time, or the present one. */
export type AsOf = { readonly revision: number } | { readonly instant: string } | 'now';

const REVISION = /^r([0-9]{1,15})$/;
const INSTANT =
  /^(\d{4}-\d{2}-\d{2})[Tt]([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{1,9})?([Zz]|[+-]([01]\d|2[0-3]):[0-5]\d)$/;

/**
 * A date (the end of that day, UTC; the current date means now), an instant (RFC 3339) or a
 * revision (`r1234`).
 */
export const asOf: ValueParser<AsOf> = {
  parse(text, context) {
    context.onAsOf?.();
    const revision = REVISION.exec(text)?.[1];
    if (revision !== undefined) return { revision: Number(revision) };
    if (dayFromIso(text) !== null) return endOfDay(text, context);
    const date = INSTANT.exec(text)?.[1];
    if (date === undefined || dayFromIso(date) === null)
      return new ParseError('invalid_as_of', 'must be a date, an instant (RFC 3339) or a revision (r1234).');
    const milliseconds = Date.parse(text.toUpperCase());
    return milliseconds > context.now ? inFuture() : { instant: instantText(milliseconds) };
  },
  schema: {
    type: 'string',
    pattern: '^(r[0-9]{1,15}|[0-9]{4}-[0-9]{2}-[0-9]{2}([Tt][0-9:.]{8,18}([Zz]|[+-][0-9]{2}:[0-9]{2}))?)$',
  },
};

function endOfDay(date: string, context: ParseContext): AsOf | ParseError {
  const today = utcDate(context.now);
  // A date that has begun in any time zone is accepted, and means now.
  if (date > latestDate(context.now)) return inFuture();
  if (date < today) return { instant: `${date}T23:59:59.999Z` };
  // The reply must not be cached beyond today: tomorrow the same text means the end of this day.
  context.onRelativeDate?.(today);
  return 'now';
}

const inFuture = () => new ParseError('in_future', 'must not be in the future.');

/** The parameter of every read of versioned data. */
export const asOfParameter = one(
  asOf,
  'The data as they were: at the end of a date (UTC; the current date means now), at an instant (RFC 3339) or at a revision (`r1234`).',
);

/** The query of a read of one thing that takes no other parameter. */
export const asOfQuery = new QuerySchema({ as_of: asOfParameter });
