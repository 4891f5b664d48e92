import type { Parameter } from '../../platform/validation/parsers.js';
import type { SeriesQuery } from '../catalogue/series-query.js';
import type { CatalogueScope, SeriesScope } from '../series-status.js';

/** Applies a filter with the given value to a query. */
export type Condition<T> = (value: T, query: SeriesQuery) => void;

/** A query parameter that selects series: its parser, its description and its condition. */
interface SeriesFilter<T> extends Parameter<T> {
  readonly condition: Condition<T>;
  readonly scope?: ((value: T) => SeriesScope) | undefined;
}

/**
 * Pairs a parameter with its condition.
 * @param scope the series that it chooses among; by default observed ones
 */
export function filter<T>(
  parameter: Parameter<T>,
  condition: Condition<T>,
  scope?: (value: T) => SeriesScope,
): SeriesFilter<T> {
  return { ...parameter, condition, scope };
}

/** Conditions with their values. A series has to meet all of them. */
export class Criteria {
  /** Met by every series. */
  static readonly none = new Criteria('', []);

  private constructor(
    /** Equal for equal conditions and values. */
    readonly key: string,
    private readonly terms: readonly ((query: SeriesQuery) => void)[],
    /** The series that they choose among. */
    readonly scope: SeriesScope = 'observed',
  ) {}

  /** The filters of a table that have a value. Parameters without a condition are ignored. */
  static of(table: object, values: object): Criteria {
    let criteria = Criteria.none;
    for (const [name, parameter] of Object.entries(table)) {
      const value = (values as Record<string, unknown>)[name];
      const { condition, scope } = parameter as Partial<SeriesFilter<unknown>>;
      if (value === undefined || condition === undefined) continue;
      criteria = criteria.and(name, value, condition, scope?.(value));
    }
    return criteria;
  }

  /** Adds a condition. The name distinguishes it in `key` from conditions with the same value. */
  and<T>(name: string, value: T, condition: Condition<T>, scope: SeriesScope = 'observed'): Criteria {
    return new Criteria(
      `${this.key}${JSON.stringify([name, value])}`,
      [...this.terms, (query) => condition(value, query)],
      widerScope(this.scope, scope),
    );
  }

  /** These conditions and the others. */
  with(others: Criteria): Criteria {
    const scope = widerScope(this.scope, others.scope);
    return new Criteria(this.key + others.key, [...this.terms, ...others.terms], scope);
  }

  /** The same conditions for the series of a snapshot. */
  within(scope: CatalogueScope): Criteria {
    return new Criteria(this.key, this.terms, scope);
  }

  /** Applies all conditions to the query. */
  apply(query: SeriesQuery): void {
    for (const term of this.terms) term(query);
  }
}

/** What is chosen by status is among all series, even where uuids are named as well. */
function widerScope(one: SeriesScope, other: SeriesScope): SeriesScope {
  if (one === 'observed' || other === 'all') return other;
  return one === 'all' || other === 'observed' ? one : { uuids: [...one.uuids, ...other.uuids] };
}
