import { Injectable } from '@nestjs/common';
import { monthNumber, observationRange } from '../../analysis/analysis.parameters.js';
import { haveCommonBase, IN_DOLLARS } from '../../analysis/comparisons/comparability.js';
import { type Comparison, ComparisonService } from '../../analysis/comparisons/comparison.service.js';
import type { Measure, Per } from '../../analysis/price-columns.js';
import { SeriesLoader } from '../../analysis/series-loader.js';
import { type PriceTable, PriceTableService } from '../../analysis/tables/price-table.service.js';
import { TIME_AXES } from '../../analysis/tables/time-axis.js';
import { ValidationError, type Violation } from '../../platform/errors/api-error.js';
import type { RequestInfo } from '../../platform/http/request.js';
import { selectSeries } from '../../price-series/catalogue/selection.js';
import { sortRows } from '../../price-series/catalogue/series-order.js';
import type { CatalogueSnapshot } from '../../price-series/catalogue/catalogue-snapshot.js';
import { uuids as uuidsCondition } from '../../price-series/filters/conditions.js';
import { Criteria } from '../../price-series/filters/criteria.js';
import { findSeries } from '../browse/find-series.js';
import { comparedNames } from './compare-names.js';
import { type CompareQuery, uuidsOf, wordsOf } from './compare-state.js';

/** Series of one chart: as many as there are colours that can be told apart. */
export const MAX_COMPARED_SERIES = 8;

/** Series that a search lists. */
const MAX_FOUND = 12;
const NEWEST_FIRST = [{ column: 'last_price_date', descending: true }];

/** One series of a comparison; they are in the order of the address. */
export interface ComparedSeries {
  readonly uuid: string;
  readonly row: number;
  /** With its number, market, commodity and unit. */
  readonly label: string;
  /** What it alone has of these. */
  readonly name: string;
  /** By month number; months without a value are left out. */
  readonly values: ReadonlyMap<number, number>;
}

/** In which money, and per how much, a page shows several series. */
interface SharedTerms {
  readonly measure: Measure;
  readonly per: Per;
  /** Whether one chart can show them: they have a unit in common, or are indices. */
  readonly isCommon: boolean;
}

/** Series that words find. */
export interface FoundSeries {
  readonly words: string;
  readonly catalogue: CatalogueSnapshot;
  /** Of all that are found, without those that are compared already. */
  readonly count: number;
  /** The first of them, the newest prices first. */
  readonly rows: readonly number[];
}

/** What the page of a comparison is made of. */
export interface CompareView {
  readonly query: CompareQuery;
  readonly catalogue: CatalogueSnapshot;
  readonly revision: number;
  readonly terms: SharedTerms;
  /** The base period of the real prices of all series; null where they are not in real terms. */
  readonly realBase: string | null;
  readonly series: readonly ComparedSeries[];
  /** What is compared, in words. */
  readonly title: string;
  /** What all series have, such as commodity and country; empty where there is nothing. */
  readonly common: string;
  /** Month numbers in which a series has a price, newest first. */
  readonly months: readonly number[];
  /** The ratio or difference of two series; null where they are not comparable, and for others. */
  readonly comparison: Comparison | null;
  /** Why two series are not comparable; null where they are, and for other numbers of series. */
  readonly notComparable: Violation | null;
}

const NO_COMPARISON = { comparison: null, notComparable: null };

/** Loads what the page of a comparison shows, by the services of the API. */
@Injectable()
export class CompareViews {
  constructor(
    private readonly loader: SeriesLoader,
    private readonly tables: PriceTableService,
    private readonly comparisons: ComparisonService,
  ) {}

  /**
   * @throws ValidationError for more series than a chart shows, for one that does not exist, and
   * for a revision that does not exist
   */
  async read(query: CompareQuery, { signal, permit: { expectItems } }: RequestInfo): Promise<CompareView> {
    const uuids = uuidsOf(query);
    requireFew(uuids);
    const view = { asOf: query.as_of, firstPublished: false };
    const criteria = Criteria.none.and('uuids', uuids, uuidsCondition);
    const { catalogue } = await this.loader.select(criteria, view, signal);
    const terms = termsOf(catalogue, rowsOf(catalogue, uuids), query);
    const { base } = query;
    const settings = {
      axis: TIME_AXES.monthly,
      ...terms,
      aggregation: 'avg' as const,
      transformation: base === undefined ? ('lin' as const) : ('index' as const),
      base: base === undefined ? null : monthNumber(base),
    };
    const request = { criteria, filters: ['uuids'], settings, ...observationRange(query), view };
    const table = await this.tables.read(request, signal, expectItems);
    const asked = [...new Set(uuids.map((uuid) => table.catalogue.find(uuid)!))];
    const { title, common, names } = comparedNames(table.catalogue, asked);
    const series = seriesOf(table, asked, names);
    return {
      query,
      catalogue: table.catalogue,
      revision: table.revision,
      terms,
      // One for all: they are in one currency.
      realBase: table.bases[0] ?? null,
      series,
      title,
      common,
      months: table.numbers,
      ...(series.length === 2 && uuids.length === 2
        ? await this.compare(query, terms, signal)
        : NO_COMPARISON),
    };
  }

