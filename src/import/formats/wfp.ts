import { iso3OfName, isCountryCode } from '../../common/codes/countries.js';
import { dayOf, firstDayOfMonth, monthOf } from '../../common/dates/calendar-date.js';
import { MONTHLY, type Period, type PeriodName } from '../../price-series/periodicity.js';
import { FORECAST_COMMENT } from '../../prices/forecast.js';
import { hsCodeOf } from '../names/hs-codes.js';
import { cleanText, isFarTooLong } from '../../common/text/clean-text.js';
import { ImportRejected, type RowFault } from './batch.js';
import { Comments } from './comments.js';
import { columnCountFault, rejectUnreadable, type CsvFile, type CsvRecords } from './csv.js';
import {
  describeSeries,
  LENGTHS,
  ownCopy,
  PERIOD_CODES,
  PriceBatch,
  type Columns,
  type SeriesDescriptor,
} from './series.js';
import { layoutOf, type Positions } from './wfp-layout.js';
import {
  amountFault,
  countryFault,
  currencyFault,
  dateFault,
  numberFault,
  readCountry,
  readCurrency,
  readDay,
  readNumber,
  shown,
  textFault,
} from './values.js';

/** The source of WFP's prices, the same for all of their layouts, so that the same series is one series. */
const WFP_SOURCE = 'World Food Programme (WFP)';

export interface WfpOptions {
  /** Alpha-3 code for files that do not say their country. */
  readonly country?: string | undefined;
  /** Another source than WFP. */
  readonly source?: string | undefined;
  /** What the prices are, where they are not dated the 15th. */
  readonly period?: PeriodName | undefined;
  /** Reads forecasts too. */
  readonly includeForecast?: boolean | undefined;
  /** The file's name, which may hold its country's code. */
  readonly fileName?: string | undefined;
}

/** A market as its first row gives it, with what was found to be sold there so far. */
interface MarketOfFile {
  readonly country: string;
  readonly admin_unit: string;
  readonly admin_unit2: string;
  readonly market: string;
  readonly iso3: string;
  readonly code: string;
  readonly latitude: number | null;
  readonly longitude: number | null;
  readonly fault: RowFault | null;
  readonly offers: Map<string, Offer>;
}

/** What is sold in a market at one kind of price, as its first row gives it. */
interface Offer {
  readonly commodity: string;
  readonly unit: string;
  readonly type: string;
  readonly currency: string;
  readonly place: MarketOfFile;
  readonly series: SeriesDescriptor | RowFault;
  /** What came after it the last time. */
  next: Offer | null;
}

/** How the country of a file is given, for messages. */
const COUNTRY_OPTION = '--country (over HTTP: country=)';
/** Prices dated the 15th stand for their month. */
const MONTHLY_DAY = 15;
/** Rows that wait until the second date of a file shows whether all are the 15th of a month. */
const LOOK_AHEAD = 100_000;

/**
 * Reads WFP's price files, whichever of their layouts it is.
 * @throws ImportRefused for another layout, an unknown country, or days that need a period
 */
export async function* readWfp(file: CsvFile, options: WfpOptions): AsyncGenerator<PriceBatch> {
  const reader = new WfpReader(file, options);
  let waiting: PriceBatch[] | null = options.period === undefined ? [] : null;
  let rows = 0;
  for await (const records of file.batches()) {
    const batch = reader.read(records);
    if (waiting === null) {
      yield batch;
      continue;
    }
    // Whether the prices are monthly is decided before the first of them is given out.
    waiting.push(batch);
    rows += batch.rows.length;
    if (reader.sawSecondDate || rows > LOOK_AHEAD) {
      yield* waiting;
      waiting = null;
    }
  }
  if (waiting !== null) yield* waiting;
}

class WfpReader {
  sawSecondDate = false;
  private readonly at: Positions;
  private readonly columns: number;
  private readonly names: Columns;
  private readonly priceColumn: string;
  private readonly period: Period;
  private readonly source: SeriesDescriptor['source'];
  /** The country of all rows, or null where each says its own. */
  private readonly country: string | null;
  private readonly decimalComma: boolean;

  private readonly markets = new Map<string, MarketOfFile>();
  /** Of the row before. */
  private offer: Offer | null = null;

  private firstDate: string | null = null;
  private dateText = '';
  private day: number | null = null;
  private readonly comments = new Comments('mp_commoditysource');
  private lookForTags = true;

  constructor(
    file: CsvFile,
    private readonly options: WfpOptions,
  ) {
    ({ at: this.at, names: this.names, priceColumn: this.priceColumn } = layoutOf(file.header));
    this.columns = file.header.length;
    this.decimalComma = file.delimiter === ';';
    this.period = PERIOD_CODES.get(options.period ?? 'monthly')!;
    const source = cleanText(options.source ?? WFP_SOURCE, LENGTHS.source);
    const fault = textFault('--source', source, LENGTHS.source, true);
    if (fault) throw new ImportRejected(fault.detail);
    this.source = { name: source, url: '', license: '' };
    this.country = this.countryOfFile();
  }

