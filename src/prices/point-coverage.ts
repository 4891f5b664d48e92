import { Injectable } from '@nestjs/common';
import type { TimeSlice } from '../common/scheduling/time-slice.js';
import { Database } from '../database/database.js';
import type { CatalogueSnapshot } from '../price-series/catalogue-snapshot.js';
import type { Selection } from '../price-series/selection.js';
import { LONGEST_ID_LIST, idList } from './id-list.js';
import type { PointWindow, ExistenceProbe } from './point-window.js';

/** Series that are gone through between two turns of others. */
const SERIES_AT_ONCE = 10_000;
/** Findings that are remembered, over all windows. */
const FINDINGS = 300_000;
/** Places that the remembered lists may hold, 4 bytes each. */
const LISTED = 1_000_000;
/** What a list costs beside its places, counted in places. */
const LIST_OVERHEAD = 250;

/** Values: period, calculated, first and last day, ids. */
export const selectPresence = (ids: string) =>
  'SELECT (SELECT series_revision FROM data_revision WHERE id = 1), s.id, EXISTS (SELECT 1 FROM observation o' +
  ' WHERE o.serie_id = s.id AND o.period = ? AND o.calculated = ? AND o.day BETWEEN ? AND ?)' +
  ` FROM price_serie s WHERE s.id IN (${ids})`;

/** What was found out about series, by id: twice the revision of the series when it was so, and 1 more where it had a point. */
type Findings = Map<number, number>;

/** Which series have a point in a window. Mostly their periodicity tells; a gap that is as long as the window has to be looked at. */
@Injectable()
export class PointCoverage {
  /** What was found by looking, by window. */
  private readonly findings = new Map<string, Findings>();
  /** Finished lists of the newest state that was asked for. */
  private lists = new PresentLists(null);

  constructor(private readonly database: Database) {}

  /**
   * The places of the selected series that have a point in the window, in order.
   * @param gone stops the work: the client has left
   * @returns null where the database is at another revision than the selection's catalogue
   */
  async among(
    selection: Selection,
    window: PointWindow,
    pace: TimeSlice,
    gone: AbortSignal,
  ): Promise<Uint32Array | null> {
    if (this.lists.catalogue !== selection.catalogue) this.lists = new PresentLists(selection.catalogue);
    const { lists } = this;
    const key = window.presenceKey;
    const known = lists.get(selection, key);
    if (known !== undefined) return known;
    const { catalogue } = selection;
    const places = selection.slice();
    const has = new Uint8Array(places.length);
    const open: Open[] = [];
    const findings = this.findingsOf(key);
    // Read from the columns: a list of all series is gone through for its count alone.
    const asked = window.periods.map(
      (period) => [catalogue.columns[`start${period}`], catalogue.columns[`end${period}`]] as const,
    );
    for (let index = 0; index < places.length; index++) {
      const place = places[index]!;
      let told: boolean | null = false;
      for (const [starts, ends] of asked) {
        const start = starts[place]!;
        const tells = start === 0 ? false : window.tells(start, ends[place]!);
        if (tells !== false) told = tells;
        if (told) break;
      }
      if (told === null) {
        const finding = findings.get(catalogue.idAt(place));
        const absent = catalogue.revisionAt(place) * 2;
        if (finding === absent + 1) told = true;
        else if (finding !== absent) {
          const presence = window.presence(catalogue.itemsAt(place));
          if (typeof presence === 'boolean') told = presence;
          else open.push({ index, place, witnesses: presence });
        }
      }
      has[index] = Number(told === true);
      if (index % SERIES_AT_ONCE === 0) await pace.yield();
    }
    const complete = await this.look(catalogue, open, findings, has, pace, gone);
    if (!complete) return null;
    const present = places.filter((_, index) => has[index] === 1);
    lists.set(selection, key, present);
    return present;
  }

