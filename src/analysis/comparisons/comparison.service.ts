import { Injectable } from '@nestjs/common';
import { firstDayOfMonth, isoFromDay } from '../../lib/dates/calendar-date.js';
import { toSignificantDigits } from '../../lib/numbers/significant-digits.js';
import { ValidationError, type Violation } from '../../platform/errors/api-error.js';
import { uuids as uuidsCondition } from '../../price-series/filters/conditions.js';
import { Criteria } from '../../price-series/filters/criteria.js';
import { entryJson } from '../../price-series/price-serie.view.js';
import type { SeriesPoints } from '../../prices/read/price-loader.js';
import { MAX_EXPLAINED, tooManyExplained } from '../explain/explain.parameters.js';
import {
  PriceExplanations,
  type SeriesExplanation,
  seriesExplanationsJson,
} from '../explain/price-explanation.js';
import { PRICE_FORMULAS, valueFormula } from '../explain/price-formulas.js';
import { commonBases, inTermsOf } from '../common-base.js';
import { ALL_MONTHS } from '../indicators/indicators.service.js';
import type { MonthlyColumn } from '../methods/monthly-column.js';
import { type Reason, REASONS } from '../methods/reason.js';
import { type MonthlyPriceColumns, priceColumns } from '../price-columns.js';
import { type SelectedSeries, SeriesLoader } from '../series-loader.js';
import { type ComparisonTerms, type Formula, termsOf } from './comparability.js';
import type { ComparisonRequest } from './comparison.parameters.js';
import { Optional, OrNull, RecordOf } from '../../platform/validation/field.js';
import { CalendarDate, Decimal, OneOf } from '../../platform/validation/fields.js';

/** The fields of an observation that can have a reason. */
export const COMPARED_FIELDS = ['value', 'a', 'b'] as const;
type ComparedField = (typeof COMPARED_FIELDS)[number];

/** One month of a comparison, as responses show it. */
export class ComparedMonth implements Record<ComparedField, number | null> {
  @CalendarDate() readonly date!: string;
  @OrNull(Decimal({ description: 'a ÷ b, or a − b' })) readonly value!: number | null;
  @OrNull(Decimal({ description: 'The price of a' })) readonly a!: number | null;
  @OrNull(Decimal({ description: 'The price of b' })) readonly b!: number | null;
  @RecordOf(COMPARED_FIELDS, Optional(OneOf(REASONS)))
  readonly reasons!: Partial<Record<ComparedField, Reason>>;
}

/** Two series, month by month. */
export interface Comparison {
  /** The JSON of the entries. */
  readonly a: string;
  readonly b: string;
  readonly terms: ComparisonTerms;
  /** The base period of real prices; null where they are not in real terms, or have none. */
  readonly base: string | null;
  /** Newest first. */
  readonly observations: readonly ComparedMonth[];
  /** What the observations were calculated from, as JSON; null where it is not asked for. */
  readonly explained: string | null;
  readonly revision: number;
}

/** Compares the prices of two series, calculated on read. */
@Injectable()
export class ComparisonService {
  constructor(
    private readonly loader: SeriesLoader,
    private readonly explanations: PriceExplanations,
  ) {}

  /**
   * Two series, month by month: each month that is over and in which one of them has a price.
   * @throws ValidationError for a series or a revision that does not exist, for prices that are not
   * comparable, and for more months than can be explained
   */
  async read(request: ComparisonRequest, signal: AbortSignal): Promise<Comparison> {
    const criteria = Criteria.none.and('uuids', request.uuids, uuidsCondition);
    const selected = await this.loader.select(criteria, request.view, signal);
    const { catalogue, revision } = selected;
    const rows = rowsOf(selected, request.uuids);
    const terms = termsOf(catalogue, rows, request);
    const [base] = await commonBases(this.loader, selected, terms.measure, [rows], signal);
    const points = new Map<number, SeriesPoints>();
    for await (const { row, series } of this.loader.load(selected, ALL_MONTHS, signal))
      points.set(row, inTermsOf(series, terms.measure, base!));
    const [a, b] = rows.map((row): ComparedSeries => {
      const series = points.get(row)!;
      return { series, columns: priceColumns(series, terms.measure, terms.per) };
    }) as [ComparedSeries, ComparedSeries];
    const months = monthsOf(a.columns.nominal, b.columns.nominal, request);
    return {
      a: entryJson(catalogue, rows[0]),
      b: entryJson(catalogue, rows[1]),
      terms,
      base: base!,
      observations: months.map((month) =>
        comparedMonth(a.columns.measured, b.columns.measured, month, terms.formula),
      ),
      explained: request.explain ? await this.explain(selected, [a, b], months, terms, signal) : null,
      revision,
    };
  }