  read({ records, lines, ...rest }: CsvRecords): PriceBatch {
    const batch = new PriceBatch(this.priceColumn);
    batch.read = records.length;
    rejectUnreadable(batch, { records, lines, ...rest });
    for (let index = 0; index < records.length; index++)
      this.readRecord(records[index]!, lines[index]!, batch);
    return batch;
  }

  private readRecord(record: string[], line: number, batch: PriceBatch): void {
    const at = this.at;
    if (record.length !== this.columns) {
      batch.reject(line, columnCountFault(this.columns, record.length));
      return;
    }
    if (this.lookForTags) {
      this.lookForTags = false;
      if (isTagRow(record)) return batch.skip('hxl_tags');
    }
    const forecast = at.flag >= 0 && record[at.flag]!.toLowerCase().includes('forecast');
    if (forecast && !this.options.includeForecast) return batch.skip('forecast');

    const day =
      at.date >= 0 ? this.dayOfDate(record[at.date]!) : dayOfMonth(record[at.year]!, record[at.month]!);
    if (day === null) {
      return batch.reject(
        line,
        at.date >= 0
          ? dateFault('date', record[at.date]!)
          : dateFault('mp_month', `${record[at.year]}-${record[at.month]}`),
      );
    }

    const text = this.decimalComma ? record[at.price]!.replace(',', '.') : record[at.price]!;
    const price = readNumber(text);
    if (price === null) return batch.reject(line, numberFault(this.priceColumn, record[at.price]!));
    const fault = amountFault(this.priceColumn, price.value, record[at.price]!);
    if (fault !== null) return batch.reject(line, fault);

    const series = this.seriesOf(record, batch);
    if ('reason' in series) return batch.reject(line, series);
    const comment = at.comment < 0 ? '' : this.comments.read(record[at.comment]!);
    if (typeof comment !== 'string') return batch.reject(line, comment);
    if (price.rounded) batch.rounded++;
    batch.rows.push({
      line,
      series,
      period: this.period,
      day,
      value: price.value,
      comment: forecast ? FORECAST_COMMENT : comment,
      calculated: false,
      forecast,
    });
  }

  /**
   * The day under which a price is stored.
   * @throws ImportRefused for a day that is not the 15th where no period was given
   */
  private dayOfDate(text: string): number | null {
    if (text === this.dateText) return this.day;
    const day = readDay(text.trim());
    this.firstDate ??= text;
    if (text !== this.firstDate) this.sawSecondDate = true;
    if (day === null) return null;
    const month = firstDayOfMonth(monthOf(day));
    if (this.options.period === undefined && day - month + 1 !== MONTHLY_DAY) {
      throw new ImportRejected(
        `A price is dated ${text}, not the 15th as monthly prices are: say what they are with ` +
          '--period daily or --period weekly (over HTTP: period=daily or period=weekly).',
      );
    }
    this.dateText = text;
    this.day = this.period === MONTHLY ? month : day;
    return this.day;
  }

  /**
   * The series of a row. Files repeat a list of markets and what is sold there date by date, so what came next the last time is
   * compared first: to look it up, its name would have to be put together.
   */
  private seriesOf(record: string[], batch: PriceBatch): SeriesDescriptor | RowFault {
    const expected = this.offer?.next ?? null;
    const offer =
      expected !== null && this.isOffer(record, expected) && this.isMarket(record, expected.place)
        ? expected
        : this.findOffer(record, batch);
    if (this.offer !== null) this.offer.next = offer;
    this.offer = offer;
    return offer.series;
  }

  private isOffer(record: string[], { commodity, unit, type, currency }: Offer): boolean {
    const at = this.at;
    return (
      record[at.commodity] === commodity &&
      record[at.unit] === unit &&
      record[at.type] === type &&
      record[at.currency] === currency
    );
  }

  private isMarket(record: string[], { country, admin_unit, admin_unit2, market }: MarketOfFile): boolean {
    const at = this.at;
    return (
      record[at.market] === market &&
      record[at.admin_unit] === admin_unit &&
      (at.admin_unit2 < 0 || record[at.admin_unit2] === admin_unit2) &&
      this.countryOf(record) === country
    );
  }

  private findOffer(record: string[], batch: PriceBatch): Offer {
    const at = this.at;
    const admin_unit2 = at.admin_unit2 >= 0 ? record[at.admin_unit2]! : '';
    const name = `${this.countryOf(record)}\n${record[at.admin_unit]}\n${admin_unit2}\n${record[at.market]}`;
    let place = this.markets.get(name);
    if (place === undefined) this.markets.set(name, (place = this.placeOf(record, batch)));
    const key = `${record[at.commodity]}\n${record[at.unit]}\n${record[at.type]}\n${record[at.currency]}`;
    let offer = place.offers.get(key);
    if (offer === undefined) {
      offer = {
        commodity: ownCopy(record[at.commodity]!),
        unit: ownCopy(record[at.unit]!),
        type: ownCopy(record[at.type]!),
        currency: ownCopy(record[at.currency]!),
        place,
        series: place.fault ?? this.describe(record, place),
        next: null,
      };
      place.offers.set(key, offer);
    }
    return offer;
  }

