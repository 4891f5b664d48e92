import type { Parameter } from '../../platform/validation/parsers.js';
import type { SeriesQuery } from '../catalogue/series-query.js';

/** Applies a filter with the given value to a query. */
export type Condition<T> = (value: T, query: SeriesQuery) => void;

/** A query parameter that selects series: its parser, its description and its condition. */
interface SeriesFilter<T> extends Parameter<T> {
  readonly condition: Condition<T>;
}

/** Pairs a parameter with its condition. */
export function filter<T>(parameter: Parameter<T>, condition: Condition<T>): SeriesFilter<T> {
  return { ...parameter, condition };
}

/** Conditions with their values. A series has to meet all of them. */
export class Criteria {
  /** Met by every series. */
  static readonly none = new Criteria('', []);

  private constructor(
    /** Equal for equal conditions and values. */
    readonly key: string,
    private readonly terms: readonly ((query: SeriesQuery) => void)[],
  ) {}

  /** The filters of a table that have a value. Parameters without a condition are ignored. */
  static of(table: object, values: object): Criteria {
    let criteria = Criteria.none;
    for (const [name, parameter] of Object.entries(table)) {
      const value = (values as Record<string, unknown>)[name];
      const { condition } = parameter as Partial<SeriesFilter<unknown>>;
      if (value !== undefined && condition !== undefined) criteria = criteria.and(name, value, condition);
    }
    return criteria;
  }

  /** Adds a condition. The name distinguishes it in `key` from conditions with the same value. */
  and<T>(name: string, value: T, condition: Condition<T>): Criteria {
    return new Criteria(`${this.key}${JSON.stringify([name, value])}`, [
      ...this.terms,
      (query) => condition(value, query),
    ]);
  }

  /** These conditions and the others. */
  with(others: Criteria): Criteria {
    return new Criteria(this.key + others.key, [...this.terms, ...others.terms]);
  }

  /** Applies all conditions to the query. */
  apply(query: SeriesQuery): void {
    for (const term of this.terms) term(query);
  }
}
