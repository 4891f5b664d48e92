import type { Parameter } from '../common/filtering/parsers.js';
import type { SeriesQuery } from './series-query.js';

/** What a filter asks of a series, for a value that was given. */
export type Condition<T> = (value: T, query: SeriesQuery) => void;

/** A query parameter that chooses series: how it is read, how it is documented, and what it asks. */
export interface SeriesFilter<T> extends Parameter<T> {
  readonly condition: Condition<T>;
}

/** Pairs a parameter with its condition. */
export function filter<T>(parameter: Parameter<T>, condition: Condition<T>): SeriesFilter<T> {
  return { ...parameter, condition };
}

/** Conditions with the values they are asked with. All have to be met. */
export class Criteria {
  /** Met by every series. */
  static readonly none = new Criteria('', []);

  private constructor(
    /** The same for the same conditions and values. */
    readonly key: string,
    private readonly terms: readonly ((query: SeriesQuery) => void)[],
  ) {}

  /** The filters of a table whose parameter has a value; parameters of other kinds are passed over. */
  static of(table: object, values: object): Criteria {
    let criteria = Criteria.none;
    for (const [name, parameter] of Object.entries(table)) {
      const value = (values as Record<string, unknown>)[name];
      const { condition } = parameter as Partial<SeriesFilter<unknown>>;
      if (value !== undefined && condition !== undefined) criteria = criteria.and(name, value, condition);
    }
    return criteria;
  }

  /** One condition more. The name tells the condition from others that take the same values. */
  and<T>(name: string, value: T, condition: Condition<T>): Criteria {
    return new Criteria(`${this.key}${JSON.stringify([name, value])}`, [
      ...this.terms,
      (query) => condition(value, query),
    ]);
  }

  /** These and the others. */
  with(others: Criteria): Criteria {
    return new Criteria(this.key + others.key, [...this.terms, ...others.terms]);
  }

  /** Asks all conditions. */
  apply(query: SeriesQuery): void {
    for (const term of this.terms) term(query);
  }
}
