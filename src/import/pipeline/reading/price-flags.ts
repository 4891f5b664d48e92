import type { PriceRow } from '../../formats/series.js';

/** The boolean fields of a price, stored as the bits of a byte in `PriceColumns`. */
type Flags = Pick<PriceRow, 'calculated' | 'forecast'>;

const CALCULATED = 1;
const FORECAST = 2;

/** Encodes the flags of a price as a byte. */
export function encodeFlags({ calculated, forecast }: Flags): number {
  return (calculated ? CALCULATED : 0) | (forecast ? FORECAST : 0);
}

/** Whether the price is calculated. */
export function hasCalculatedFlag(byte: number): boolean {
  return (byte & CALCULATED) !== 0;
}

/** Whether the price is a forecast. */
export function hasForecastFlag(byte: number): boolean {
  return (byte & FORECAST) !== 0;
}
