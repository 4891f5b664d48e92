import { iso3OfName, isCountryCode } from '../../lib/codes/countries.js';
import { dayOf, firstDayOfMonth, monthOf } from '../../lib/dates/calendar-date.js';
import { MONTHLY, type Period, type PeriodName } from '../../price-series/periodicity.js';
import { FORECAST_COMMENT } from '../../prices/store/forecast.js';
import { hsCodeOf } from '../crosswalks/hs-codes.js';
import { normalizeText, isTooLongToNormalize } from '../../lib/text/normalize-text.js';
import { ImportRejected, type RowViolation } from './batch.js';
import { CommentReader } from './comment-reader.js';
import type { CsvFile } from './csv.js';
import {
  copyString,
  createSeriesDescriptor,
  MAX_LENGTHS,
  PERIOD_CODES,
  PriceBatch,
  type RawSeries,
  type SeriesDescriptor,
} from './series.js';
import { detectLayout } from './wfp-layout.js';
import {
  country as readCountry,
  currency as readCurrency,
  dateViolation,
  day as readDay,
  numberBetween,
  quantity,
  quoteValue,
  textViolation,
  type FieldReader,
  type ReadValue,
} from './values.js';

/** The source of WFP's prices in all layouts, so that a series has one uuid in all of them. */
const WFP_SOURCE = 'World Food Programme (WFP)';

export interface WfpOptions {
  /** Alpha-3 code for files without a country column. */
  readonly country?: string | undefined;
  /** Source to store in place of WFP. */
  readonly source?: string | undefined;
  /** Frequency of the prices, required where they are not dated the 15th. */
  readonly period?: PeriodName | undefined;
  /** Also reads forecasts. */
  readonly includeForecast?: boolean | undefined;
  /** Name of the file, which may contain the country code. */
  readonly fileName?: string | undefined;
}

type MarketLocation = Pick<RawSeries, 'iso3' | 'latitude' | 'longitude'>;

/** A market as in its first row, with its series found so far. */
interface MarketEntry {
  readonly country: string;
  readonly admin_unit: string;
  readonly admin_unit2: string;
  readonly market: string;
  readonly code: string;
  readonly location: MarketLocation | RowViolation;
  readonly series: Map<string, MarketSeries>;
}

/** A series of a market, as in its first row. */
interface MarketSeries {
  readonly commodity: string;
  readonly unit: string;
  readonly type: string;
  readonly currency: string;
  readonly market: MarketEntry;
  readonly descriptor: SeriesDescriptor | RowViolation;
  /** The series of the row that followed last time. */
  next: MarketSeries | null;
}

/** The option that sets the country, for messages. */
const COUNTRY_OPTION = '--country (over HTTP: country=)';
/** Prices dated the 15th are monthly prices. */
const MONTHLY_DAY = 15;
/** Rows that are held back until a second date confirms that the prices are monthly. */
const LOOK_AHEAD_ROWS = 100_000;

/**
 * Reads WFP's price files in any of their layouts.
 * @throws ImportRejected for any other layout, an unknown country, or dates that need a period
 */
export async function* readWfp(file: CsvFile, options: WfpOptions): AsyncGenerator<PriceBatch> {
  const reader = new WfpReader(file, options);
  let pending: PriceBatch[] | null = options.period === undefined ? [] : null;
  let rows = 0;
  const batches = file.read(
    () => new PriceBatch(reader.layout.priceColumn),
    (record, line, batch) => reader.read(record, line, batch),
  );
  for await (const batch of batches) {
    if (pending === null) {
      yield batch;
      continue;
    }
    // No price is yielded before it is clear whether prices are monthly.
    pending.push(batch);
    rows += batch.rows.length;
    if (reader.hasSecondDate || rows > LOOK_AHEAD_ROWS) {
      yield* pending;
      pending = null;
    }
  }
  if (pending !== null) yield* pending;
}

class WfpReader {
  hasSecondDate = false;
  readonly layout: ReturnType<typeof detectLayout>;
  private readonly columns: ReturnType<typeof detectLayout>['columns'];
  private readonly period: Period;
  private readonly source: SeriesDescriptor['source'];
  /** The country of all rows, or null where a column has it. */
  private readonly country: string | null;
  private readonly decimalComma: boolean;

  private readonly markets = new Map<string, MarketEntry>();
  /** The series of the previous row. */
  private previous: MarketSeries | null = null;

  private firstDate: string | null = null;
  private dateText = '';
  private day: number | null = null;
  private readonly comments = new CommentReader('mp_commoditysource');
  private mayHaveTagRow = true;

