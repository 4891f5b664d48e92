import { dayOf, monthOf } from '../../lib/dates/calendar-date.js';
import { RULES } from './rule-table.js';

const { from_year, years_ahead } = RULES.date_out_of_range.thresholds;

/** The first day that a price, rate or index is expected to be dated. */
export const FIRST_EXPECTED_DAY = dayOf(from_year, 1, 1);

/** The last one: that of the coming year. Forecasts reach a few months ahead. */
export const lastExpectedDay = (today: number): number => dayOf(yearOf(today) + years_ahead, 12, 31);

/** Calendars that offices print years of, by the years to add; a year begins within another one. */
const CALENDARS = [
  { name: 'the Solar Hijri calendar', add: 621 },
  { name: 'the Buddhist era', add: -543 },
  { name: 'the Bikram Sambat calendar', add: -57 },
  { name: 'the Islamic calendar', add: 579 },
] as const;
/** Years back from today in which a year of another calendar has to lie to be recognised. */
const RECENT_YEARS = 40;

/** A calendar by whose years dates would be recent ones, and the year that one of them would be. */
interface OtherCalendar {
  readonly name: string;
  readonly year: number;
  readonly meant: number;
}

/**
 * The calendar whose years dates may have, which were read as years of the Gregorian one.
 * @param day the latest of them
 */
export function otherCalendarOf(day: number, today: number): OtherCalendar | null {
  const year = yearOf(day);
  const now = yearOf(today);
  const fitting = CALENDARS.map(({ name, add }) => ({ name, year, meant: year + add })).filter(
    ({ meant }) => meant <= now + years_ahead && meant > now - RECENT_YEARS,
  );
  return fitting[0] ?? null;
}

function yearOf(day: number): number {
  return Math.floor(monthOf(day) / 12);
}
