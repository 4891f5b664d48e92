import { isTagRow } from './tag-row.js';
import { iso3OfForeignName, iso3OfName, nearestCountry } from '../../lib/codes/countries.js';
import {
  dayOf,
  firstDayOfMonth,
  isoFromDay,
  lastDayOfMonth,
  monthOf,
} from '../../lib/dates/calendar-date.js';
import { MONTHLY, type Period, type PeriodName } from '../../price-series/periodicity.js';
import { hsCodeOf } from '../crosswalks/hs-codes.js';
import { isMissingName, isMissingValue } from '../../lib/text/missing-values.js';
import { normalizeText, isTooLongToNormalize } from '../../lib/text/normalize-text.js';
import { ImportRejected, type RowViolation } from './batch.js';
import { CommentReader } from './comment-reader.js';
import { Convention, type ConventionColumns, type ConventionOptions } from './convention/convention.js';
import { MonthlyDates } from './convention/monthly-dates.js';
import type { TableFile } from '../tables/table-file.js';
import {
  copyString,
  countryText,
  createSeriesDescriptor,
  MAX_LENGTHS,
  PERIOD_CODES,
  PriceBatch,
  type RawSeries,
  type SeriesDescriptor,
} from './series.js';
import { optionHint } from './option-hint.js';
import { isMonth } from './other-words.js';
import type { ReplacedValue } from './replaced-values.js';
import { COUNTRY_OPTION, countryOfOption, COUNTRY_QUESTION, otherCountry } from './country-option.js';
import { countryOfFileName } from './wfp-file-name.js';
import { detectLayout, splitCommodity } from './wfp-layout.js';
import {
  codeUpTo,
  readCountry,
  readCurrencyOf,
  dateViolation,
  readDay,
  numberBetween,
  readQuantity,
  quoteValue,
  textViolation,
  type FieldReader,
  type ReadValue,
} from './values.js';

/** The source of WFP's prices in all layouts, so that a series has one uuid in all of them. */
const WFP_SOURCE = 'World Food Programme (WFP)';
/** Where WFP publishes its prices, and under which licence: the Humanitarian Data Exchange. */
const WFP_ADDRESS = 'https://data.humdata.org/dataset/global-wfp-food-prices';
const WFP_LICENSE = 'CC BY-IGO';

export interface WfpOptions extends ConventionOptions {
  /** Alpha-3 code of all rows. */
  readonly country?: string | undefined;
  /** Source to store in place of WFP. */
  readonly source?: string | undefined;
  /** Frequency of the prices, required where they are not dated the 15th. */
  readonly period?: PeriodName | undefined;
  /** Also reads forecasts. */
  readonly includeForecast?: boolean | undefined;
  /** Name or address of the file, which has the country where WFP has given it. */
  readonly fileName?: string | undefined;
}

type MarketLocation = Pick<RawSeries, 'iso3' | 'latitude' | 'longitude'>;

/** A market as in its first row, with its series found so far. */
interface MarketEntry {
  readonly country: string;
  readonly admin_unit: string;
  readonly admin_unit2: string;
  readonly market: string;
  /** The texts of its series that it has, without marks for missing values. */
  readonly texts: Pick<RawSeries, 'market' | 'admin_unit' | 'admin_unit2' | 'code'>;
  /** Its values that were read as others. */
  readonly replaced: readonly ReplacedValue[];
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
  /** That of its forecasts, once a row has one. */
  forecast: SeriesDescriptor | null;
  /** The values of it and its market that were read as others. */
  readonly replaced: readonly ReplacedValue[];
  /** The series of the row that followed last time. */
  next: MarketSeries | null;
}

/** Prices dated the 15th are monthly prices. */
const MONTHLY_DAY = 15;

/**
 * Reads WFP's price files in any of their layouts.
 * @throws ImportRejected for any other layout, an unknown country, or dates that need a period
 */
export async function* readWfp(file: TableFile, options: WfpOptions): AsyncGenerator<PriceBatch> {
  const reader = new WfpReader(file, options);
  const batches = file.read(
    () => new PriceBatch(reader.layout.priceColumn),
    new Convention(file, conventionColumns(file.header, reader.layout), options),
    (record, line, batch) => reader.read(record, line, batch),
    reader.layout.minFields,
  );
  // No price is yielded before it is clear whether prices are monthly.
  yield* reader.dates.guard(batches);
}

