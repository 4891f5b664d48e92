import { countryName } from '../../lib/codes/countries.js';
import { parseUnitName, type UnitAttributes } from '../../lib/codes/measure-units.js';
import { firstDayOfMonth, monthOf } from '../../lib/dates/calendar-date.js';
import { MONTHLY, PERIOD_NAMES, PERIODS, type Period } from '../../price-series/periodicity.js';
import type { SeriesStatus } from '../../price-series/series-status.js';
import { isMissingValue } from '../../lib/text/missing-values.js';
import { normalizeText } from '../../lib/text/normalize-text.js';
import { oneLine } from '../../lib/text/one-line.js';
import { Batch, type RowViolation } from './batch.js';
import { textViolation } from './values.js';

/** Codes of the periods by name. A Map: an object also has inherited keys such as `constructor`. */
export const PERIOD_CODES: ReadonlyMap<unknown, Period> = new Map(
  PERIODS.map((period) => [PERIOD_NAMES[period], period]),
);

/** The fields of a market. */
export interface MarketValues {
  readonly iso3_country_code: string;
  /** For the first market of the country: the others have the name that is stored. */
  readonly country_name: string;
  readonly admin_unit: string;
  readonly admin_unit2: string;
  readonly name: string;
  readonly type: string;
  readonly code: string;
  readonly info: string;
  readonly latitude: number | null;
  readonly longitude: number | null;
  readonly regional_average: boolean;
}

/**
 * The description of a series in an input, validated and normalized. A reader creates one object
 * for each series and uses it for all its rows, so that the series is looked up once.
 */
export interface SeriesDescriptor {
  /** The uuid in the input; null where it is derived from the natural key. */
  readonly uuid: string | null;
  readonly market: MarketValues;
  /** What the input calls the country; absent where it has only the code. */
  readonly country_text?: string;
  readonly commodity: { readonly name: string; readonly hs_code: string | null; readonly category: string };
  /** Upper case. */
  readonly price_type: string;
  readonly source: { readonly name: string; readonly url: string; readonly license: string };
  readonly measure_unit: { readonly name: string } & UnitAttributes;
  readonly currency: string;
  readonly status: SeriesStatus;
}

/** A series given by uuid alone, because another element or input describes it. */
export interface SeriesReference {
  readonly uuid: string;
}

/** A price of an input. */
export interface PriceRow {
  readonly line: number;
  readonly series: SeriesDescriptor | SeriesReference;
  readonly period: Period;
  /** Date as a day number. */
  readonly day: number;
  /** Greater than 0, with at most 15 significant digits. */
  readonly value: number;
  /** Empty for none. */
  readonly comment: string;
  /** Derived by the source from data of a higher frequency. */
  readonly calculated: boolean;
  /** True where the source calls it provisional. */
  readonly provisional?: boolean;
}

/** Prices of an input. */
export class PriceBatch extends Batch<PriceRow> {
  readonly kind = 'prices';

  /** @param valueColumn name of the price column in the input */
  constructor(readonly valueColumn: string) {
    super();
  }
}

/** A series that an input describes without prices. */
export interface InputSeries {
  readonly line: number;
  readonly series: SeriesDescriptor & { readonly uuid: string };
  /** Bitmask of the periods whose points the source derives: `1 << period` for each. */
  readonly markedPeriods: number;
}

/** Series of an input. */
export class SeriesBatch extends Batch<InputSeries> {
  readonly kind = 'series';
}

/** The values of a series as in a file, not yet validated. */
export interface RawSeries {
  iso3: string;
  admin_unit: string;
  admin_unit2: string;
  market: string;
  code: string;
  latitude: number | null;
  longitude: number | null;
  commodity: string;
  category: string;
  price_type: string;
  measure_unit: string;
  /** Three capital letters. */
  currency: string;
}