  /**
   * The series that could be added by words; null where none are searched.
   * @throws ValidationError for a revision that does not exist
   */
  async search(query: CompareQuery, { signal }: RequestInfo): Promise<FoundSeries | null> {
    const words = wordsOf(query);
    if (words === null) return null;
    const view = { asOf: query.as_of, firstPublished: false };
    const { catalogue } = await this.loader.select(Criteria.none, view, signal);
    const { criteria } = await findSeries(catalogue, { search: words });
    const compared = new Set(uuidsOf(query).map((uuid) => catalogue.find(uuid)));
    const others = selectSeries(catalogue, criteria)
      .slice()
      .filter((row) => !compared.has(row));
    const sorted = await sortRows(catalogue, others, NEWEST_FIRST);
    return { words, catalogue, count: others.length, rows: Array.from(sorted.slice(0, MAX_FOUND)) };
  }

  private async compare(
    query: CompareQuery,
    { measure, per }: SharedTerms,
    signal: AbortSignal,
  ): Promise<Pick<CompareView, 'comparison' | 'notComparable'>> {
    const [a, b] = uuidsOf(query) as [string, string];
    const { formula = 'ratio' } = query;
    const view = { asOf: query.as_of, firstPublished: false };
    const request = { uuids: [a, b] as const, formula, measure, per, view, explain: false };
    try {
      const comparison = await this.comparisons.read({ ...request, ...observationRange(query) }, signal);
      return { comparison, notComparable: null };
    } catch (error) {
      const violation = error instanceof ValidationError ? error.errors?.[0] : undefined;
      if (violation?.code !== 'not_comparable') throw error;
      return { comparison: null, notComparable: violation };
    }
  }
}

function requireFew(uuids: readonly string[]): void {
  if (uuids.length <= MAX_COMPARED_SERIES) return;
  const detail = `uuids must be those of at most ${MAX_COMPARED_SERIES} series; got ${uuids.length}.`;
  throw new ValidationError([
    {
      in: 'query',
      name: 'uuids',
      code: 'too_many_items',
      detail,
      max: MAX_COMPARED_SERIES,
      count: uuids.length,
    },
  ]);
}

function rowsOf(catalogue: CatalogueSnapshot, uuids: readonly string[]): number[] {
  const missing = uuids.filter((uuid) => catalogue.find(uuid) === null);
  if (missing.length > 0)
    throw new ValidationError(
      missing.map((uuid) => ({
        in: 'query',
        name: 'uuids',
        code: 'reference_missing',
        detail: `There is no price series ${uuid}.`,
      })),
    );
  return uuids.map((uuid) => catalogue.find(uuid)!);
}

/**
 * As `measure` and `per` say where the series have one currency and one unit; in dollars where the
 * currencies differ, and per kilogram or litre where the units do. Indices need neither.
 */
function termsOf(catalogue: CatalogueSnapshot, rows: readonly number[], query: CompareQuery): SharedTerms {
  const { measure = 'nominal', per = 'unit', base } = query;
  const units = rows.map((row) => catalogue.referenceAt('measure_unit', row));
  if (base !== undefined) return { measure, per: 'unit', isCommon: true };
  const oneCurrency = new Set(rows.map((row) => catalogue.currencyAt(row))).size <= 1;
  const oneUnit = new Set(units.map(({ id }) => id)).size <= 1;
  const hasBase = haveCommonBase(units);
  return {
    measure: oneCurrency ? measure : IN_DOLLARS[measure],
    per: hasBase && (!oneUnit || per === 'base') ? 'base' : 'unit',
    isCommon: oneUnit || hasBase,
  };
}

/** @param asked rows of the catalogue in the order of the address; joined series stand once */
function seriesOf(
  { catalogue, rows, labels, series }: PriceTable,
  asked: readonly number[],
  names: readonly string[],
): ComparedSeries[] {
  return asked.map((row, order) => {
    const index = rows.indexOf(row);
    const { numbers, values } = series[index]!;
    const pairs = numbers.map((number, at) => [number, values[at]!] as const);
    return {
      uuid: catalogue.uuidAt(row),
      row,
      label: `${order + 1} · ${labels[index]}`,
      name: names[order]!,
      values: new Map(pairs.filter(([, value]) => !Number.isNaN(value))),
    };
  });
}