  /** Looks for the witnesses of series, kind by kind. What is found is kept even if the state changes on the way. */
  private async look(
    catalogue: CatalogueSnapshot,
    open: Open[],
    findings: Findings,
    has: Uint8Array,
    pace: TimeSlice,
    gone: AbortSignal,
  ): Promise<boolean> {
    for (
      let rest = open;
      rest.length > 0;
      rest = rest.filter(({ index, witnesses }) => !has[index] && witnesses.length > 0)
    ) {
      for (const [witness, series] of byWitness(rest)) {
        for (let from = 0; from < series.length; from += LONGEST_ID_LIST) {
          gone.throwIfAborted();
          const part = series.slice(from, from + LONGEST_ID_LIST);
          const found = await this.having(
            witness,
            part.map(({ place }) => catalogue.idAt(place)),
            catalogue,
          );
          if (found === null) return false;
          for (const { index, place, witnesses } of part) {
            const id = catalogue.idAt(place);
            if (found.has(id)) has[index] = 1;
            if (found.has(id) || witnesses.length === 0) {
              findings.set(id, catalogue.revisionAt(place) * 2 + has[index]!);
            }
          }
          await pace.yield();
        }
      }
    }
    this.forget();
    return true;
  }

  /** The ids of those series that have the witness; null where the database is at another revision. */
  private async having(
    { period, calculated, firstDay, lastDay }: ExistenceProbe,
    ids: readonly number[],
    catalogue: CatalogueSnapshot,
  ): Promise<Set<number> | null> {
    const { places, values } = idList(ids);
    const rows = await this.database.anywhere.arrays<[number, number, number]>(selectPresence(places), [
      period,
      calculated,
      firstDay,
      lastDay,
      ...values,
    ]);
    // Each series gives a row, so the revision is always told, unless all of them were deleted.
    if (Number(rows[0]?.[0]) !== catalogue.revisions.series) return null;
    return new Set(rows.filter(([, , exists]) => Number(exists) === 1).map(([, id]) => id));
  }

  private findingsOf(key: string): Findings {
    const known = this.findings.get(key) ?? new Map<number, number>();
    // Put last again: what was not asked for the longest goes first.
    this.findings.delete(key);
    this.findings.set(key, known);
    return known;
  }

  private forget(): void {
    let count = 0;
    for (const findings of this.findings.values()) count += findings.size;
    for (const [key, findings] of this.findings) {
      if (count <= FINDINGS) break;
      this.findings.delete(key);
      count -= findings.size;
    }
  }
}

/** Lists that were made of selections of one state of the series. */
class PresentLists {
  private readonly lists = new Map<Selection, Map<string, Uint32Array>>();
  private held = 0;

  constructor(readonly catalogue: CatalogueSnapshot | null) {}

  get(selection: Selection, window: string): Uint32Array | undefined {
    return this.lists.get(selection)?.get(window);
  }

  set(selection: Selection, window: string, places: Uint32Array): void {
    this.held += places.length + LIST_OVERHEAD;
    if (this.held > LISTED) {
      this.lists.clear();
      this.held = places.length + LIST_OVERHEAD;
    }
    const lists = this.lists.get(selection);
    if (lists !== undefined) lists.set(window, places);
    else this.lists.set(selection, new Map([[window, places]]));
  }
}

/** A series whose items do not tell. */
interface Open {
  /** In the selection. */
  index: number;
  place: number;
  /** Those that have not been looked for yet. */
  witnesses: ExistenceProbe[];
}

/** Series by the witness to be looked for next, which is taken off them. */
function byWitness(open: readonly Open[]): Iterable<[ExistenceProbe, Open[]]> {
  const groups = new Map<string, [ExistenceProbe, Open[]]>();
  for (const series of open) {
    const witness = series.witnesses.shift()!;
    const key = Object.values(witness).join(' ');
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [witness, [series]]);
    else group[1].push(series);
  }
  return groups.values();
}
