import type { ParquetColumn } from '../../platform/formats/parquet/parquet-encoder.js';

/** A column of a file of an edition, with what it means. */
export interface EditionColumn extends ParquetColumn {
  readonly description: string;
}

const uuid: EditionColumn = {
  name: 'uuid',
  type: 'string',
  bloomFilter: true,
  description: 'The uuid of the price series, which never changes.',
};
const country: EditionColumn = {
  name: 'iso3_country_code',
  type: 'string',
  description: 'Country of the market, ISO 3166-1 alpha-3.',
};
const currency: EditionColumn = {
  name: 'currency',
  type: 'string',
  description: 'Currency of the price, ISO 4217.',
};
const text = (name: string, description: string): EditionColumn => ({ name, type: 'string', description });
const number = (name: string, description: string): EditionColumn => ({ name, type: 'number', description });
const date = (name: string, description: string): EditionColumn => ({ name, type: 'date', description });

/** Of `prices.parquet` and `prices.csv.gz`, a row for each published price. */
export const PRICE_COLUMNS: readonly EditionColumn[] = [
  uuid,
  country,
  text('market', 'Market, or the area of an average.'),
  text('commodity', 'Commodity.'),
  text('price_type', 'RETAIL, WHOLESALE and others.'),
  currency,
  text('measure_unit', 'Unit that the price is for.'),
  date('date', 'Date of the price; of a monthly one the first day of the month.'),
  text('periodicity', 'daily, weekly or monthly.'),
  number('price_value', 'Price in the currency, for the unit.'),
  number('price_value_real', 'Price × 100 ÷ consumer price index of the month, in terms of index_base.'),
  number('price_value_dollar', 'Price in US dollars, at the rate of the month.'),
  text('comment', 'Comment on the price.'),
  text('index_base', 'Base period of the price index behind price_value_real.'),
];

/** Of `series.parquet`, a row for each price series. */
export const SERIES_COLUMNS: readonly EditionColumn[] = [
  uuid,
  country,
  text('country_name', 'Country of the market.'),
  text('commodity', 'Commodity.'),
  text('hs_code', 'Code of the commodity in the Harmonized System.'),
  text('category', 'Category of the commodity.'),
  text('price_type', 'RETAIL, WHOLESALE and others.'),
  text('market', 'Market, or the area of an average.'),
  text('market_type', 'Type of the market.'),
  text('admin_unit', 'First administrative division.'),
  text('admin_unit2', 'Second administrative division.'),
  number('latitude', 'Degrees north.'),
  number('longitude', 'Degrees east.'),
  text('source', 'Who has published the prices.'),
  text('source_url', 'Address of the source.'),
  text('source_license', 'Licence of the source.'),
  currency,
  text('measure_unit', 'Unit that prices are for.'),
  number('conversion_factor', 'Price × factor = price per kilogram or litre.'),
  { name: 'regional_average', type: 'boolean', description: 'Whether it is an average of markets.' },
  date('first_date', 'Date of the first price.'),
  date('last_date', 'Date of the last price.'),
  { name: 'points', type: 'integer', description: 'Number of prices.' },
];

/** Of `rates.parquet`, a row for each exchange rate and value of a price index. */
export const RATE_COLUMNS: readonly EditionColumn[] = [
  text('kind', 'exchange_rate or price_index.'),
  text('currency', 'Of an exchange rate: units of this currency per US dollar, ISO 4217.'),
  text('rate_type', 'Of an exchange rate: official or parallel.'),
  text('iso3_country_code', 'Of a price index: country, ISO 3166-1 alpha-3.'),
  text('item', 'Of a price index: general or food.'),
  text('base_period', 'Of a price index: the period in which it is 100.'),
  text('periodicity', 'daily or monthly.'),
  date('date', 'Date; of a month its first day.'),
  number('value', 'The rate or the index.'),
  text('source', 'Who has published it.'),
];
