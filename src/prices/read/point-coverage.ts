import { Injectable } from '@nestjs/common';
import type { ExpectItems } from '../../platform/formats/listing.js';
import type { TimeSlice } from '../../lib/scheduling/time-slice.js';
import { Database } from '../../database/database.js';
import { firstDayOfMonth, monthOf } from '../../lib/dates/calendar-date.js';
import { DAILY, WEEKLY } from '../../price-series/periodicity.js';
import type { CatalogueSnapshot } from '../../price-series/catalogue/catalogue-snapshot.js';
import type { Selection } from '../../price-series/catalogue/selection.js';
import { COUNTED_MONTHS, selectMonthCount, selectWeekCount, WEEK_DAYS } from '../store/derived-counts.js';
import { selectCount, selectExistence, selectPastExistence } from '../store/point-existence.js';
import { MAX_LIST_IDS, idList } from './id-list.js';
import type { PointWindow, ExistenceProbe } from './point-window.js';

/** Series that are checked between two yields to the event loop. */
const SERIES_PER_YIELD = 10_000;
/** Probe results that are cached, over all windows. */
const MAX_PROBE_RESULTS = 300_000;
/** Rows that the cached lists may hold, 4 bytes each. */
const MAX_CACHED_ROWS = 1_000_000;
/** What a cached list costs besides its rows, counted in rows. */
const LIST_OVERHEAD = 250;

/** Above every day that is stored. */
const LAST_DAY = 2 ** 22;

/** By series id: twice the revision of the series that was probed, plus 1 where it had a point. */
type ProbeResults = Map<number, number>;

/**
 * Which series have a point in a window. Their periodicity mostly decides it; where a series could
 * have a gap as long as the window, its points are probed.
 */
@Injectable()
export class PointCoverage {
  /** By the coverage key of the window; the least recently used one first. */
  private readonly probeResults = new Map<string, ProbeResults>();
  private readonly listsOf = new WeakMap<CatalogueSnapshot, CoveredRowLists>();

  constructor(private readonly database: Database) {}

  /**
   * The rows of the selected series that have a point in the window, in order.
   * @param expectItems awaited before series are probed, with their number
   * @returns null where the database is at another revision than the selection's catalogue
   */
  async rowsWithPoints(
    selection: Selection,
    window: PointWindow,
    timeSlice: TimeSlice,
    signal: AbortSignal,
    expectItems: ExpectItems,
  ): Promise<Uint32Array | null> {
    const { catalogue } = selection;
    let lists = this.listsOf.get(catalogue);
    if (lists === undefined) this.listsOf.set(catalogue, (lists = new CoveredRowLists()));
    const key = window.coverageKey;
    const cached = lists.get(selection, key);
    if (cached !== undefined) return cached;
    const rows = selection.slice();
    const covered = new Uint8Array(rows.length);
    const pending: PendingSeries[] = [];
    const results = this.probeResultsFor(key);
    // Read from the columns: a list of all series may be requested for its count alone.
    const columns = window.periods.map(
      (period) => [catalogue.columns[`start${period}`], catalogue.columns[`end${period}`]] as const,
    );
    for (let index = 0; index < rows.length; index++) {
      const row = rows[index]!;
      let isCovered: boolean | null = false;
      for (const [starts, ends] of columns) {
        const start = starts[row]!;
        const byItem = start === 0 ? false : window.coverageOfItem(start, ends[row]!);
        if (byItem !== false) isCovered = byItem;
        if (isCovered) break;
      }
      if (isCovered === null) {
        const result = results.get(catalogue.idAt(row));
        const absent = catalogue.revisionAt(row) * 2;
        if (result === absent + 1) isCovered = true;
        else if (result !== absent) {
          const coverage = window.coverage(catalogue.periodicityAt(row));
          if (typeof coverage === 'boolean') isCovered = coverage;
          else pending.push({ index, row, probes: coverage });
        }
      }
      covered[index] = Number(isCovered === true);
      if (index % SERIES_PER_YIELD === 0) await timeSlice.yield();
    }
    await expectItems(pending.length);
    const complete = await this.runProbes(catalogue, pending, results, covered, timeSlice, signal);
    if (!complete) return null;
    // Shared where all are covered: each of many long replies would hold a list of all series.
    const found = covered.includes(0) ? rows.filter((_, index) => covered[index] === 1) : rows;
    lists.set(selection, key, found);
    return found;
  }