class WfpReader {
  readonly dates: MonthlyDates;
  readonly layout: ReturnType<typeof detectLayout>;
  private readonly columns: ReturnType<typeof detectLayout>['columns'];
  private readonly period: Period;
  private readonly source: SeriesDescriptor['source'];
  /** The country of all rows, or null where only a column has it. */
  private readonly country: string | null;

  private readonly markets = new Map<string, MarketEntry>();
  /** The series of the previous row. */
  private previous: MarketSeries | null = null;

  private dateText = '';
  private day: number | null = null;
  private readonly comments = new CommentReader('mp_commoditysource');
  private mayHaveTagRow = true;

  constructor(
    file: TableFile,
    private readonly options: WfpOptions,
  ) {
    this.layout = detectLayout(file.header);
    this.columns = this.layout.columns;
    this.period = PERIOD_CODES.get(options.period ?? 'monthly')!;
    this.dates = new MonthlyDates('prices', options.period, { mayBeQuarterly: false, allowsAnyDay: true });
    const source = normalizeText(options.source ?? WFP_SOURCE, MAX_LENGTHS.source);
    const violation = textViolation(optionHint('source'), source, MAX_LENGTHS.source, true);
    if (violation) throw new ImportRejected(violation.detail);
    this.source =
      options.source === undefined
        ? { name: WFP_SOURCE, url: WFP_ADDRESS, license: WFP_LICENSE }
        : { name: source, url: '', license: '' };
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
        : this.readMonthColumns(record[columns.year]!, record[columns.month]!);
    if (day === null)
      return columns.date >= 0
        ? dateViolation('date', record[columns.date]!)
        : dateViolation('mp_month', `${record[columns.year]}-${record[columns.month]}`);

    const price = readQuantity(record[columns.price]!, priceColumn);
    if ('reason' in price) return price;
    const found = this.seriesOf(record, batch);
    if ('reason' in found.descriptor) return found.descriptor;
    const series = isForecast
      ? (found.forecast ??= { ...found.descriptor, status: 'forecast' })
      : found.descriptor;
    const comment = columns.comment < 0 ? '' : this.comments.read(record[columns.comment]!, batch);
    if (typeof comment !== 'string') return comment;
    if (found.replaced.length > 0) batch.replaced.addAll(found.replaced);
    if (price.rounded) batch.rounded++;
    batch.rows.push({
      line,
      series,
      period: this.period,
      day,
      value: price.value,
      comment,
      calculated: false,
    });
  }

  /**
   * The day a price is stored under.
   * @throws ImportRejected for a day other than the 15th where no period is specified
   */
  private readDateColumn(text: string): number | null {
    if (text === this.dateText) return this.day;
    const written = text.trim();
    // A month without a day is one of monthly prices.
    if (isMonth(written) && this.period !== MONTHLY) return null;
    const read = readDay(isMonth(written) ? `${written}-15` : written, 'date');
    if ('reason' in read) return null;
    const day = read.value;
    const month = firstDayOfMonth(monthOf(day));
    if (this.options.period === undefined && day - month + 1 !== MONTHLY_DAY) {
      // Offices date monthly prices the first or the last day of the month.
      const isEnd = day === month || day === lastDayOfMonth(monthOf(day));
      const periods = isEnd ? ['monthly', 'daily', 'weekly'] : ['daily', 'weekly', 'monthly'];
      throw new ImportRejected(
        `A price is dated ${text}, but WFP dates monthly prices the 15th. Specify ` +
          `${optionHint('period', periods)}.`,
      );
    }
    this.dateText = text;
    this.day = this.period === MONTHLY ? month : day;
    this.dates.add(isoFromDay(day));
    return this.day;
  }

  private readMonthColumns(year: string, month: string): number | null {
    const day = dayOfMonth(year, month);
    if (day !== null && !this.dates.isDecided) this.dates.add(isoFromDay(day));
    return day;
  }

