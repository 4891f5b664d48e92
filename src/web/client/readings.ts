import type { ChartData } from './chart-data.js';
import { scriptTexts } from './texts.js';

/** All values of a chart on a day. */
export interface Reading {
  day: number;
  date: string;
  /** A line of text for each value, in the order of the lines. */
  values: { name: string; text: string; line: number | null }[];
  /** What is to be said of the points. */
  remarks: string[];
}

const MILLISECONDS_OF_A_DAY = 86_400_000;

/** What a chart says on each day that has a value, oldest first. */
export function readingsOf({ unit, lines, band, marks }: ChartData): Reading[] {
  const readings = new Map<number, Reading>();
  for (const [line, { name, points }] of lines.entries())
    for (const [day, value] of points) {
      const date = new Date(day * MILLISECONDS_OF_A_DAY).toISOString().slice(0, 10);
      const reading = readings.get(day) ?? { day, date, values: [], remarks: [] };
      readings.set(day, reading);
      reading.values.push({ name, text: `${format(value)} ${unit}`, line });
    }
  for (const [day, low, high] of band?.points ?? []) {
    const text = scriptTexts.range.replace('{low}', format(low)).replace('{high}', format(high));
    readings.get(day)?.values.push({ name: band!.name, text, line: null });
  }
  for (const [day, label] of marks) readings.get(day)?.remarks.push(label);
  return [...readings.values()].sort((one, other) => one.day - other.day);
}

const numberFormat = new Intl.NumberFormat('en', { maximumSignificantDigits: 6 });
const format = (value: number) => numberFormat.format(value);

/** The index of the reading that is nearest to a day. */
export function nearest(readings: readonly Reading[], day: number): number {
  let best = 0;
  for (const [index, reading] of readings.entries())
    if (Math.abs(reading.day - day) < Math.abs(readings[best]!.day - day)) best = index;
  return best;
}
