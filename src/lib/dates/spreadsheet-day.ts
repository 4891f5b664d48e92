import { dayOf, LAST_DAY } from './calendar-date.js';

/** The year that a spreadsheet counts its days from; that of old ones of a Mac is 1904. */
export type Epoch = 1900 | 1904;

const DAY_0: Readonly<Record<Epoch, number>> = { 1900: dayOf(1899, 12, 30), 1904: dayOf(1904, 1, 1) };
/** 29 February 1900, which spreadsheets count and no calendar has. */
const NO_DAY = 60;

/** The day that a spreadsheet has as a whole number; null for a number that is no day. */
export function dayOfSerial(serial: number, epoch: Epoch = 1900): number | null {
  if (!(serial >= 0 && serial <= LAST_DAY) || (epoch === 1900 && serial === NO_DAY)) return null;
  const isBeforeIt = epoch === 1900 && serial < NO_DAY;
  const day = DAY_0[epoch] + serial + (isBeforeIt ? 1 : 0);
  return day > LAST_DAY ? null : day;
}

/** Days from 1949 to 2200, by either epoch. */
const SERIAL = /^(?:1[89]|[2-9]\d|10\d)\d{3}(?:\.0+)?$/;

/** Whether a text may be a day of a spreadsheet, which counts them from 1900 or from 1904. */
export const isSerialDay = (text: string): boolean => SERIAL.test(text.trim());
