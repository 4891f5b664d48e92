import type { PointFlags } from '../../ledger/findings/point-flags.js';
import { ByteWriter } from '../../lib/text/byte-writer.js';
import { CSV_LINE_END, csvText } from '../../lib/text/csv.js';
import { toSignificantDigits } from '../../lib/numbers/significant-digits.js';
import type { CellValue } from '../../platform/formats/listing.js';
import { isoFromDay } from '../../lib/dates/calendar-date.js';
import { PERIODS, PERIOD_NAMES, type Period } from '../../price-series/periodicity.js';
import type { Conversion } from '../derive/conversion.js';
import { RATE_BASES, type RateBasis } from '../derive/currency-rates.js';
import { newestFirst, ServedPoints, type ServedSeries } from '../derive/derivation.js';
import { pointId, type PointKey } from '../store/point-id.js';
import { PROVISIONAL_STATUS } from '../../price-series/series-status.js';
import type { StoredPoint } from '../store/point-merging.js';

/*
 * Serializes datapoints, newest first. They are served by the million, so their bytes are written
 * directly; `datapoint.view.spec.ts` compares the output with that of plain objects.
 */

/** What serializing the points of a series needs besides the points. */
export interface PointContext {
  serieId: number;
  /** Price × factor = price per kilogram or litre; null where there is none. */
  conversionFactor: number | null;
  conversion: Conversion;
  /** Open findings about the points; undefined where they are not asked for. */
  flags?: PointFlags;
  /** Whether each point says what its dollars are based on. */
  rateBasis?: boolean;
  /** The status of the series, for a last column of tables; undefined where it has none. */
  status?: string;
  /** Whether each point says in terms of which base period its real price is. */
  indexBase?: boolean;
}

const perPeriod = (bytes: (name: string) => string): Record<Period, Buffer> => {
  const [daily, weekly, monthly] = PERIODS.map((period) => Buffer.from(bytes(PERIOD_NAMES[period])));
  return { 1: daily!, 2: weekly!, 3: monthly! };
};

const ID = Buffer.from('{"id":');
const NEXT_ID = Buffer.from(',{"id":');
const PRICE = Buffer.from(',"price_value":');
const REAL = Buffer.from(',"price_value_real":');
const DOLLAR = Buffer.from(',"price_value_dollar":');
const NULL = Buffer.from('null');
const PERIODICITY = perPeriod((name) => `","periodicity":"${name}","comment":`);
const NO_COMMENT = Buffer.from('""');
const CALCULATED = Buffer.from(',"calculated":true');
const PARTIAL = Buffer.from(',"calculated":true,"partial":true');
const PROVISIONAL = Buffer.from(',"provisional":true');
const END = Buffer.from('}');
const CALCULATED_END = Buffer.from(',"calculated":true}');
const PARTIAL_END = Buffer.from(',"calculated":true,"partial":true}');

/**
 * Writes the points as the items of a JSON array: eight keys, then `calculated`, `partial` and
 * `provisional` where they are true, and `flags` where there are any.
 * @param marks false leaves the first three out, as the live FPMA tool does
 */
export function writeDatapoints(
  writer: ByteWriter,
  series: ServedSeries,
  { serieId, conversionFactor, conversion, flags, rateBasis = false, indexBase = false }: PointContext,
  marks = true,
): void {
  const factorAndDate = Buffer.from(`,"conversion_factor":${conversionFactor},"date":"`);
  let before = ID;
  newestFirst(series, (points, index) => {
    const { period } = points;
    const day = points.days[index]!;
    const value = points.values[index]!;
    const comment = points.comments?.[index];
    writer.raw(before);
    before = NEXT_ID;
    writer.integer(pointId(serieId, period, day));
    writer.raw(PRICE);
    writer.decimal(value);
    writer.raw(REAL);
    writeOptional(writer, conversion.real(value, period, day), NULL);
    writer.raw(DOLLAR);
    writeOptional(writer, conversion.dollar(value, period, day), NULL);
    writer.raw(factorAndDate);
    writer.ascii(isoFromDay(day));
    writer.raw(PERIODICITY[period]);
    if (comment) writer.text(JSON.stringify(comment));
    else writer.raw(NO_COMMENT);
    if (marks && points.isProvisional(index)) writer.raw(PROVISIONAL);
    const rules = flags === undefined ? NO_RULES : rulesAbout(points, day, flags);
    if (rateBasis || indexBase || rules.length > 0) {
      if (marks && points.calculated) writer.raw(points.isPartial(index) ? PARTIAL : CALCULATED);
      if (rules.length > 0) writer.ascii(`,"flags":${JSON.stringify(rules)}`);
      if (rateBasis) writer.raw(basisBytes(conversion, value, period, day));
      if (indexBase) writer.text(`,"index_base":${JSON.stringify(conversion.indexBase(period, day))}`);
      writer.raw(END);
    } else if (!marks || !points.calculated) writer.raw(END);
    else writer.raw(points.isPartial(index) ? PARTIAL_END : CALCULATED_END);
  });
}

const NO_RULES: readonly string[] = [];