/** Column names of the texts of a series in a file. */
type SeriesColumnNames = Readonly<
  Record<
    | 'admin_unit'
    | 'admin_unit2'
    | 'market'
    | 'code'
    | 'commodity'
    | 'category'
    | 'price_type'
    | 'measure_unit',
    string
  >
>;

/** Maximum lengths of texts. A test holds them to the DTOs of the reference tables. */
export const MAX_LENGTHS = {
  admin_unit: 150,
  admin_unit2: 150,
  market: 200,
  market_type: 100,
  code: 50,
  info: 2000,
  country_name: 200,
  commodity: 200,
  category: 100,
  price_type: 50,
  source: 200,
  url: 500,
  license: 500,
  measure_unit: 100,
  comment: 500,
} as const;

const REQUIRED = new Set<string>(['market', 'commodity', 'price_type', 'measure_unit']);

/** The violation of a monthly price with another day than the first, or null. */
export function monthlyDayViolation(period: Period, day: number, text: string): RowViolation | null {
  if (period !== MONTHLY || firstDayOfMonth(monthOf(day)) === day) return null;
  const detail = `date must be the 1st of the month for a monthly price, not ${text}.`;
  return { field: 'date', reason: 'invalid_date', detail };
}

/** Why a row with the uuid of a series of another status is rejected. */
export const otherStatus = (uuid: string, stored: SeriesStatus, given: SeriesStatus): RowViolation => ({
  field: 'status',
  reason: 'other_status',
  detail:
    `Series ${uuid} is of ${stored} prices, and a series has one status: leave out the uuid of rows that ` +
    `are ${given}.`,
});

/** Whether a market's name says that it is the average of a country. */
export const isNationalAverage = (market: string): boolean => /^national average$/i.test(market);

/**
 * Validates the texts of a series and creates its descriptor, with what follows from them: the
 * country's name, the unit's factor, the commodity's HS code, whether the market is an average.
 * @param columns column names in the file, for violations
 */
export function createSeriesDescriptor(
  raw: RawSeries,
  columns: SeriesColumnNames,
  source: SeriesDescriptor['source'],
  hsCode: (commodity: string) => string | null,
): SeriesDescriptor | RowViolation {
  const normalized = {} as Record<keyof SeriesColumnNames, string>;
  for (const key of Object.keys(columns) as (keyof SeriesColumnNames)[]) {
    normalized[key] = copyString(normalizeText(oneLine(raw[key]), MAX_LENGTHS[key]));
    const violation = textViolation(columns[key], normalized[key], MAX_LENGTHS[key], REQUIRED.has(key));
    if (violation) return violation;
  }
  const iso3 = copyString(raw.iso3);
  return {
    uuid: null,
    market: {
      iso3_country_code: iso3,
      country_name: countryName(iso3),
      admin_unit: normalized.admin_unit,
      admin_unit2: normalized.admin_unit2,
      name: normalized.market,
      type: '',
      code: normalized.code,
      info: '',
      latitude: raw.latitude,
      longitude: raw.longitude,
      regional_average: isNationalAverage(normalized.market),
    },
    commodity: {
      name: normalized.commodity,
      hs_code: hsCode(normalized.commodity),
      category: normalized.category,
    },
    price_type: normalized.price_type.toUpperCase(),
    source,
    measure_unit: { name: normalized.measure_unit, ...parseUnitName(normalized.measure_unit) },
    currency: copyString(raw.currency),
    status: 'observed',
  };
}

/** What an input calls a country, normalized; null where it is blank or could not be stored. */
export function countryText(raw: string): string | null {
  const text = normalizeText(raw, MAX_LENGTHS.country_name);
  const isName = text !== '' && !isMissingValue(text);
  return isName && textViolation('', text, MAX_LENGTHS.country_name) === null ? text : null;
}

/** A copy of a field. A slice would keep the whole block of the file it is part of in memory. */
export function copyString(text: string): string {
  return text.length < 13 ? text : Buffer.from(text, 'utf16le').toString('utf16le');
}
