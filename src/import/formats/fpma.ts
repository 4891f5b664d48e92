import { countryName } from '../../lib/codes/countries.js';
import { parseUnitName, type UnitAttributes } from '../../lib/codes/measure-units.js';
import { toSignificantDigits } from '../../lib/numbers/significant-digits.js';
import { isMissingName, isMissingValue } from '../../lib/text/missing-values.js';
import { oneLine } from '../../lib/text/one-line.js';
import { hsCodeOf } from '../crosswalks/hs-codes.js';
import { normalizeText } from '../../lib/text/normalize-text.js';
import { ReferenceTable } from '../../reference/base/reference-table.js';
import { MarketDto } from '../../reference/market/market.dto.js';
import { type Batch, ImportRejected, type RowViolation, WrongFormat } from './batch.js';
import { type JsonElement, jsonElements, NotJsonObjects } from '../tables/json-elements.js';
import { elementFault } from '../tables/json-fault.js';
import {
  countryText,
  MAX_LENGTHS,
  monthlyDayViolation,
  PERIOD_CODES,
  PriceBatch,
  SeriesBatch,
  type MarketValues,
  type SeriesDescriptor,
  type SeriesReference,
} from './series.js';
import { RecordBatch } from './table-rows.js';
import {
  readCountry,
  readCurrency,
  readDay,
  invalid,
  missing,
  quantityViolation,
  textViolation,
  readUuid,
  type FieldValue,
  type ReadValue,
} from './values.js';

const marketTable = new ReferenceTable(MarketDto);

/** The accepted layouts, for error messages. */
export const FPMA_LAYOUTS =
  "JSON of FAO's FPMA tool: an envelope with results, an array, or one object per line, of markets (market_name, …), " +
  'series (uuid, market_name, commodity_name, periodicity, …) or prices (uuid, datapoints)';

/** FPMA's commodity code is the HS code with a number that makes it unique. */
const COMMODITY_CODE = /^(\d{2}|\d{4}|\d{6}|\d{8}|\d{10}|\d{12})(?:_\d+)?$/;
const AVERAGE = /\baverage\b/i;

type JsonObject = Readonly<Record<string, unknown>>;

/** Thrown while an element is read, and caught where it is rejected. */
class InvalidElementError extends Error {
  constructor(readonly violation: RowViolation) {
    super(violation.detail);
  }
}

function valueOf<T extends FieldValue>(read: ReadValue<T> | RowViolation): T {
  if ('reason' in read) throw new InvalidElementError(read);
  return read.value;
}

function reject(field: string, reason: string, detail: string): never {
  throw new InvalidElementError({ field, reason, detail });
}

/**
 * Reads JSON of the FPMA tool. Each datapoint of a price list counts as a row; `line` is the number
 * of the element in its list.
 * @throws ImportRejected for anything else
 */
