import { Gzip } from 'fflate';
import { isoFromDay } from '../../lib/dates/calendar-date.js';
import { toSignificantDigits } from '../../lib/numbers/significant-digits.js';
import { ByteWriter } from '../../lib/text/byte-writer.js';
import { csvLine, csvText, CSV_LINE_END } from '../../lib/text/csv.js';
import { parquetDay } from '../../platform/formats/parquet/parquet-schema.js';
import { PERIOD_NAMES, PERIODS, type Period } from '../../price-series/periodicity.js';
import { PRICE_COLUMNS } from './columns.js';
import type { EditionFile, FolderWriter, FileRecord } from './edition-file.js';
import type { EditionSeriesValues } from './edition-series.js';
import type { SeriesWithPoints } from './edition-source.js';
import { ParquetFile } from './parquet-file.js';

/** Bytes of CSV that are compressed together. */
const CSV_CHUNK = 1024 * 1024;
const COMMA = Buffer.from(',');

/** A point in a price file. */
interface PricePoint {
  readonly period: Period;
  readonly day: number;
  readonly price: number;
  readonly real: number | null;
  readonly dollar: number | null;
  readonly comment: string | null;
  readonly base: string | null;
}

/** Writes the published prices as `prices.parquet` and `prices.csv.gz`. */
export class PriceFiles {
  private readonly parquet: ParquetFile;
  private readonly csv: PricesCsvGzip;
  /** Rows so far. */
  points = 0;

  constructor(folder: FolderWriter) {
    this.parquet = new ParquetFile(folder.create('prices.parquet'), PRICE_COLUMNS);
    this.csv = new PricesCsvGzip(folder.create('prices.csv.gz'));
  }

  /** Adds the points of a series: by frequency, then date. Counts them as its extent. */
  add({ series, stored, conversion }: SeriesWithPoints): void {
    const labels = labelsOf(series.values);
    this.csv.begin(labels);
    for (const period of PERIODS) {
      const { days, values, comments } = stored.original(period);
      for (let index = 0; index < days.length; index++) {
        const day = days[index]!;
        const price = toSignificantDigits(values[index]!);
        const real = conversion.real(price, period, day);
        const dollar = conversion.dollar(price, period, day);
        const comment = comments?.[index] ?? null;
        const base = conversion.indexBase(period, day);
        const point = { period, day, price, real, dollar, comment, base };
        this.parquet.addConverted([...labels, ...parquetValues(point)]);
        this.csv.add(point);
        const { first = day, last = day, points = 0 } = series.extent ?? {};
        series.extent = { first: Math.min(first, day), last: Math.max(last, day), points: points + 1 };
        this.points++;
      }
    }
  }

  end(): FileRecord[] {
    return [this.parquet.end(), this.csv.end()];
  }
}

const labelsOf = (values: EditionSeriesValues): string[] => [
  values.uuid,
  values.iso3_country_code,
  values.market,
  values.commodity,
  values.price_type,
  values.currency,
  values.measure_unit,
];

const parquetValues = ({ period, day, price, real, dollar, comment, base }: PricePoint) => [
  parquetDay(day),
  PERIOD_NAMES[period],
  price,
  real,
  dollar,
  comment ?? '',
  base,
];

/** CSV that is compressed as it is written; gzip with no time and no name in it. */
class PricesCsvGzip {
  private readonly gzip = new Gzip({ level: 6, mtime: 0 }, (chunk) => this.file.write(chunk));
  private readonly writer = new ByteWriter(CSV_CHUNK);
  private buffered = 0;
  private prefix = Buffer.alloc(0);

  constructor(private readonly file: EditionFile) {
    this.gzip.push(Buffer.from(csvLine(PRICE_COLUMNS.map(({ name }) => name))));
  }

  /** Begins the lines of a series. */
  begin(labels: readonly string[]): void {
    this.prefix = Buffer.from(labels.map((label) => `${csvText(label)},`).join(''));
  }

  add({ period, day, price, real, dollar, comment, base }: PricePoint): void {
    const { writer } = this;
    writer.raw(this.prefix);
    writer.ascii(`${isoFromDay(day)},${PERIOD_NAMES[period]},`);
    writer.decimal(price);
    writer.raw(COMMA);
    if (real !== null) writer.decimal(real);
    writer.raw(COMMA);
    if (dollar !== null) writer.decimal(dollar);
    writer.raw(COMMA);
    if (comment !== null) writer.text(csvText(comment));
    writer.raw(COMMA);
    if (base !== null) writer.text(csvText(base));
    writer.ascii(CSV_LINE_END);
    this.buffered += this.prefix.length + 60;
    if (this.buffered >= CSV_CHUNK) this.flush(false);
  }

  end(): FileRecord {
    this.flush(true);
    return this.file.end();
  }

  private flush(final: boolean): void {
    this.gzip.push(this.writer.take(), final);
    this.buffered = 0;
  }
}
