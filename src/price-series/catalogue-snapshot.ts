import { PERIODS, type Period } from './periodicity.js';
import type { ReferenceFacts, ReferenceRecords } from './reference-facts.js';
import { type SeriesColumns, type UuidIndex, uuidAt, uuidWords } from './series-columns.js';

/** A periodicity item of a series, in day numbers. */
export interface SeriesItem {
  period: Period;
  start: number;
  end: number;
  calculated: boolean;
}

/** A series with all records it refers to. */
export interface SeriesFacts extends ReferenceRecords {
  id: number;
  uuid: string;
  currency: string;
  /** Finest first. */
  items: SeriesItem[];
  /** The latest end of the items; null where there is none. */
  lastDay: number | null;
}

/**
 * All series at one state of the data, ordered by country and uuid. It never changes, so whatever is read from one snapshot
 * agrees. A place, counted from 0, names a series in this snapshot only.
 */
export class CatalogueSnapshot {
  readonly size: number;
  /** Where the series of each country begin, in the order of `facts.marketIndex.countries`, and where the last ones end. */
  readonly countryStarts: Uint32Array;

  constructor(
    /** The revisions at which reference tables and series last changed in this state. */
    readonly revisions: { readonly references: number; readonly series: number },
    readonly facts: ReferenceFacts,
    readonly columns: SeriesColumns,
    readonly currencies: readonly string[],
    readonly uuids: UuidIndex,
  ) {
    this.size = columns.id.length;
    this.countryStarts = this.findCountryStarts();
  }

  /** The place of a series, or null where the text is no uuid or the uuid is unknown. */
  find(uuid: string): number | null {
    const words = uuidWords(uuid);
    const place = words === null ? -1 : this.uuids.find(words);
    return place < 0 ? null : place;
  }

  /** The number of a series in the database: points are read by it. */
  idAt(place: number): number {
    return this.columns.id[place]!;
  }

  /** The data revision that last changed a series, its points included. */
  revisionAt(place: number): number {
    return this.columns.revision[place]!;
  }

  uuidAt(place: number): string {
    return uuidAt(this.columns, place);
  }

  currencyAt(place: number): string {
    return this.currencies[this.columns.currency[place]!]!;
  }

  /** The record of a reference table that a series refers to. */
  recordAt<T extends keyof ReferenceRecords>(table: T, place: number): ReferenceRecords[T] {
    return this.facts.of(table).at(this.columns[table][place]!);
  }

  /** The periodicity items of a series, finest first. */
  itemsAt(place: number): SeriesItem[] {
    const items: SeriesItem[] = [];
    for (const period of PERIODS) {
      const start = this.columns[`start${period}`][place]!;
      if (start === 0) continue;
      const calculated = (this.columns.calculated[place]! & (1 << period)) !== 0;
      items.push({ period, start, end: this.columns[`end${period}`][place]!, calculated });
    }
    return items;
  }

  /** Everything known of a series. */
  factsAt(place: number): SeriesFacts {
    return {
      id: this.idAt(place),
      uuid: this.uuidAt(place),
      commodity: this.recordAt('commodity', place),
      price_type: this.recordAt('price_type', place),
      market: this.recordAt('market', place),
      source: this.recordAt('source', place),
      measure_unit: this.recordAt('measure_unit', place),
      currency: this.currencyAt(place),
      items: this.itemsAt(place),
      lastDay: this.columns.last_day[place]! || null,
    };
  }

  private findCountryStarts(): Uint32Array {
    const { countries, countryOf } = this.facts.marketIndex;
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