  constructor(
    file: CsvFile,
    private readonly options: WfpOptions,
  ) {
    this.layout = detectLayout(file.header);
    this.columns = this.layout.columns;
    this.decimalComma = file.delimiter === ';';
    this.period = PERIOD_CODES.get(options.period ?? 'monthly')!;
    const source = normalizeText(options.source ?? WFP_SOURCE, MAX_LENGTHS.source);
    const violation = textViolation('--source', source, MAX_LENGTHS.source, true);
    if (violation) throw new ImportRejected(violation.detail);
    this.source = { name: source, url: '', license: '' };
    this.country = this.countryOfFile();
  }

  /** Adds a price to the batch, or returns why the record is rejected. */
  read(record: string[], line: number, batch: PriceBatch): RowViolation | void {
    const { columns } = this;
    const { priceColumn } = this.layout;
    if (this.mayHaveTagRow) {
      this.mayHaveTagRow = false;
      if (isTagRow(record)) return batch.skip('hxl_tags');
    }
    const isForecast = columns.flag >= 0 && record[columns.flag]!.toLowerCase().includes('forecast');
    if (isForecast && !this.options.includeForecast) return batch.skip('forecast');

    const day =
      columns.date >= 0
        ? this.readDateColumn(record[columns.date]!)
        : dayOfMonth(record[columns.year]!, record[columns.month]!);
    if (day === null)
      return columns.date >= 0
        ? dateViolation('date', record[columns.date]!)
        : dateViolation('mp_month', `${record[columns.year]}-${record[columns.month]}`);

    const priceText = record[columns.price]!;
    const price = quantity(
      this.decimalComma ? priceText.replace(',', '.') : priceText,
      priceColumn,
      priceText,
    );
    if ('reason' in price) return price;
    const series = this.seriesOf(record, batch);
    if ('reason' in series) return series;
    const comment = columns.comment < 0 ? '' : this.comments.read(record[columns.comment]!);
    if (typeof comment !== 'string') return comment;
    if (price.rounded) batch.rounded++;
    batch.rows.push({
      line,
      series,
      period: this.period,
      day,
      value: price.value,
      comment: isForecast ? FORECAST_COMMENT : comment,
      calculated: false,
      forecast: isForecast,
    });
  }

  /**
   * The day a price is stored under.
   * @throws ImportRejected for a day other than the 15th where no period is specified
   */
  private readDateColumn(text: string): number | null {
    if (text === this.dateText) return this.day;
    const read = readDay(text.trim(), 'date');
    this.firstDate ??= text;
    if (text !== this.firstDate) this.hasSecondDate = true;
    if ('reason' in read) return null;
    const day = read.value;
    const month = firstDayOfMonth(monthOf(day));
    if (this.options.period === undefined && day - month + 1 !== MONTHLY_DAY) {
      throw new ImportRejected(
        `A price is dated ${text}, but monthly prices are dated the 15th. Specify ` +
          '--period daily or --period weekly (over HTTP: period=daily or period=weekly).',
      );
    }
    this.dateText = text;
    this.day = this.period === MONTHLY ? month : day;
    return this.day;
  }

  /**
   * The series of a row. Files repeat the same list of series date by date, so the series that
   * followed last time is compared first: a lookup has to build a key from many columns.
   */
  private seriesOf(record: string[], batch: PriceBatch): SeriesDescriptor | RowViolation {
    const expected = this.previous?.next ?? null;
    const series =
      expected !== null && this.matchesSeries(record, expected) && this.matchesMarket(record, expected.market)
        ? expected
        : this.findSeries(record, batch);
    if (this.previous !== null) this.previous.next = series;
    this.previous = series;
    return series.descriptor;
  }

  private matchesSeries(record: string[], { commodity, unit, type, currency }: MarketSeries): boolean {
    const { columns } = this;
    return (
      record[columns.commodity] === commodity &&
      record[columns.unit] === unit &&
      record[columns.type] === type &&
      record[columns.currency] === currency
    );
  }

  private matchesMarket(
    record: string[],
    { country, admin_unit, admin_unit2, market }: MarketEntry,
  ): boolean {
    const { columns } = this;
    return (
      record[columns.market] === market &&
      record[columns.admin_unit] === admin_unit &&
      (columns.admin_unit2 < 0 || record[columns.admin_unit2] === admin_unit2) &&
      this.countryOf(record) === country
    );
  }

  private findSeries(record: string[], batch: PriceBatch): MarketSeries {
    const { columns } = this;
    const admin_unit2 = columns.admin_unit2 >= 0 ? record[columns.admin_unit2]! : '';
    const name = `${this.countryOf(record)}\n${record[columns.admin_unit]}\n${admin_unit2}\n${record[columns.market]}`;
    let market = this.markets.get(name);
    if (market === undefined) this.markets.set(name, (market = this.readMarket(record, batch)));
    const key = `${record[columns.commodity]}\n${record[columns.unit]}\n${record[columns.type]}\n${record[columns.currency]}`;
    let series = market.series.get(key);
    if (series === undefined) {
      series = {
        commodity: copyString(record[columns.commodity]!),
        unit: copyString(record[columns.unit]!),
        type: copyString(record[columns.type]!),
        currency: copyString(record[columns.currency]!),
        market,
        descriptor:
          'reason' in market.location ? market.location : this.describe(record, market, market.location),
        next: null,
      };
      market.series.set(key, series);
    }
    return series;
  }

