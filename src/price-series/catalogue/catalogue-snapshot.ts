import { type JoinMember, SeriesJoins } from '../joins/series-joins.js';
import { PERIODS, type PeriodicityItem } from '../periodicity.js';
import { type CatalogueScope, SERIES_STATUSES, type SeriesStatus } from '../series-status.js';
import type { ReferenceDictionaries, SeriesReferences } from './reference-dictionaries.js';
import { type SeriesColumns, type UuidIndex, uuidAt, uuidWords } from './series-columns.js';

/** A series with the reference records it refers to. */
interface SeriesRecord extends SeriesReferences {
  id: number;
  uuid: string;
  currency: string;
  /** Finest first. */
  periodicity: PeriodicityItem[];
  /** Day number of the last price; null if there is none. */
  lastDay: number | null;
  /** As `statusAt` gives it. */
  status: SeriesStatus | undefined;
}

/** The further uuids of series, in lower case, with the ids of the series. */
export interface SeriesAliases {
  readonly fingerprint: string;
  readonly ids: ReadonlyMap<string, number>;
}

/** The series that are shown as part of others. */
export interface JoinedSeries {
  readonly joins: SeriesJoins;
  /** Their uuids, in lower case, with the ids of the listed series that they have become. */
  readonly uuids: ReadonlyMap<string, number>;
  readonly aliases: SeriesAliases;
}

export const NO_JOINED_SERIES: JoinedSeries = {
  joins: SeriesJoins.none,
  uuids: new Map(),
  aliases: { fingerprint: '', ids: new Map() },
};

/** What a snapshot shows. */
interface Shown {
  /** Observed series, or those of every status. */
  readonly scope: CatalogueScope;
  /** Number of the series that were not observed, whether it has them or not. */
  readonly unobserved: number;
  /** The revision of an earlier state; null for the newest. */
  readonly asOf: number | null;
}

/**
 * All series at one data revision, the newest or an earlier one, sorted by country and uuid.
 * Immutable, so everything read from one snapshot is consistent. A `row` is the zero-based index of
 * a series in the columns of this snapshot.
 */
export class CatalogueSnapshot {
  readonly size: number;
  /** First row of each of `marketIndex.countries`, then the total number of rows. */
  readonly countryStarts: Uint32Array;
  private ownRows: Uint32Array | null = null;

  constructor(
    readonly shows: Shown,
    /** The data revisions that last changed reference tables and series. */
    readonly revisions: { readonly references: number; readonly series: number },
    readonly dictionaries: ReferenceDictionaries,
    readonly columns: SeriesColumns,
    readonly currencies: readonly string[],
    readonly uuids: UuidIndex,
    readonly joined: JoinedSeries = NO_JOINED_SERIES,
  ) {
    this.size = columns.id.length;
    this.countryStarts = this.findCountryStarts();
  }

  /**
   * The row of a series by its uuid or an alias of that, or of the one that it was joined into;
   * null if the text is not a uuid or no series has it.
   */
  find(uuid: string): number | null {
    const words = uuidWords(uuid);
    if (words === null) return null;
    const row = this.uuids.find(words);
    if (row >= 0) return row;
    const { joins, uuids, aliases } = this.joined;
    const id = uuids.get(uuid.toLowerCase()) ?? aliases.ids.get(uuid.toLowerCase());
    // In an earlier state, the series of an alias may not have existed yet.
    const listed = id === undefined ? -1 : this.columns.id.indexOf(joins.become(id));
    return listed < 0 ? null : listed;
  }

  /** The revision that it shows and points are read at; null for the newest state. */
  get asOf(): number | null {
    return this.shows.asOf;
  }

  /** The status of the series at a row, where this snapshot has series of every status. */
  statusAt(row: number): SeriesStatus | undefined {
    return this.shows.scope === 'all' ? SERIES_STATUSES[this.columns.status[row]!] : undefined;
  }

  /** The rows of all series, shared by all lists: those of long replies would be megabytes. */
  get rows(): Uint32Array {
    return (this.ownRows ??= new Uint32Array(this.size).map((_, row) => row));
  }

  /** The series' id in the database, under which points are stored. */
  idAt(row: number): number {
    return this.columns.id[row]!;
  }

  /** The series whose points the series shows; null where it shows its own only. */
  membersAt(row: number): readonly JoinMember[] | null {
    return this.joined.joins.membersOf(this.idAt(row));
  }

  /** The data revision that last changed the series or its points. */
  revisionAt(row: number): number {
    return this.columns.revision[row]!;
  }

  uuidAt(row: number): string {
    return uuidAt(this.columns, row);
  }

  currencyAt(row: number): string {
    return this.currencies[this.columns.currency[row]!]!;
  }

  /** The record of a reference table that the series refers to. */
  referenceAt<T extends keyof SeriesReferences>(table: T, row: number): SeriesReferences[T] {
    return this.dictionaries.of(table).at(this.columns[table][row]!);
  }

  /** The periodicity items of the series, finest first. */
  periodicityAt(row: number): PeriodicityItem[] {
    const items: PeriodicityItem[] = [];
    for (const period of PERIODS) {
      const start = this.columns[`start${period}`][row]!;
      if (start === 0) continue;
      const calculated = (this.columns.calculated[row]! & (1 << period)) !== 0;
      items.push({ period, start, end: this.columns[`end${period}`][row]!, calculated });
    }
    return items;
  }

  /** The series with its reference records and periodicity. */
  seriesAt(row: number): SeriesRecord {
    return {
      id: this.idAt(row),
      uuid: this.uuidAt(row),
      commodity: this.referenceAt('commodity', row),
      price_type: this.referenceAt('price_type', row),
      market: this.referenceAt('market', row),
      source: this.referenceAt('source', row),
      measure_unit: this.referenceAt('measure_unit', row),
      currency: this.currencyAt(row),
      periodicity: this.periodicityAt(row),
      lastDay: this.columns.last_day[row]! || null,
      status: this.statusAt(row),
    };
  }

  private findCountryStarts(): Uint32Array {
    const { countries, countryOf } = this.dictionaries.marketIndex;
    const { market } = this.columns;
    const starts = new Uint32Array(countries.length + 1);
    for (let country = 1; country < starts.length; country++) {
      let [from, to] = [starts[country - 1]!, this.size];
      while (from < to) {
        const middle = (from + to) >>> 1;
        if (countryOf[market[middle]!]! < country) from = middle + 1;
        else to = middle;
      }
      starts[country] = from;
    }
    return starts;
  }
}
