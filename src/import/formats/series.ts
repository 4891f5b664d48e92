import { countryName } from '../../common/codes/countries.js';
import { unitMeaning, type UnitMeaning } from '../../common/codes/measure-units.js';
import { PERIOD_NAMES, PERIODS, type Period } from '../../price-series/periodicity.js';
import { cleanText } from '../../common/text/clean-text.js';
import { Batch, type RowFault } from './batch.js';
import { textFault } from './values.js';

/** Codes of the frequencies by their words. Words of an input are looked up in maps: an object has names of its own, `constructor`. */
export const PERIOD_CODES: ReadonlyMap<unknown, Period> = new Map(
  PERIODS.map((period) => [PERIOD_NAMES[period], period]),
);

export interface MarketTexts {
  readonly iso3_country_code: string;
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
 * Everything that an input says about a series, checked and in the form in which it is stored. A reader makes one for each
 * series and uses it for all its rows, so whoever stores them looks a series up once.
 */
export interface SeriesDescriptor {
  /** The identity that the input gives; null where it is made from the texts. */
  readonly uuid: string | null;
  readonly market: MarketTexts;
  readonly commodity: { readonly name: string; readonly hs_code: string | null; readonly category: string };
  /** Upper case. */
  readonly price_type: string;
  readonly source: { readonly name: string; readonly url: string; readonly license: string };
  readonly measure_unit: { readonly name: string } & UnitMeaning;
  readonly currency: string;
}

/** A series that an input names by its uuid only, because it was described in an earlier one. */
export interface KnownSeries {
  readonly uuid: string;
}

/** A price of an input. */
export interface PriceRow {
  readonly line: number;
  readonly series: SeriesDescriptor | KnownSeries;
  readonly period: Period;
  /** Day number of its date. */
  readonly day: number;
  /** Above 0, with 15 significant digits at most. */
  readonly value: number;
  /** '' for none. */
  readonly comment: string;
  /** Derived by the source from finer data that are not here. */
  readonly calculated: boolean;
  /** A forecast: stored with a comment that says so, and never over a real price. */
  readonly forecast: boolean;
}

/** Prices of an input. */
export class PriceBatch extends Batch<PriceRow> {
  readonly kind = 'prices';

  /** @param valueColumn what the input calls the price */
  constructor(readonly valueColumn: string) {
    super();
  }
}

/** A series that an input describes without prices. */
export interface SeriesRow {
  readonly line: number;
  readonly series: SeriesDescriptor & { readonly uuid: string };
  /** The frequencies whose points its source derives, a bit `1 << code` for each. */
  readonly markedPeriods: number;
}

/** Series of an input. */
export class SeriesBatch extends Batch<SeriesRow> {
  readonly kind = 'series';
}

/** The texts of a series as a file has them, not yet checked. */
export interface SeriesTexts {
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
  /** Three capitals. */
  currency: string;
}

/** How long each text may be, and what its file calls it. */
export type Columns = Readonly<
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

/** Lengths of the columns of the reference tables (section 3 of the interface). */
export const LENGTHS = {
  admin_unit: 150,
  admin_unit2: 150,
  market: 200,
  market_type: 100,
  code: 50,
  info: 2000,
  country_name: 200,
  commodity: 200,
  category: 100,
  hs_code: 12,
  price_type: 50,
  source: 200,
  url: 500,
  license: 500,
  measure_unit: 100,
  comment: 500,
} as const;

const REQUIRED = new Set<string>(['market', 'commodity', 'price_type', 'measure_unit']);

/** Whether a market stands for a whole country by its name. */
export const isNationalAverage = (market: string): boolean => /^national average$/i.test(market);

/**
 * Makes the descriptor of a series from its texts, with what can be told from them: the country's name, the unit's factor, the
 * commodity's HS code, whether the market is an average.
 * @param columns the file's names of the texts, for faults
 */
export function describeSeries(
  texts: SeriesTexts,
  columns: Columns,
  source: SeriesDescriptor['source'],
  hsCode: (commodity: string) => string | null,
): SeriesDescriptor | RowFault {
  const clean = {} as Record<keyof Columns, string>;
  for (const key of Object.keys(columns) as (keyof Columns)[]) {
    clean[key] = ownCopy(cleanText(texts[key], LENGTHS[key]));
    const fault = textFault(columns[key], clean[key], LENGTHS[key], REQUIRED.has(key));
    if (fault) return fault;
  }
  const iso3 = ownCopy(texts.iso3);
  return {
    uuid: null,
    market: {
      iso3_country_code: iso3,
      country_name: countryName(iso3),
      admin_unit: clean.admin_unit,
      admin_unit2: clean.admin_unit2,
      name: clean.market,
      type: '',
      code: clean.code,
      info: '',
      latitude: texts.latitude,
      longitude: texts.longitude,
      regional_average: isNationalAverage(clean.market),
    },
    commodity: { name: clean.commodity, hs_code: hsCode(clean.commodity), category: clean.category },
    price_type: clean.price_type.toUpperCase(),
    source,
    measure_unit: { name: clean.measure_unit, ...unitMeaning(clean.measure_unit) },
    currency: ownCopy(texts.currency),
  };
}

/** A copy that does not keep alive the block of the file of which a field is a part. */
export function ownCopy(text: string): string {
  return text.length < 13 ? text : Buffer.from(text, 'utf16le').toString('utf16le');
}
