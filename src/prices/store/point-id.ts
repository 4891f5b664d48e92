import { PERIODS, type Period } from '../../price-series/periodicity.js';

/** Day numbers that fit into a point's id: 2^22, which is above the day number of 9999-12-31. */
const DAY_NUMBERS = 4_194_304;
/** Period codes that fit into a point's id. */
const PERIOD_CODES = 4;

/** The primary key of a point, which its id encodes: series id, frequency and day number. */
export interface PointKey {
  serieId: number;
  period: Period;
  day: number;
}

/**
 * The id of a point, stored or derived: (series id × 4 + period code) × 4194304 + day number. It
 * stays below 2^53 for series ids up to 2^29, sorts points as their table does, and needs no
 * column.
 */
export function pointId(serieId: number, period: Period, day: number): number {
  return (serieId * PERIOD_CODES + period) * DAY_NUMBERS + day;
}

/** The key that a point's id encodes, or null for a number that is no such id. */
export function parsePointId(id: number): PointKey | null {
  if (!Number.isSafeInteger(id) || id < 0) return null;
  const day = id % DAY_NUMBERS;
  const serieAndPeriod = (id - day) / DAY_NUMBERS;
  const period = PERIODS.find((code) => code === serieAndPeriod % PERIOD_CODES);
  const serieId = Math.floor(serieAndPeriod / PERIOD_CODES);
  return period === undefined || day === 0 || serieId === 0 ? null : { serieId, period, day };
}
