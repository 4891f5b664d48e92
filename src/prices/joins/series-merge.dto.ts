import { dayFromIso } from '../../lib/dates/calendar-date.js';
import { QUANTITY } from '../../lib/numbers/quantity.js';
import { type Preference, PREFERENCES } from '../../price-series/joins/series-joins.js';
import type { Violation } from '../../platform/errors/api-error.js';
import { ValidBody } from '../../platform/http/params.js';
import { ApiSchema, Optional } from '../../platform/validation/field.js';
import { CalendarDate, Decimal, Flag, OneOf, Uuid } from '../../platform/validation/fields.js';
import { ParseError } from '../../platform/validation/parsers.js';
import { bodyViolation } from '../../platform/validation/validate-body.js';

/** How one series is to be shown by another. */
@ApiSchema({ name: 'SeriesMerge', limits: true })
export class SeriesMergeDto {
  @Uuid({ description: 'The series that is to show the points' }) into!: string;
  @Optional(
    Decimal({
      ...QUANTITY,
      description: 'What the prices are multiplied by; by default that of the two measure units',
    }),
  )
  factor?: number;
  @Optional(OneOf(PREFERENCES, { description: 'Whose point is shown where both have one; into by default' }))
  prefer?: Preference;
  @Optional(CalendarDate({ description: 'Points of this date or later' })) start_date?: string;
  @Optional(CalendarDate({ description: 'Points of this date or earlier' })) end_date?: string;
  @Optional(Flag({ description: 'True where the currencies differ because one of them is a wrong label' }))
  relabel?: boolean;
}

/** The violation of a range of dates that ends before it begins. */
export const joinViolations = ({ start_date, end_date }: SeriesMergeDto): Violation[] =>
  start_date !== undefined && end_date !== undefined && dayFromIso(start_date)! > dayFromIso(end_date)!
    ? [bodyViolation('end_date', new ParseError('reversed_range', 'must not be before start_date.'))]
    : [];

/** The body of a request to join a series. */
export const SeriesMergeBody = () => ValidBody(SeriesMergeDto, { crossFieldRules: joinViolations });