  /**
   * How many points of a window are stored for some series as they were published, counted until
   * there are more than `most`: each is a point of a reply, which may have derived ones besides.
   */
  async countOriginals(
    catalogue: CatalogueSnapshot,
    rows: Uint32Array,
    { periods, from, to }: PointWindow,
    most: number,
    signal: AbortSignal,
  ): Promise<number> {
    let count = 0;
    for (let start = 0; start < rows.length && count <= most; start += MAX_LIST_IDS) {
      signal.throwIfAborted();
      const ids = Array.from(rows.subarray(start, start + MAX_LIST_IDS), (row) => catalogue.idAt(row));
      const { placeholders, values } = idList(ids);
      const [[counted] = [0]] = await this.database.anyServer.arrays<[number]>(
        selectCount(placeholders, periods.length, most + 1),
        [...values, ...periods, from, Math.min(to, LAST_DAY)],
      );
      count += Number(counted);
    }
    return count;
  }

  /**
   * How many derived points of a window some series have at least, counted until there are more
   * than `most`: the weeks of their daily points, and the months of daily and weekly ones. The last
   * week of a series may not be over, so one of each is left out.
   */
  async countDerived(
    catalogue: CatalogueSnapshot,
    rows: Uint32Array,
    { periods, from, to }: PointWindow,
    most: number,
    signal: AbortSignal,
  ): Promise<number> {
    const end = Math.min(to, LAST_DAY);
    const month = firstDayOfMonth(monthOf(from));
    const firstMonth = Math.max(
      month < from ? firstDayOfMonth(monthOf(from) + 1) : month,
      COUNTED_MONTHS.first,
    );
    const lastMonth = Math.min(end, COUNTED_MONTHS.last);
    let count = 0;
    for (const period of periods) {
      if (period === DAILY) continue;
      const derived = rows.filter((row) => (catalogue.columns.calculated[row]! & (1 << period)) !== 0);
      for (let start = 0; start < derived.length && count <= most; start += MAX_LIST_IDS) {
        signal.throwIfAborted();
        const ids = Array.from(derived.subarray(start, start + MAX_LIST_IDS), (row) => catalogue.idAt(row));
        const { placeholders, values } = idList(ids);
        const enough = most + 1 + ids.length;
        const [statement, days] =
          period === WEEKLY
            ? [selectWeekCount(placeholders, enough), [from, end - WEEK_DAYS]]
            : [
                selectMonthCount(placeholders, enough),
                [firstMonth - WEEK_DAYS, lastMonth + WEEK_DAYS, firstMonth, lastMonth],
              ];
        const [[counted] = [0]] = await this.database.anyServer.arrays<[number]>(statement, [
          ...values,
          ...days,
        ]);
        count += Math.max(0, Number(counted) - (period === WEEKLY ? ids.length : 0));
      }
    }
    return count;
  }

  /** Runs the probes of series, grouped. Results are cached even if the revision changes. */
  private async runProbes(
    catalogue: CatalogueSnapshot,
    pending: PendingSeries[],
    results: ProbeResults,
    covered: Uint8Array,
    timeSlice: TimeSlice,
    signal: AbortSignal,
  ): Promise<boolean> {
    for (
      let rest = pending;
      rest.length > 0;
      rest = rest.filter(({ index, probes }) => !covered[index] && probes.length > 0)
    ) {
      for (const [probe, series] of groupByNextProbe(rest)) {
        for (let from = 0; from < series.length; from += MAX_LIST_IDS) {
          signal.throwIfAborted();
          const batch = series.slice(from, from + MAX_LIST_IDS);
          const found = await this.idsMatching(
            probe,
            batch.map(({ row }) => catalogue.idAt(row)),
            catalogue,
          );
          if (found === null) return false;
          for (const { index, row, probes } of batch) {
            const id = catalogue.idAt(row);
            if (found.has(id)) covered[index] = 1;
            if (found.has(id) || probes.length === 0) {
              results.set(id, catalogue.revisionAt(row) * 2 + covered[index]!);
            }
          }
          await timeSlice.yield();
        }
      }
    }
    this.evict();
    return true;
  }

