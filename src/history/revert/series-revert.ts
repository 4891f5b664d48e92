import type { SeriesRowValues } from '../../price-series/series-attributes.js';

/** What a revert does to a series. */
export interface SeriesRevert {
  readonly id: number;
  /** Null where the series has gone. */
  readonly stored: SeriesRowValues | null;
  /** Null where it is to go. */
  readonly values: SeriesRowValues | null;
}
