import { PERIODS, type Period } from '../price-series/periodicity.js';

/** Room for the day number in a point's id: 2^22, above the day number of 9999-12-31. */
const DAYS = 4_194_304;
/** Room for the period code. */
const PERIOD_CODES = 4;

/** What a point's id says: the series' number, the frequency and the day number. */
export interface PointKey {
  serieId: number;
  period: Period;
  day: number;
}

/**
 * The id of a point, stored or derived: (series number × 4 + period code) × 4194304 + day number. It stays below 2^53 for series
 * numbers up to 2^29, orders points as the table does, and needs no column.
 */
export function pointId(serieId: number, period: Period, day: number): number {
  return (serieId * PERIOD_CODES + period) * DAYS + day;
}

/** The parts of a point's id, or null for a number that is no such id. */
export function parsePointId(id: number): PointKey | null {
  if (!Number.isSafeInteger(id) || id < 0) return null;
  const day = id % DAYS;
  const serieAndPeriod = (id - day) / DAYS;
  const period = PERIODS.find((code) => code === serieAndPeriod % PERIOD_CODES);
  const serieId = Math.floor(serieAndPeriod / PERIOD_CODES);
  return period === undefined || day === 0 || serieId === 0 ? null : { serieId, period, day };
}