  /** The country as in a row; the same for all rows where the file has one country. */
  private countryOf(record: string[]): string {
    const { iso3, countryName } = this.columns;
    return this.country ?? (iso3 >= 0 ? record[iso3]! : countryName >= 0 ? record[countryName]! : '');
  }

  /** Reads the market of a row. The first row of a market determines its values. */
  private readMarket(record: string[], batch: PriceBatch): MarketEntry {
    const { columns } = this;
    return {
      country: copyString(this.countryOf(record)),
      admin_unit: copyString(record[columns.admin_unit]!),
      admin_unit2: columns.admin_unit2 >= 0 ? copyString(record[columns.admin_unit2]!) : '',
      market: copyString(record[columns.market]!),
      code: columns.code >= 0 ? record[columns.code]! : '',
      location: this.readLocation(record, batch),
      series: new Map(),
    };
  }

  private readLocation(record: string[], batch: PriceBatch): MarketLocation | RowViolation {
    const { columns } = this;
    const country = this.countryOf(record);
    const readIso3 = columns.iso3 >= 0 || this.country !== null ? readCountry : countryByName;
    const iso3 = readIso3(country, 'countryiso3');
    if ('reason' in iso3) return iso3;
    const latitude = readCoordinate('latitude', record[columns.latitude], 90);
    if ('reason' in latitude) return latitude;
    const longitude = readCoordinate('longitude', record[columns.longitude], 180);
    if ('reason' in longitude) return longitude;
    batch.rounded += Number(latitude.rounded ?? false) + Number(longitude.rounded ?? false);
    return { iso3: iso3.value, latitude: latitude.value, longitude: longitude.value };
  }

  private describe(
    record: string[],
    market: MarketEntry,
    location: MarketLocation,
  ): SeriesDescriptor | RowViolation {
    const { columns } = this;
    const currency = readCurrency(record[columns.currency]!, columns.date >= 0 ? 'currency' : 'cur_name');
    if ('reason' in currency) return currency;
    return createSeriesDescriptor(
      {
        iso3: location.iso3,
        admin_unit: market.admin_unit,
        admin_unit2: market.admin_unit2,
        market: market.market,
        code: market.code,
        latitude: location.latitude,
        longitude: location.longitude,
        commodity: record[columns.commodity]!,
        category: columns.category >= 0 ? record[columns.category]! : '',
        price_type: record[columns.type]!,
        measure_unit: record[columns.unit]!,
        currency: currency.value,
      },
      this.layout.columnNames,
      this.source,
      hsCodeOf,
    );
  }

  /** The country of the whole file; null where a column has it. */
  private countryOfFile(): string | null {
    if (this.columns.iso3 >= 0) return null;
    if (this.options.country !== undefined) {
      const iso3 = readCountry(this.options.country, '--country');
      if ('reason' in iso3) throw new ImportRejected(iso3.detail);
      return iso3.value;
    }
    if (this.columns.countryName >= 0) return null;
    const tokens = (this.options.fileName ?? '').split(/[^A-Za-z]+/).map((token) => token.toUpperCase());
    const codes = new Set(tokens.filter(isCountryCode));
    const [only] = codes;
    if (codes.size === 1) return only!;
    throw new ImportRejected(
      `The input does not name its country. Specify its three-letter code with ${COUNTRY_OPTION}.`,
    );
  }
}

/** Whether a row holds HXL tags (`#date`, `#adm1+name`, …), as in older files below the header. */
function isTagRow(record: string[]): boolean {
  return (
    record.some((field) => field !== '') && record.every((field) => field === '' || field.startsWith('#'))
  );
}

function dayOfMonth(year: string, month: string): number | null {
  if (!/^\s*[1-9]\d{3}\s*$/.test(year) || !/^\s*(0?[1-9]|1[0-2])\s*$/.test(month)) return null;
  return dayOf(Number(year), Number(month), 1);
}

const countryByName: FieldReader<string> = (name) => {
  const iso3 = isTooLongToNormalize(name, MAX_LENGTHS.country_name) ? null : iso3OfName(name);
  if (iso3 !== null) return { value: iso3 };
  const detail = `${quoteValue(name)} is not a known country name. Specify its code with ${COUNTRY_OPTION}.`;
  return { field: 'adm0_name', reason: 'unknown_country', detail };
};

/** Reads a latitude or longitude in degrees; null where it is blank or has no column. */
function readCoordinate(field: string, text = '', max: number): ReadValue<number | null> | RowViolation {
  return text.trim() === '' ? { value: null } : numberBetween(-max, max)(text, field);
}