/** The rules about a point; none about calculated ones, which rules do not look at. */
const rulesAbout = ({ period, calculated }: ServedPoints, day: number, flags: PointFlags) =>
  calculated ? NO_RULES : flags.of(period, day);

/** The rules about a point as a value of a table: names have no blanks. */
const rulesText = (points: ServedPoints, day: number, flags: PointFlags) =>
  rulesAbout(points, day, flags).join(' ');

/** The member of a datapoint that says what its dollars are based on. */
function basisBytes(conversion: Conversion, price: number, period: Period, day: number): Buffer {
  const basis = conversion.rateBasis(price, period, day);
  return basis === null ? NO_BASIS : BASES[basis];
}

const NO_BASIS = Buffer.from(',"rate_basis":null');
const BASES = Object.fromEntries(
  RATE_BASES.map((basis) => [basis, Buffer.from(`,"rate_basis":"${basis}"`)]),
) as Record<RateBasis, Buffer>;

/** A stored point that is served as it is, as a JSON object like those of `writeDatapoints`. */
export function datapointJson(
  { period, day }: PointKey,
  { value, comment, calculated, provisional }: StoredPoint,
  context: PointContext,
): Buffer {
  const [daily, weekly, monthly] = PERIODS.map((each) =>
    each === period
      ? new ServedPoints(
          each,
          [day],
          [value],
          [comment],
          calculated,
          false,
          provisional ? new Set([day]) : null,
        )
      : new ServedPoints(each, [], [], null, false, false),
  );
  writeDatapoints(single, [daily!, weekly!, monthly!], context);
  return single.take();
}

const single = new ByteWriter(1024);

const CSV_PERIODICITY = perPeriod((name) => `,${name},`);
const CSV_COMMA = Buffer.from(',');
const CSV_CALCULATED = Buffer.from(',true,');
const CSV_ORIGINAL = Buffer.from(',false,');
const CSV_PARTIAL = Buffer.from(',true');
const CSV_WHOLE = Buffer.from(',false');
const CSV_PROVISIONAL_END = Buffer.from(`,${PROVISIONAL_STATUS}${CSV_LINE_END}`);
const CSV_NULL = Buffer.from('');

/**
 * Writes the points as lines of the `prices` CSV.
 * @param linePrefix the series columns, from `pricesCsvLinePrefix`
 */
export function writePricesCsv(
  writer: ByteWriter,
  series: ServedSeries,
  { conversion, flags, rateBasis = false, indexBase = false, status }: PointContext,
  linePrefix: string,
): void {
  const prefix = Buffer.from(linePrefix);
  const end = Buffer.from((status === undefined ? '' : `,${status}`) + CSV_LINE_END);
  newestFirst(series, (points, index) => {
    const { period } = points;
    const day = points.days[index]!;
    const value = points.values[index]!;
    const comment = points.comments?.[index];
    writer.raw(prefix);
    writer.ascii(isoFromDay(day));
    writer.raw(CSV_PERIODICITY[period]);
    writer.decimal(value);
    writer.raw(CSV_COMMA);
    if (comment) writer.text(csvText(comment));
    writer.raw(points.calculated ? CSV_CALCULATED : CSV_ORIGINAL);
    writeOptional(writer, conversion.real(value, period, day), CSV_NULL);
    writer.raw(CSV_COMMA);
    writeOptional(writer, conversion.dollar(value, period, day), CSV_NULL);
    writer.raw(points.isPartial(index) ? CSV_PARTIAL : CSV_WHOLE);
    if (flags !== undefined) writer.ascii(`,${rulesText(points, day, flags)}`);
    if (rateBasis) writer.ascii(`,${conversion.rateBasis(value, period, day) ?? ''}`);
    if (indexBase) writer.text(`,${csvText(conversion.indexBase(period, day) ?? '')}`);
    writer.raw(status !== undefined && points.isProvisional(index) ? CSV_PROVISIONAL_END : end);
  });
}

/** The points as values of the `prices` table's point columns, newest first. */
export function pointCells(
  series: ServedSeries,
  { conversion, flags, rateBasis = false, indexBase = false, status }: PointContext,
): CellValue[][] {
  const rows: CellValue[][] = [];
  newestFirst(series, (points, index) => {
    const { period } = points;
    const day = points.days[index]!;
    const value = points.values[index]!;
    rows.push([
      isoFromDay(day),
      PERIOD_NAMES[period],
      toSignificantDigits(value),
      points.comments?.[index] ?? '',
      points.calculated,
      optional(conversion.real(value, period, day)),
      optional(conversion.dollar(value, period, day)),
      points.isPartial(index),
      ...(flags === undefined ? [] : [rulesText(points, day, flags)]),
      ...(rateBasis ? [conversion.rateBasis(value, period, day) ?? null] : []),
      ...(indexBase ? [conversion.indexBase(period, day)] : []),
      ...(status === undefined ? [] : [points.isProvisional(index) ? PROVISIONAL_STATUS : status]),
    ]);
  });
  return rows;
}

const optional = (value: number | null) => (value === null ? null : toSignificantDigits(value));

function writeOptional(writer: ByteWriter, value: number | null, nullBytes: Buffer): void {
  if (value === null) writer.raw(nullBytes);
  else writer.decimal(value);
}