  /**
   * The series of a row. Files repeat the same list of series date by date, so the series that
   * followed last time is compared first: a lookup has to build a key from many columns.
   */
  private seriesOf(record: string[], batch: PriceBatch): MarketSeries {
    const expected = this.previous?.next ?? null;
    const series =
      expected !== null && this.matchesSeries(record, expected) && this.matchesMarket(record, expected.market)
        ? expected
        : this.findSeries(record, batch);
    if (this.previous !== null) this.previous.next = series;
    this.previous = series;
    return series;
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
      const replaced = [...market.replaced];
      series = {
        commodity: copyString(record[columns.commodity]!),
        unit: copyString(record[columns.unit]!),
        type: copyString(record[columns.type]!),
        currency: copyString(record[columns.currency]!),
        market,
        descriptor:
          'reason' in market.location
            ? market.location
            : this.describe(record, market, market.location, replaced),
        forecast: null,
        replaced,
        next: null,
      };
      market.series.set(key, series);
    }
    return series;
  }

  /** The country as in a row; blank where no column has it. */
  private countryOf(record: string[]): string {
    const { iso3, countryName } = this.columns;
    return iso3 >= 0 ? record[iso3]! : countryName >= 0 ? record[countryName]! : '';
  }

  /** Reads the market of a row. The first row of a market determines its values. */
  private readMarket(record: string[], batch: PriceBatch): MarketEntry {
    const { columns } = this;
    const replaced: ReplacedValue[] = [];
    const columnOf = (index: number) => (index < 0 ? '' : record[index]!);
    const { admin_unit, admin_unit2, code, market } = this.layout.columnNames;
    return {
      country: copyString(this.countryOf(record)),
      admin_unit: copyString(record[columns.admin_unit]!),
      admin_unit2: columns.admin_unit2 >= 0 ? copyString(record[columns.admin_unit2]!) : '',
      market: copyString(record[columns.market]!),
      texts: {
        market: withoutMark(record[columns.market]!, market, replaced, isMissingName),
        admin_unit: withoutMark(columnOf(columns.admin_unit), admin_unit, replaced),
        admin_unit2: withoutMark(columnOf(columns.admin_unit2), admin_unit2, replaced),
        code: readMarketCode(withoutMark(columnOf(columns.code), code, replaced), code, replaced),
      },
      location: this.readLocation(record, batch, replaced),
      replaced,
      series: new Map(),
    };
  }

  private readLocation(
    record: string[],
    batch: PriceBatch,
    replaced: ReplacedValue[],
  ): MarketLocation | RowViolation {
    const { columns } = this;
    const iso3 = this.readCountryOf(record);
    if ('reason' in iso3) return iso3;
    const latitude = readCoordinate('latitude', record[columns.latitude], 90, replaced);
    if ('reason' in latitude) return latitude;
    const longitude = readCoordinate('longitude', record[columns.longitude], 180, replaced);
    if ('reason' in longitude) return longitude;
    batch.rounded += Number(latitude.rounded ?? false) + Number(longitude.rounded ?? false);
    if (iso3.replaced && columns.iso3 >= 0)
      replaced.push(replacedValue(this.layout.countryColumn, this.countryOf(record), iso3));
    return { iso3: iso3.value, latitude: latitude.value, longitude: longitude.value };
  }

  /** The country of a row. One that is not that of the option is rejected, not moved. */
  private readCountryOf(record: string[]): ReadValue<string> | RowViolation {
    const { columns, country } = this;
    const text = this.countryOf(record);
    const isName = columns.iso3 < 0;
    if (country !== null && text.trim() === '') return { value: country };
    const field = this.layout.countryColumn;
    const read = isName ? countryByName(text, field) : readCountry(text, field);
    if (country === null) return read;
    if ('reason' in read) return isName ? { value: country } : read;
    if (read.value === country) return read;
    return otherCountry(field, read.value, country);
  }

  /** @param replaced takes what was read as something else */
  private describe(
    record: string[],
    market: MarketEntry,
    location: MarketLocation,
    replaced: ReplacedValue[],
  ): SeriesDescriptor | RowViolation {
    const { columns } = this;
    const { columnNames, currencyColumn } = this.layout;
    const currency = readCurrencyOf(record[columns.currency]!, currencyColumn, location.iso3);
    if ('reason' in currency) return currency;
    if (currency.replaced) replaced.push(replacedValue(currencyColumn, record[columns.currency]!, currency));
    const category = columns.category >= 0 ? record[columns.category]! : '';
    const unit = record[columns.unit]!;
    const names = this.layout.hasTypeInName
      ? splitCommodity(record[columns.commodity]!)
      : { commodity: record[columns.commodity]!, type: record[columns.type]! };
    if (names === null) return withoutType(record[columns.commodity]!);
    const named = columns.iso3 >= 0 ? null : countryText(this.countryOf(record));
    const series = createSeriesDescriptor(
      {
        iso3: location.iso3,
        ...market.texts,
        latitude: location.latitude,
        longitude: location.longitude,
        commodity: withoutMark(names.commodity, columnNames.commodity, replaced, isMissingName),
        category: withoutMark(category, columnNames.category, replaced),
        price_type: withoutMark(names.type, columnNames.price_type, replaced),
        measure_unit: withoutMark(unit, columnNames.measure_unit, replaced),
        currency: currency.value,
      },
      columnNames,
      this.source,
      hsCodeOf,
    );
    return 'reason' in series || named === null ? series : { ...series, country_text: copyString(named) };
  }

  /** The country of the whole file; null where only a column has it. */
  private countryOfFile(): string | null {
    const named = countryOfOption(this.options.country);
    if (named !== null) return named;
    if (this.columns.iso3 >= 0 || this.columns.countryName >= 0) return null;
    const iso3 = countryOfFileName(this.options.fileName ?? '');
    if (iso3 !== null) return iso3;
    throw new ImportRejected(`${COUNTRY_QUESTION} Specify it with ${optionHint('country', ['CODE'])}.`);
  }
}

