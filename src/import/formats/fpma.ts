import { countryName } from '../../common/codes/countries.js';
import { unitMeaning, type UnitMeaning } from '../../common/codes/measure-units.js';
import { monthOf, firstDayOfMonth } from '../../common/dates/calendar-date.js';
import { toSignificantDigits } from '../../common/numbers/significant-digits.js';
import { MONTHLY } from '../../price-series/periodicity.js';
import { hsCodeOf } from '../names/hs-codes.js';
import { cleanText } from '../../common/text/clean-text.js';
import { ImportRejected, type Batch, type RowFault } from './batch.js';
import { jsonElements, NotJsonObjects } from './json-elements.js';
import {
  LENGTHS,
  PERIOD_CODES,
  PriceBatch,
  SeriesBatch,
  type KnownSeries,
  type MarketTexts,
  type SeriesDescriptor,
} from './series.js';
import { importTables, RecordBatch } from './table-rows.js';
import {
  amountFault,
  countryFault,
  currencyFault,
  dateFault,
  readCountry,
  readCurrency,
  readDay,
  shown,
  textFault,
} from './values.js';

/** One line on what the reader takes, for refusals. */
export const FPMA_KNOWN =
  "JSON of FAO's FPMA tool: an envelope with results, an array, or an object a line, of markets (market_name, …), " +
  'series (uuid, market_name, commodity_name, periodicity, …) or prices (uuid, datapoints)';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
/** FPMA's code of a commodity is its HS code with a number that makes it unique. */
const COMMODITY_CODE = /^(\d{2}|\d{4}|\d{6}|\d{8}|\d{10}|\d{12})(?:_\d+)?$/;
const AVERAGE = /\baverage\b/i;

type Element = Readonly<Record<string, unknown>>;

/** A fault found while an element is read; caught where the element is rejected. */
class Faulty extends Error {
  constructor(readonly fault: RowFault) {
    super(fault.detail);
  }
}

/**
 * Reads JSON of the FPMA tool. Of a price list each datapoint counts as a row; `line` is the number of the element in its list.
 * @throws ImportRefused for anything else
 */
