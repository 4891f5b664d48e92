import { isoFromDay, LAST_DAY } from '../../../lib/dates/calendar-date.js';
import { dayOfSerial, type Epoch } from '../../../lib/dates/spreadsheet-day.js';
import type { WorkbookParts } from './workbook-parts.js';

/** Formats of dates and times that a workbook does not write out. */
const DATE_FORMATS: readonly (readonly [from: number, to: number])[] = [
  [14, 22],
  [27, 36],
  [45, 47],
  [50, 58],
];

/** What shows no date in a format: texts, escaped and padding signs, colours, languages. */
const LITERALS = /"[^"]*"|\\.|[_*].|\[(?!h+\]|m+\]|s+\])[^\]]*\]/gi;

/** Whether a number format shows a number as a date or a time, such as `dd/mm/yyyy`. */
function isDateFormat(code: string): boolean {
  const [positive = ''] = code.replace(LITERALS, '').split(';');
  return !/general/i.test(positive) && /[ymdhs]/i.test(positive);
}

/** Maximum length of the part. */
const MAX_BYTES = 16 * 1024 * 1024;

/** Reads which styles of cells show numbers as dates, by their index. */
export async function readDateStyles(parts: WorkbookParts, path: string): Promise<boolean[]> {
  const customs = new Map<string, boolean>();
  const styles: boolean[] = [];
  let isInStyles = false;
  await parts.readWhole(path, MAX_BYTES, {
    open(name, { numFmtId: id = '0', formatCode: code = '' }) {
      if (name === 'numFmt') customs.set(id, isDateFormat(code));
      else if (name === 'cellXfs') isInStyles = true;
      else if (name === 'xf' && isInStyles) {
        const number = Number(id);
        styles.push(customs.get(id) ?? DATE_FORMATS.some(([from, to]) => number >= from && number <= to));
      }
    },
    close(name) {
      if (name === 'cellXfs') isInStyles = false;
    },
  });
  return styles;
}

const SECONDS_PER_DAY = 24 * 60 * 60;

/**
 * The date of a day number of a workbook, as ISO 8601 writes it: `2024-01-15`, with its time where
 * it is not midnight, or only the time of one without a day.
 * @returns null for a number that is no date
 */
export function isoOfSerial(serial: number, epoch: Epoch): string | null {
  if (!(serial >= 0 && serial <= LAST_DAY)) return null;
  const seconds = Math.round(serial * SECONDS_PER_DAY);
  const day = Math.floor(seconds / SECONDS_PER_DAY);
  const inDay = seconds % SECONDS_PER_DAY;
  const time = [inDay / 3600, (inDay / 60) % 60, inDay % 60]
    .map((part) => String(Math.floor(part)).padStart(2, '0'))
    .join(':');
  if (day === 0 && epoch === 1900) return time;
  const number = dayOfSerial(day, epoch);
  if (number === null) return null;
  const date = isoFromDay(number);
  return inDay === 0 ? date : `${date}T${time}`;
}