export async function* readFpma(
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<PriceBatch | SeriesBatch | RecordBatch> {
  let line = 0;
  let isRecognized = false;
  try {
    for await (const elements of jsonElements(chunks)) {
      for (const element of elements) {
        line++;
        const value = parse(element.text);
        if (value === undefined && !isRecognized)
          throw new ImportRejected(`The JSON is not valid: ${elementFault(element)}`);
        const batch = value === undefined ? invalidJson(element, line) : readElement(value, line);
        isRecognized ||=
          batch.rows.length > 0 || batch.rejects.some(({ reason }) => reason !== 'unknown_element');
        // The first element decides whether the input is FPMA's.
        if (!isRecognized) throw wrongFormat();
        yield batch;
      }
    }
  } catch (error) {
    throw !isRecognized && error instanceof NotJsonObjects ? wrongFormat() : error;
  }
  if (line === 0) throw new ImportRejected('The input is empty, or a list without elements.');
  if (!isRecognized) throw wrongFormat();
}

function invalidJson(element: JsonElement, line: number): SeriesBatch {
  const batch = new SeriesBatch();
  batch.read = 1;
  const detail = `The element is not valid JSON: ${elementFault(element)}`;
  batch.reject(line, { field: '', reason: 'invalid_json', detail });
  return batch;
}

const wrongFormat = () => new WrongFormat(`The input is not in the format fpma. Accepted: ${FPMA_LAYOUTS}.`);

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function readElement(element: unknown, line: number): PriceBatch | SeriesBatch | RecordBatch {
  if (typeof element === 'object' && element !== null && !Array.isArray(element)) {
    const fields = element as JsonObject;
    if ('datapoints' in fields) return readPrices(fields, line);
    if ('uuid' in fields && 'commodity_name' in fields) return readSeries(fields, line);
    if ('market_name' in fields) return readMarket(fields, line);
  }
  const batch = new SeriesBatch();
  batch.read = 1;
  const detail = 'The element is not a market, a series or a list of prices.';
  batch.reject(line, { field: '', reason: 'unknown_element', detail });
  return batch;
}

function readMarket(element: JsonObject, line: number): RecordBatch {
  const batch = new RecordBatch(marketTable);
  batch.read = 1;
  attempt(batch, line, () => {
    const { country_name, ...values } = readMarketValues(element, batch);
    batch.rows.push({ line, values, defaults: { country_name }, ...readCountryText(element) });
  });
  return batch;
}

function readSeries(element: JsonObject, line: number): SeriesBatch {
  const batch = new SeriesBatch();
  batch.read = 1;
  attempt(batch, line, () => {
    const code = valueOf(readCurrency(rawText(element, 'currency'), 'currency'));
    const commodity = requiredText(element, 'commodity_name', MAX_LENGTHS.commodity, isMissingName);
    const series: SeriesDescriptor & { uuid: string } = {
      uuid: elementUuid(element),
      market: readMarketValues(element, batch),
      ...readCountryText(element),
      commodity: {
        name: commodity,
        hs_code: COMMODITY_CODE.exec(rawText(element, 'commodity_code'))?.[1] ?? hsCodeOf(commodity),
        category: '',
      },
      price_type: requiredText(element, 'price_type', MAX_LENGTHS.price_type).toUpperCase(),
      source: {
        name: requiredText(element, 'source_name', MAX_LENGTHS.source),
        url: optionalText(element, 'source_url', MAX_LENGTHS.url, batch),
        license: '',
      },
      measure_unit: readUnit(element, batch),
      currency: code,
      status: 'observed',
    };
    batch.rows.push({ line, series, markedPeriods: readMarkedPeriods(element) });
  });
  return batch;
}

function readPrices(element: JsonObject, line: number): PriceBatch {
  const batch = new PriceBatch('price_value');
  attempt(batch, line, () => {
    const points = element.datapoints;
    if (!Array.isArray(points)) {
      batch.read = 1;
      reject('datapoints', 'invalid_type', 'datapoints must be an array.');
    }
    batch.read = Math.max(1, points.length);
    if (points.length === 0) return batch.skip('no_value');
    const series: SeriesReference = { uuid: elementUuid(element) };
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
  series: SeriesReference,
  line: number,
  batch: PriceBatch,
): void {
  const field = (name: string) => `datapoints/${index}/${name}`;
  const { price_value, date, periodicity, comment, calculated } = (point ?? {}) as JsonObject;
  if (calculated === true) return batch.skip('calculated');
  const period = PERIOD_CODES.get(periodicity);
  if (period === undefined) {
    const choice = 'daily, weekly or monthly';
    const violation = invalid('periodicity', 'invalid_choice', choice, describeValue(periodicity));
    throw new InvalidElementError({ ...violation, field: field('periodicity') });
  }
  const day = valueOf(readDay(describeValue(date), field('date')));
  const notFirst = monthlyDayViolation(period, day, String(date));
  if (notFirst) throw new InvalidElementError({ ...notFirst, field: field('date') });
  if (typeof price_value !== 'number')
    return reject(field('price_value'), 'required', 'price_value must be a number.');
  const value = toSignificantDigits(price_value);
  const outOfRange = quantityViolation('price_value', value, String(price_value));
  if (outOfRange) throw new InvalidElementError({ ...outOfRange, field: field('price_value') });
  if (value !== price_value) batch.rounded++;
  const clean = typeof comment === 'string' ? normalizeText(oneLine(comment), MAX_LENGTHS.comment) : '';
  const violation = textViolation(field('comment'), clean, MAX_LENGTHS.comment);
  if (violation) throw new InvalidElementError(violation);
  batch.rows.push({ line, series, period, day, value, comment: clean, calculated: false });
}

function attempt(batch: Batch<unknown>, line: number, work: () => void): void {
  try {
    work();
  } catch (error) {
    if (!(error instanceof InvalidElementError)) throw error;
    batch.read = Math.max(1, batch.read);
    batch.reject(line, error.violation);
  }
}

function readMarketValues(element: JsonObject, batch: Batch<unknown>): MarketValues {
  const written = rawText(element, 'iso3_country_code');
  const iso3 = valueOf(readCountry(written, 'iso3_country_code'));
  if (iso3 !== written.trim().toUpperCase())
    batch.replaced.add({ column: 'iso3_country_code', value: written, read_as: iso3 });
  const name = requiredText(element, 'market_name', MAX_LENGTHS.market, isMissingName);
  const type = optionalText(element, 'market_type', MAX_LENGTHS.market_type, batch);
  return {
    iso3_country_code: iso3,
    // FPMA has its own country code, IPS, for international prices.
    country_name: countryName(iso3) || optionalText(element, 'country_name', MAX_LENGTHS.country_name, batch),
    admin_unit: optionalText(element, 'admin_unit', MAX_LENGTHS.admin_unit, batch),
    admin_unit2: optionalText(element, 'admin_unit2', MAX_LENGTHS.admin_unit2, batch),
    name,
    type,
    code: optionalText(element, 'market_code', MAX_LENGTHS.code, batch),
    info: optionalText(element, 'market_info', MAX_LENGTHS.info, batch),
    latitude: readDegrees(element, 'latitude', 90, batch),
    longitude: readDegrees(element, 'longitude', 180, batch),
    regional_average: element.virtual === true || AVERAGE.test(name) || AVERAGE.test(type),
  };
}

/** What the element calls the country, for the report alone. */
function readCountryText(element: JsonObject): { country_text?: string } {
  const text = countryText(rawText(element, 'country_name'));
  return text === null ? {} : { country_text: text };
}

function readDegrees(element: JsonObject, name: string, max: number, batch: Batch<unknown>): number | null {
  const raw = element[name];
  if (raw === null || raw === undefined) return null;
  if (typeof raw !== 'number' || !(Math.abs(raw) <= max))
    return reject(name, 'out_of_range', `${name} must be a number between -${max} and ${max}.`);
  const value = toSignificantDigits(raw);
  if (value !== raw) batch.rounded++;
  return value;
}

/** FPMA rounds factors to few digits, so one that follows from the unit's name takes precedence. */
function readUnit(element: JsonObject, batch: Batch<unknown>): { name: string } & UnitAttributes {
  const name = requiredText(element, 'measure_unit_label', MAX_LENGTHS.measure_unit);
  const meaning = parseUnitName(name);
  const raw = element.conversion_factor;
  if (meaning.conversion_factor !== null || typeof raw !== 'number') return { name, ...meaning };
  const factor = toSignificantDigits(raw);
  if (quantityViolation('conversion_factor', factor, '') !== null) return { name, ...meaning };
  if (factor !== raw) batch.rounded++;
  // FPMA's factors convert to kilograms.
  return { name, dimension: 'mass', conversion_factor: factor };
}

function readMarkedPeriods(element: JsonObject): number {
  let marked = 0;
  for (const item of Array.isArray(element.periodicity) ? (element.periodicity as unknown[]) : []) {
    const { period, calculated } = (item ?? {}) as JsonObject;
    const code = PERIOD_CODES.get(period);
    if (calculated === true && code !== undefined) marked |= 1 << code;
  }
  return marked;
}

const elementUuid = (element: JsonObject): string => valueOf(readUuid(rawText(element, 'uuid'), 'uuid'));

/** A value for a message. Objects may be deeply nested or have their own `toString`. */
function describeValue(value: unknown): string {
  return typeof value === 'object' && value !== null ? '[object]' : String(value);
}

function rawText(element: JsonObject, name: string): string {
  const text = element[name];
  return typeof text === 'string' ? text.trim() : '';
}

/** @param batch counts marks for missing values, which are blank */
function optionalText(element: JsonObject, name: string, maxLength: number, batch: Batch<unknown>): string {
  const value = rawText(element, name);
  if (!isMissingValue(value)) return readText(element, name, maxLength, false);
  batch.replaced.add({ column: name, value, read_as: '' });
  return '';
}

function requiredText(
  element: JsonObject,
  name: string,
  maxLength: number,
  isMissing: (text: string) => boolean = isMissingValue,
): string {
  if (isMissing(rawText(element, name))) throw new InvalidElementError(missing(name));
  return readText(element, name, maxLength, true);
}

function readText(element: JsonObject, name: string, maxLength: number, isRequired: boolean): string {
  const text = normalizeText(rawText(element, name), maxLength);
  const violation = textViolation(name, text, maxLength, isRequired);
  if (violation) throw new InvalidElementError(violation);
  return text;
}
