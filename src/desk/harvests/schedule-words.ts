import { harvestPagesTexts as texts } from '../texts/harvests.js';

/** Days of the week as cron counts them; 7 is Sunday, too. */
const MAX_WEEKDAY = 7;

/**
 * A schedule of cron in words, such as "Monday to Friday at 06:30"; null for one that is not of the
 * usual kind.
 */
export function scheduleInWords(schedule: string): string | null {
  const [minute = '', hour = '', day = '', month = '', weekday = ''] = schedule.split(' ');
  if (month !== '*') return null;
  const days = daysInWords(day, weekday);
  const time = timeInWords(minute, hour);
  if (days === null || time === null) return null;
  if (days !== '') return `${days} ${time}`;
  return isNumber(hour) ? texts.schedule.daily(time) : time;
}

/** '' for all days. */
function daysInWords(day: string, weekday: string): string | null {
  const { schedule } = texts;
  if (day === '*' && weekday === '*') return '';
  if (weekday === '*') {
    const days = day.split(',');
    return days.every(isNumber) ? schedule.monthly(days) : null;
  }
  if (day !== '*') return null;
  const range = /^([0-7])-([0-7])$/.exec(weekday);
  if (range !== null) return schedule.weekdays(nameOf(range[1]!), nameOf(range[2]!));
  const named = weekday.split(',');
  return named.every((one) => isNumber(one) && Number(one) <= MAX_WEEKDAY)
    ? schedule.weekly(named.map(nameOf))
    : null;
}

function timeInWords(minute: string, hour: string): string | null {
  const { schedule } = texts;
  const step = /^\*\/(\d+)$/;
  if (isNumber(minute) && isNumber(hour)) return schedule.at(twoDigits(hour), twoDigits(minute));
  const hours = step.exec(hour)?.[1] ?? (hour === '*' ? '1' : null);
  if (isNumber(minute) && hours !== null) return schedule.everyHours(Number(hours), twoDigits(minute));
  const minutes = step.exec(minute)?.[1];
  return minutes !== undefined && hour === '*' ? schedule.everyMinutes(Number(minutes)) : null;
}

const isNumber = (text: string): boolean => /^\d{1,2}$/.test(text);
const twoDigits = (text: string): string => text.padStart(2, '0');
const nameOf = (weekday: string): string => texts.schedule.names[Number(weekday) % MAX_WEEKDAY]!;
