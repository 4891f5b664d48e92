import type { PriceRow } from '../formats/series.js';

/** What is true of a price or not, as the bits of a byte: how columns of prices keep it. */
type Flags = Pick<PriceRow, 'calculated' | 'forecast'>;

const CALCULATED = 1;
const FORECAST = 2;

/** The flags of a price as a byte. */
export function flagByte({ calculated, forecast }: Flags): number {
  return (calculated ? CALCULATED : 0) | (forecast ? FORECAST : 0);
}

/** Whether `flagByte` was given a price that is calculated. */
export function hasCalculated(byte: number): boolean {
  return (byte & CALCULATED) !== 0;
}

/** Whether `flagByte` was given a forecast. */
export function hasForecast(byte: number): boolean {
  return (byte & FORECAST) !== 0;
}