  /** What a row calls its country; the same for all rows where the file has one. */
  private countryOf(record: string[]): string {
    const { iso3, countryName } = this.at;
    return this.country ?? (iso3 >= 0 ? record[iso3]! : countryName >= 0 ? record[countryName]! : '');
  }

  /** Reads what a row says about its market; the first row of a market decides. */
  private placeOf(record: string[], batch: PriceBatch): MarketOfFile {
    const at = this.at;
    const country = this.countryOf(record);
    const iso3 = this.country ?? (at.iso3 >= 0 ? readCountry(country) : countryNamed(country));
    const latitude = at.latitude < 0 ? null : coordinate('latitude', record[at.latitude]!, 90);
    const longitude = at.longitude < 0 ? null : coordinate('longitude', record[at.longitude]!, 180);
    const place: MarketOfFile = {
      country: ownCopy(country),
      admin_unit: ownCopy(record[at.admin_unit]!),
      admin_unit2: at.admin_unit2 >= 0 ? ownCopy(record[at.admin_unit2]!) : '',
      market: ownCopy(record[at.market]!),
      iso3: iso3 ?? '',
      code: at.code >= 0 ? record[at.code]! : '',
      latitude: null,
      longitude: null,
      fault: null,
      offers: new Map(),
    };
    if (iso3 === null) {
      return {
        ...place,
        fault: at.iso3 >= 0 ? countryFault('countryiso3', country) : unknownCountry(country),
      };
    }
    if (latitude !== null && 'reason' in latitude) return { ...place, fault: latitude };
    if (longitude !== null && 'reason' in longitude) return { ...place, fault: longitude };
    batch.rounded += Number(latitude?.rounded ?? false) + Number(longitude?.rounded ?? false);
    return { ...place, latitude: latitude?.value ?? null, longitude: longitude?.value ?? null };
  }

  private describe(record: string[], place: MarketOfFile): SeriesDescriptor | RowFault {
    const at = this.at;
    const currency = readCurrency(record[at.currency]!);
    if (currency === null) return currencyFault(at.date >= 0 ? 'currency' : 'cur_name', record[at.currency]!);
    return describeSeries(
      {
        iso3: place.iso3,
        admin_unit: place.admin_unit,
        admin_unit2: place.admin_unit2,
        market: place.market,
        code: place.code,
        latitude: place.latitude,
        longitude: place.longitude,
        commodity: record[at.commodity]!,
        category: at.category >= 0 ? record[at.category]! : '',
        price_type: record[at.type]!,
        measure_unit: record[at.unit]!,
        currency,
      },
      this.names,
      this.source,
      hsCodeOf,
    );
  }

  /** The country that holds for the whole file; null where a column gives it. */
  private countryOfFile(): string | null {
    if (this.at.iso3 >= 0) return null;
    if (this.options.country !== undefined) {
      const iso3 = readCountry(this.options.country);
      if (iso3 === null) throw new ImportRejected(countryFault('--country', this.options.country).detail);
      return iso3;
    }
    if (this.at.countryName >= 0) return null;
    const tokens = (this.options.fileName ?? '').split(/[^A-Za-z]+/).map((token) => token.toUpperCase());
    const codes = new Set(tokens.filter(isCountryCode));
    const [only] = codes;
    if (codes.size === 1) return only!;
    throw new ImportRejected(
      `The input does not say its country: give its three-letter code with ${COUNTRY_OPTION}.`,
    );
  }
}

/** A row of HXL tags (`#date`, `#adm1+name`, …), which older files have below the header. */
function isTagRow(record: string[]): boolean {
  return (
    record.some((field) => field !== '') && record.every((field) => field === '' || field.startsWith('#'))
  );
}

function dayOfMonth(year: string, month: string): number | null {
  if (!/^\s*[1-9]\d{3}\s*$/.test(year) || !/^\s*(0?[1-9]|1[0-2])\s*$/.test(month)) return null;
  return dayOf(Number(year), Number(month), 1);
}

function countryNamed(name: string): string | null {
  return isFarTooLong(name, LENGTHS.country_name) ? null : iso3OfName(name);
}

function unknownCountry(name: string): RowFault {
  const detail = `${shown(name)} is no known country: give its code with ${COUNTRY_OPTION}.`;
  return { field: 'adm0_name', reason: 'unknown_country', detail };
}

/** A latitude or longitude in degrees; null where it is blank. */
function coordinate(field: string, text: string, most: number) {
  if (text.trim() === '') return null;
  const number = readNumber(text);
  if (number === null) return numberFault(field, text);
  return Math.abs(number.value) <= most
    ? number
    : { field, reason: 'out_of_range', detail: `${field} must be from -${most} to ${most}.` };
}
