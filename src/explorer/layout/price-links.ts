import { BASE } from '../../config/price-paths.js';
import { MAX_SERIES } from '../../analysis/tables/price-table.service.js';
import { maxRows } from '../../platform/formats/xlsx/xlsx.format.js';
import type { CatalogueSnapshot } from '../../price-series/catalogue/catalogue-snapshot.js';
import { DAILY, WEEKLY } from '../../price-series/periodicity.js';
import { monthOf } from '../../lib/dates/calendar-date.js';
import { csvSerializer } from '../../prices/read/price-serializers.js';
import type { AddressValues } from '../../web/address.js';
import { wholeNumber } from '../../web/numbers.js';
import { texts } from '../texts.js';
import { type DataLink, SERIES_CODES } from './data-section.js';

/** Prices that a workbook can have. */
const MAX_IN_WORKBOOK = maxRows(csvSerializer.columns.length);

/** How the prices of a page are given. */
interface PriceLinkOptions {
  /** The order of the series; a table with series across has its own. */
  readonly sort?: string;
  /** Settings of a table with series across, so that it has the money that the page shows. */
  readonly table?: AddressValues;
}

/**
 * All prices of the series of a page: a row each, and as a table with dates down and series across.
 * What may be too large for a format is said beside it.
 * @param rows of the catalogue
 * @param address of a list of the API with what selects these series
 */
export function priceLinks(
  catalogue: CatalogueSnapshot,
  rows: ArrayLike<number>,
  address: (path: string, values: AddressValues) => string,
  { sort, table = {} }: PriceLinkOptions = {},
): DataLink[] {
  const isLarge = mayExceed(catalogue, rows, MAX_IN_WORKBOOK);
  const isWide = rows.length <= MAX_SERIES;
  return [
    {
      label: texts.allPrices,
      address: (format) => address(`/${BASE}/PriceSeriePrice/`, { sort, format }),
      // No link to a workbook that could not be made.
      formats: isLarge ? ['json', 'csv', 'parquet'] : ['json', 'csv', 'xlsx', 'parquet'],
      codes: SERIES_CODES,
      ...(isLarge ? { note: texts.largeWorkbook(wholeNumber(MAX_IN_WORKBOOK)) } : {}),
    },
    {
      label: texts.priceTable,
      // Also of what is no food: the table leaves it out unless it is asked for.
      address: (format) => address(`/${BASE}/PriceTable/`, { goods: 'false', ...table, format }),
      formats: isWide ? ['json', 'csv', 'xlsx', 'parquet'] : [],
      ...(isWide ? {} : { note: texts.wideTable(MAX_SERIES, wholeNumber(rows.length)) }),
    },
  ];
}

/** Whether series may have more prices than a number, by the time that they span. */
function mayExceed(catalogue: CatalogueSnapshot, rows: ArrayLike<number>, maxPrices: number): boolean {
  let count = 0;
  for (let index = 0; index < rows.length; index++) {
    for (const { period, start, end } of catalogue.periodicityAt(rows[index]!)) {
      const days = end - start;
      count += 1 + (period === DAILY ? days : period === WEEKLY ? days / 7 : monthOf(end) - monthOf(start));
    }
    if (count > maxPrices) return true;
  }
  return false;
}