/** The columns of a layout with numbers and dates. */
function conventionColumns(
  header: readonly string[],
  { columns }: ReturnType<typeof detectLayout>,
): ConventionColumns {
  const named = (...indexes: number[]) => indexes.flatMap((index) => header[index] ?? []);
  return {
    numbers: named(columns.price),
    smallNumbers: named(columns.latitude, columns.longitude),
    dates: named(columns.date),
    hasPoint: true,
  };
}

function dayOfMonth(year: string, month: string): number | null {
  if (!/^\s*[1-9]\d{3}(\.0+)?\s*$/.test(year) || !/^\s*(0?[1-9]|1[0-2])(\.0+)?\s*$/.test(month)) return null;
  return dayOf(Number(year), Number(month), 1);
}

const withoutType = (text: string): RowViolation => {
  const detail = `cmname must end with the price type, as in "Rice - Retail", not be ${quoteValue(text)}.`;
  return { field: 'cmname', reason: 'invalid_text', detail };
};

const countryByName: FieldReader<string> = (name, field) => {
  const isLong = isTooLongToNormalize(name, MAX_LENGTHS.country_name);
  const iso3 = isLong ? null : (iso3OfName(name) ?? iso3OfForeignName(name));
  if (iso3 !== null) return { value: iso3 };
  const nearest = isLong ? null : nearestCountry(name);
  const hint =
    nearest === null
      ? `If all rows are of one country, specify its code with ${COUNTRY_OPTION}`
      : `Probably ${nearest.name} (${nearest.iso3}) is meant`;
  const detail = `${quoteValue(name)} is not a known country name. ${hint}.`;
  return { field, reason: 'unknown_country', detail };
};

const replacedValue = (column: string, text: string, { value }: ReadValue<string>): ReplacedValue => ({
  column,
  value: copyString(text.trim()),
  read_as: copyString(value),
});

/** A text; blank where it is a mark for a missing value. @param replaced takes the mark */
function withoutMark(
  text: string,
  column: string,
  replaced: ReplacedValue[],
  isMissing: (text: string) => boolean = isMissingValue,
): string {
  if (!isMissing(text.trim())) return text;
  replaced.push(replacedValue(column, text, { value: '' }));
  return '';
}

/** A market's number without decimals. @param replaced takes one that had some */
function readMarketCode(text: string, column: string, replaced: ReplacedValue[]): string {
  const read = codeUpTo(MAX_LENGTHS.code)(text, column);
  if ('reason' in read || !read.replaced) return text;
  replaced.push(replacedValue(column, text, read));
  return read.value;
}

/** Reads a latitude or longitude in degrees; null where it is blank or has no column. */
function readCoordinate(
  field: string,
  written = '',
  max: number,
  replaced: ReplacedValue[],
): ReadValue<number | null> | RowViolation {
  const text = withoutMark(written, field, replaced);
  return text.trim() === '' ? { value: null } : numberBetween(-max, max)(text, field);
}