  /**
   * The ids of the series that match a probe, by points of their own or of series that were joined
   * into them; null where the database is at another revision.
   */
  private async idsMatching(
    probe: ExistenceProbe,
    ids: readonly number[],
    catalogue: CatalogueSnapshot,
  ): Promise<Set<number> | null> {
    const found = await this.idsWithPoint(probe, ids, catalogue);
    for (const id of found === null ? [] : ids) {
      for (const { serieId, firstDay, lastDay } of catalogue.joined.joins.membersOf(id) ?? []) {
        if (found!.has(id)) break;
        const shown = {
          ...probe,
          firstDay: Math.max(probe.firstDay, firstDay),
          lastDay: Math.min(probe.lastDay, lastDay),
        };
        const own = await this.idsWithPoint(shown, [serieId], catalogue);
        if (own === null) return null;
        if (own.has(serieId)) found!.add(id);
      }
    }
    return found;
  }

  /** The ids of the series that have a point of their own; null as for `idsMatching`. */
  private async idsWithPoint(
    { period, calculated, firstDay, lastDay }: ExistenceProbe,
    ids: readonly number[],
    catalogue: CatalogueSnapshot,
  ): Promise<Set<number> | null> {
    const { placeholders, values } = idList(ids);
    const { asOf } = catalogue;
    const probe = [period, calculated, firstDay, lastDay];
    if (asOf !== null) {
      const bound = [...probe, asOf, ...probe, asOf, asOf, ...values, ...values];
      return existing(
        await this.database.anyServer.arrays<ExistenceRow>(selectPastExistence(placeholders), bound),
      );
    }
    const rows = await this.database.anyServer.arrays<ExistenceRow>(selectExistence(placeholders), [
      ...probe,
      ...values,
    ]);
    // Each series returns a row, so the revision is missing only if all of them were deleted.
    if (Number(rows[0]?.[0]) !== catalogue.revisions.series) return null;
    return existing(rows);
  }

  private probeResultsFor(key: string): ProbeResults {
    const results = this.probeResults.get(key) ?? new Map<number, number>();
    // Inserted again at the end, so that the least recently used ones are evicted first.
    this.probeResults.delete(key);
    this.probeResults.set(key, results);
    return results;
  }

  private evict(): void {
    let count = 0;
    for (const results of this.probeResults.values()) count += results.size;
    for (const [key, results] of this.probeResults) {
      if (count <= MAX_PROBE_RESULTS) break;
      this.probeResults.delete(key);
      count -= results.size;
    }
  }
}

type ExistenceRow = [revision: number, serieId: number, exists: number];

const existing = (rows: readonly ExistenceRow[]) =>
  new Set(rows.filter(([, , exists]) => Number(exists) === 1).map(([, id]) => id));

/** Cached lists of rows with points, by selection and window, for one snapshot of the catalogue. */
class CoveredRowLists {
  private readonly lists = new Map<Selection, Map<string, Uint32Array>>();
  private used = 0;

  get(selection: Selection, window: string): Uint32Array | undefined {
    return this.lists.get(selection)?.get(window);
  }

  set(selection: Selection, window: string, rows: Uint32Array): void {
    this.used += rows.length + LIST_OVERHEAD;
    if (this.used > MAX_CACHED_ROWS) {
      this.lists.clear();
      this.used = rows.length + LIST_OVERHEAD;
    }
    const lists = this.lists.get(selection);
    if (lists !== undefined) lists.set(window, rows);
    else this.lists.set(selection, new Map([[window, rows]]));
  }
}

/** A series whose periodicity does not decide whether it has a point in the window. */
interface PendingSeries {
  /** In the selection. */
  index: number;
  row: number;
  /** Those that have not been run yet. */
  probes: ExistenceProbe[];
}

/** Takes the next probe off each series and groups the series by it. */
function groupByNextProbe(pending: readonly PendingSeries[]): Iterable<[ExistenceProbe, PendingSeries[]]> {
  const groups = new Map<string, [ExistenceProbe, PendingSeries[]]>();
  for (const series of pending) {
    const probe = series.probes.shift()!;
    const key = Object.values(probe).join(' ');
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [probe, [series]]);
    else group[1].push(series);
  }
  return groups.values();
}
