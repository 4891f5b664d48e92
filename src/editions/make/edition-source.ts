import { LAST_DAY } from '../../lib/dates/calendar-date.js';
import { TimeSlice } from '../../lib/scheduling/time-slice.js';
import type { Environment } from '../../config/environment.js';
import type { Database } from '../../database/database.js';
import { SeriesCatalogue } from '../../price-series/catalogue/catalogue.js';
import type { CatalogueSnapshot } from '../../price-series/catalogue/catalogue-snapshot.js';
import { DAILY, MONTHLY } from '../../price-series/periodicity.js';
import { Conversion } from '../../prices/derive/conversion.js';
import type { StoredPoints } from '../../prices/derive/derivation.js';
import { RateTables, type Rates } from '../../prices/derive/rate-tables.js';
import { joinedPoints } from '../../prices/joins/joined-points.js';
import { MAX_LIST_IDS } from '../../prices/read/id-list.js';
import { PointReader } from '../../prices/store/point-reader.js';
import { estimatePoints, type StoredRange } from '../../prices/read/point-window.js';
import { DataRevision } from '../../ledger/revision/data-revision.js';
import { compareText } from './compare-text.js';
import { describeSeries, type EditionSeries } from './edition-series.js';
import { PastReferences } from './past-references.js';

const ALL_POINTS: StoredRange = { firstPeriod: DAILY, lastPeriod: MONTHLY, firstDay: 0, lastDay: LAST_DAY };
/** About how many points are read together. */
const POINTS_PER_READ = 20_000;

/** A series with its stored points, and what these are converted by. */
export interface SeriesWithPoints {
  readonly series: EditionSeries;
  readonly stored: StoredPoints;
  readonly conversion: Conversion;
}

/** The data of one revision, whatever is changed meanwhile. */
export class EditionSource {
  private constructor(
    private readonly reader: PointReader,
    private readonly revision: number,
    private readonly catalogue: CatalogueSnapshot,
    private readonly rates: Rates,
    /** By uuid: a reader of one series skips all row groups but one by their bounds. */
    readonly series: readonly EditionSeries[],
  ) {}

  static async open(database: Database, environment: Environment, revision: number): Promise<EditionSource> {
    const catalogue = await new SeriesCatalogue(database, new DataRevision(database)).at(revision);
    // Read after the catalogue, which has the records of today: what changes in between is in here.
    const references = await PastReferences.read(database, revision);
    const series: EditionSeries[] = [];
    for (let row = 0; row < catalogue.size; row++) series.push(describeSeries(catalogue, row, references));
    series.sort((one, other) => compareText(one.values.uuid, other.values.uuid));
    const rates = await new RateTables(database, environment).asOf(
      revision,
      series.map(({ values }) => values.currency),
      series.map(({ values }) => values.iso3_country_code),
      new TimeSlice(),
    );
    return new EditionSource(new PointReader(database), revision, catalogue, rates, series);
  }

  /** The series with their points, in order. */
  async *points(signal: AbortSignal): AsyncGenerator<SeriesWithPoints> {
    const timeSlice = new TimeSlice();
    for (const batch of this.batches()) {
      const ids = batch.map(({ row }) => this.catalogue.idAt(row));
      const stored = await this.read(ids, timeSlice, signal);
      for (const [index, series] of batch.entries()) {
        const { currency, iso3_country_code, conversion_factor } = series.values;
        const rates = this.rates.ratesOf(currency);
        const indices = this.rates.indicesOf(iso3_country_code);
        yield {
          series,
          stored: (await this.readJoined(series.row, timeSlice, signal)) ?? stored.get(ids[index]!)!,
          conversion: new Conversion(rates, indices, conversion_factor),
        };
      }
      await timeSlice.yield();
    }
  }

  private *batches(): Generator<EditionSeries[]> {
    let batch: EditionSeries[] = [];
    let points = 0;
    for (const series of this.series) {
      batch.push(series);
      points += estimatePoints(this.catalogue.periodicityAt(series.row), ALL_POINTS);
      if (points < POINTS_PER_READ && batch.length < MAX_LIST_IDS) continue;
      yield batch;
      batch = [];
      points = 0;
    }
    if (batch.length > 0) yield batch;
  }

  /** The points of a series to which others were joined; null for any other. */
  private async readJoined(
    row: number,
    timeSlice: TimeSlice,
    signal: AbortSignal,
  ): Promise<StoredPoints | null> {
    const members = this.catalogue.membersAt(row);
    if (members === null) return null;
    const ids = members.map(({ serieId }) => serieId);
    return joinedPoints(members, await this.read(ids, timeSlice, signal));
  }

  private async read(
    ids: readonly number[],
    timeSlice: TimeSlice,
    signal: AbortSignal,
  ): Promise<Map<number, StoredPoints>> {
    const state = { asOf: this.revision, firstPublished: false };
    const stored = await this.reader.read(ids, ALL_POINTS, state, timeSlice, signal);
    if (stored === null) throw new Error('Points of an earlier state are of no other revision.');
    return stored;
  }
}