export async function* readFpma(
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<PriceBatch | SeriesBatch | RecordBatch> {
  let line = 0;
  let known = false;
  try {
    for await (const texts of jsonElements(chunks)) {
      for (const text of texts) {
        line++;
        const batch = readElement(parse(text), line);
        known ||= batch.rows.length > 0 || batch.rejects.some(({ reason }) => reason !== 'unknown_element');
        // The first element decides whether this is FPMA's at all.
        if (!known) throw refusal();
        yield batch;
      }
    }
  } catch (error) {
    throw !known && error instanceof NotJsonObjects ? refusal() : error;
  }
  if (!known) throw refusal();
}

const refusal = () => new ImportRejected(`The input is not of the format fpma. It takes ${FPMA_KNOWN}.`);

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function readElement(element: unknown, line: number): PriceBatch | SeriesBatch | RecordBatch {
  if (typeof element === 'object' && element !== null && !Array.isArray(element)) {
    const fields = element as Element;
    if ('datapoints' in fields) return readPrices(fields, line);
    if ('uuid' in fields && 'commodity_name' in fields) return readSeries(fields, line);
    if ('market_name' in fields) return readMarket(fields, line);
  }
  const batch = new SeriesBatch();
  batch.read = 1;
  const detail = 'The element is no market, series or list of prices.';
  batch.reject(line, { field: '', reason: 'unknown_element', detail });
  return batch;
}

function readMarket(element: Element, line: number): RecordBatch {
  const batch = new RecordBatch(importTables.Market);
  batch.read = 1;
  attempt(batch, line, () => {
    const { country_name, ...values } = marketOf(element, batch);
    batch.rows.push({ line, values, defaults: { country_name } });
  });
  return batch;
}

function readSeries(element: Element, line: number): SeriesBatch {
  const batch = new SeriesBatch();
  batch.read = 1;
  attempt(batch, line, () => {
    const currency = readCurrency(textOf(element, 'currency'));
    if (currency === null) throw new Faulty(currencyFault('currency', textOf(element, 'currency')));
    const commodity = required(element, 'commodity_name', LENGTHS.commodity);
    const series: SeriesDescriptor & { uuid: string } = {
      uuid: uuidOf(element),
      market: marketOf(element, batch),
      commodity: {
        name: commodity,
        hs_code: COMMODITY_CODE.exec(textOf(element, 'commodity_code'))?.[1] ?? hsCodeOf(commodity),
        category: '',
      },
      price_type: required(element, 'price_type', LENGTHS.price_type).toUpperCase(),
      source: {
        name: required(element, 'source_name', LENGTHS.source),
        url: optional(element, 'source_url', LENGTHS.url),
        license: '',
      },
      measure_unit: unitOf(element, batch),
      currency,
    };
    batch.rows.push({ line, series, markedPeriods: markedPeriodsOf(element) });
  });
  return batch;
}

function readPrices(element: Element, line: number): PriceBatch {
  const batch = new PriceBatch('price_value');
  attempt(batch, line, () => {
    const points = element.datapoints;
    if (!Array.isArray(points)) {
      batch.read = 1;
      throw new Faulty({ field: 'datapoints', reason: 'invalid_type', detail: 'datapoints is no list.' });
    }
    batch.read = Math.max(1, points.length);
    if (points.length === 0) return batch.skip('no_value');
    const series: KnownSeries = { uuid: uuidOf(element) };
    batch.read = points.length;
    for (const [index, point] of points.entries()) {
      attempt(batch, line, () => readPoint(point, index, series, line, batch));
    }
  });
  return batch;
}

function readPoint(
  point: unknown,
  index: number,
  series: KnownSeries,
  line: number,
  batch: PriceBatch,
): void {
  const field = (name: string) => `datapoints/${index}/${name}`;
  const { price_value, date, periodicity, comment, calculated } = (point ?? {}) as Element;
  if (calculated === true) return batch.skip('calculated');
  const period = PERIOD_CODES.get(periodicity);
  if (period === undefined) {
    const detail = `periodicity must be daily, weekly or monthly, not ${shown(printed(periodicity))}.`;
    throw new Faulty({ field: field('periodicity'), reason: 'invalid_choice', detail });
  }
  const day = typeof date === 'string' ? readDay(date) : null;
  if (day === null) throw new Faulty(dateFault(field('date'), printed(date)));
  if (period === MONTHLY && firstDayOfMonth(monthOf(day)) !== day) {
    const detail = `A monthly price is dated the 1st of its month, not ${String(date)}.`;
    throw new Faulty({ field: field('date'), reason: 'invalid_date', detail });
  }
  if (typeof price_value !== 'number') {
    throw new Faulty({
      field: field('price_value'),
      reason: 'required',
      detail: 'price_value is no number.',
    });
  }
  const value = toSignificantDigits(price_value);
  const amiss = amountFault('price_value', value, String(price_value));
  if (amiss) throw new Faulty({ ...amiss, field: field('price_value') });
  if (value !== price_value) batch.rounded++;
  const clean = typeof comment === 'string' ? cleanText(comment, LENGTHS.comment) : '';
  const fault = textFault(field('comment'), clean, LENGTHS.comment);
  if (fault) throw new Faulty(fault);
  batch.rows.push({ line, series, period, day, value, comment: clean, calculated: false, forecast: false });
}

function attempt(batch: Batch<unknown>, line: number, work: () => void): void {
  try {
    work();
  } catch (error) {
    if (!(error instanceof Faulty)) throw error;
    batch.read = Math.max(1, batch.read);
    batch.reject(line, error.fault);
  }
}

function marketOf(element: Element, batch: Batch<unknown>): MarketTexts {
  const iso3 = readCountry(textOf(element, 'iso3_country_code'));
  if (iso3 === null)
    throw new Faulty(countryFault('iso3_country_code', textOf(element, 'iso3_country_code')));
  const name = required(element, 'market_name', LENGTHS.market);
  const type = optional(element, 'market_type', LENGTHS.market_type);
  return {
    iso3_country_code: iso3,
    // FPMA has a country of its own, IPS, for international prices.
    country_name: countryName(iso3) || optional(element, 'country_name', LENGTHS.country_name),
    admin_unit: optional(element, 'admin_unit', LENGTHS.admin_unit),
    admin_unit2: optional(element, 'admin_unit2', LENGTHS.admin_unit2),
    name,
    type,
    code: optional(element, 'market_code', LENGTHS.code),
    info: optional(element, 'market_info', LENGTHS.info),
    latitude: degrees(element, 'latitude', 90, batch),
    longitude: degrees(element, 'longitude', 180, batch),
    regional_average: element.virtual === true || AVERAGE.test(name) || AVERAGE.test(type),
  };
}

function degrees(element: Element, name: string, most: number, batch: Batch<unknown>): number | null {
  const given = element[name];
  if (given === null || given === undefined) return null;
  if (typeof given !== 'number' || !(Math.abs(given) <= most)) {
    throw new Faulty({
      field: name,
      reason: 'out_of_range',
      detail: `${name} must be a number from -${most} to ${most}.`,
    });
  }
  const value = toSignificantDigits(given);
  if (value !== given) batch.rounded++;
  return value;
}

/** FPMA prints factors with few digits, so what the name says exactly goes first. */
function unitOf(element: Element, batch: Batch<unknown>): { name: string } & UnitMeaning {
  const name = required(element, 'measure_unit_label', LENGTHS.measure_unit);
  const meaning = unitMeaning(name);
  const given = element.conversion_factor;
  if (meaning.conversion_factor !== null || typeof given !== 'number') return { name, ...meaning };
  const factor = toSignificantDigits(given);
  if (amountFault('conversion_factor', factor, '') !== null) return { name, ...meaning };
  if (factor !== given) batch.rounded++;
  // FPMA's factors are to a kilogram.
  return { name, dimension: 'mass', conversion_factor: factor };
}

function markedPeriodsOf(element: Element): number {
  let marked = 0;
  for (const item of Array.isArray(element.periodicity) ? (element.periodicity as unknown[]) : []) {
    const { period, calculated } = (item ?? {}) as Element;
    const code = PERIOD_CODES.get(period);
    if (calculated === true && code !== undefined) marked |= 1 << code;
  }
  return marked;
}

function uuidOf(element: Element): string {
  const uuid = textOf(element, 'uuid').toLowerCase();
  if (UUID.test(uuid)) return uuid;
  throw new Faulty({ field: 'uuid', reason: 'invalid_uuid', detail: `${shown(uuid)} is no uuid.` });
}

/** A value for a message. Objects and lists are not put into words: they may be of any depth, and bring a `toString` of their own. */
function printed(value: unknown): string {
  return typeof value === 'object' && value !== null ? '[object]' : String(value);
}

function textOf(element: Element, name: string): string {
  const text = element[name];
  return typeof text === 'string' ? text.trim() : '';
}

function optional(element: Element, name: string, longest: number): string {
  return checked(element, name, longest, false);
}

function required(element: Element, name: string, longest: number): string {
  return checked(element, name, longest, true);
}

function checked(element: Element, name: string, longest: number, isRequired: boolean): string {
  const text = cleanText(textOf(element, name), longest);
  const fault = textFault(name, text, longest, isRequired);
  if (fault) throw new Faulty(fault);
  return text;
}