  private async explain(
    { state }: SelectedSeries,
    compared: readonly ComparedSeries[],
    months: readonly number[],
    { measure, per, formula }: ComparisonTerms,
    signal: AbortSignal,
  ): Promise<string> {
    if (months.length > MAX_EXPLAINED)
      throw tooManyExplained(
        months.length,
        'months',
        'Select fewer of them by start_date, end_date or latest.',
      );
    const trees: SeriesExplanation[] = [];
    for (const { series, columns } of compared) {
      const prices = { series, columns, measure, real: false, months: new Set(months) };
      trees.push(await this.explanations.read(state, prices, signal));
    }
    const formulas = JSON.stringify({
      ...PRICE_FORMULAS,
      a: `${valueFormula(measure, per)} of the first of series`,
      b: `${valueFormula(measure, per)} of the second of series`,
      value: formula === 'ratio' ? 'a ÷ b' : 'a − b',
    });
    return `{"formulas":${formulas},"series":${await seriesExplanationsJson(trees)}}`;
  }
}

/** One of the two series. */
interface ComparedSeries {
  readonly series: SeriesPoints;
  readonly columns: MonthlyPriceColumns;
}

/** The catalogue rows of a and b. */
function rowsOf({ catalogue }: SelectedSeries, uuids: readonly string[]): [a: number, b: number] {
  const rows = uuids.map((uuid) => catalogue.find(uuid));
  const violations = uuids
    .filter((_, index) => rows[index] === null)
    .map((uuid) => violation('reference_missing', `There is no price series ${uuid}.`));
  if (violations.length > 0) throw new ValidationError(violations);
  const [a, b] = rows as [number, number];
  if (a === b)
    throw new ValidationError([
      violation('invalid_item', `uuids are of one series, ${catalogue.uuidAt(a)}: they were joined.`),
    ]);
  return [a, b];
}

const violation = (code: Violation['code'], detail: string): Violation => ({
  in: 'query',
  name: 'uuids',
  code,
  detail,
});

/** The requested months in which one of the series has a price, newest first. */
function monthsOf(a: MonthlyColumn, b: MonthlyColumn, { from, to, latest }: ComparisonRequest): number[] {
  const columns = [a, b].filter((column) => column.values.length > 0);
  const first = Math.min(...columns.map((column) => column.first));
  const months: number[] = [];
  for (let month = Math.max(...columns.map(({ last }) => last)); month >= first; month--) {
    const day = firstDayOfMonth(month);
    if (day < from || months.length >= latest) break;
    if (day <= to && columns.some((column) => column.has(month))) months.push(month);
  }
  return months;
}

function comparedMonth(a: MonthlyColumn, b: MonthlyColumn, month: number, formula: Formula): ComparedMonth {
  const reasons: ComparedMonth['reasons'] = {};
  const [valueOfA, valueOfB] = [a.at(month), b.at(month)];
  const reasonOfA = a.has(month) ? null : a.reasonAt(month);
  const reasonOfB = b.has(month) ? null : b.reasonAt(month);
  const reason = REASONS.find((each) => each === reasonOfA || each === reasonOfB);
  if (reason !== undefined) reasons.value = reason;
  if (reasonOfA !== null) reasons.a = reasonOfA;
  if (reasonOfB !== null) reasons.b = reasonOfB;
  const value = formula === 'ratio' ? valueOfA / valueOfB : valueOfA - valueOfB;
  return {
    date: isoFromDay(firstDayOfMonth(month)),
    value: reason === undefined ? toSignificantDigits(value) : null,
    a: reasonOfA === null ? toSignificantDigits(valueOfA) : null,
    b: reasonOfB === null ? toSignificantDigits(valueOfB) : null,
    reasons,
  };
}
