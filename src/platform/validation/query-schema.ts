import { truncate, type Violation, ValidationError, MAX_VIOLATIONS } from '../errors/api-error.js';
import type { QueryPairs } from './query-pairs.js';
import { closestMatch } from '../../lib/text/closest-match.js';
import type { Parameter, ParseContext, RequiredParameter } from './parsers.js';

/** The parameters of a route, by name. The OpenAPI document is generated from the same table. */
export type ParameterTable = Record<string, Parameter<unknown>>;

/** The parsed values of a query string; optional parameters that were not given are absent. */
export type QueryValues<T extends ParameterTable> = {
  [K in keyof T as T[K] extends RequiredParameter<unknown> ? never : K]?: ValueOf<T[K]>;
} & { [K in keyof T as T[K] extends RequiredParameter<unknown> ? K : never]: ValueOf<T[K]> };

type ValueOf<P> = P extends Parameter<infer V> ? V : never;

interface QueryRules<Name extends string = string> {
  /** Pairs of dates of which the first must not be after the second. */
  ranges?: readonly (readonly [Name, Name])[];
}

export interface QueryParseOptions {
  context: ParseContext;
  /** The formats of the route; `format` is checked against them. */
  formats: readonly string[];
  /** Receives the names of unknown parameters, which are then not a violation. */
  onUnknown?: (names: string[]) => void;
}

/** Parameters of every route: the response format, and the cache buster that scripts add. */
const COMMON_PARAMETERS = ['format', '_'];

/** The query string of a route: which parameters it accepts and how they are parsed. */
export class QuerySchema<T extends ParameterTable = ParameterTable> {
  private readonly names: string[];

  readonly rules: QueryRules;

  constructor(
    readonly parameters: T,
    rules: QueryRules<keyof T & string> = {},
  ) {
    this.rules = rules;
    this.names = [...Object.keys(parameters), ...COMMON_PARAMETERS];
  }

  /** The values of a query string. @throws ValidationError with all violations */
  parse(pairs: QueryPairs, options: QueryParseOptions): QueryValues<T> {
    const violations: Violation[] = [...pairs.violations];
    const given = new Map<string, string[]>();
    const unknown = new Set<string>();
    for (const { name, value } of pairs) {
      if (!COMMON_PARAMETERS.includes(name) && !Object.hasOwn(this.parameters, name)) unknown.add(name);
      else if (value !== '') {
        const values = given.get(name);
        if (values) values.push(value);
        else given.set(name, [value]);
      }
    }
    if (options.onUnknown) options.onUnknown([...unknown]);
    else {
      for (const name of unknown)
        violations.push(this.unknownParameter(name, violations.length < MAX_VIOLATIONS));
    }
    violations.push(...formatViolations(given.get('format') ?? [], options.formats));

    const values: Record<string, unknown> = {};
    for (const [name, parameter] of Object.entries(this.parameters)) {
      const texts = given.get(name);
      if (texts === undefined) {
        const { missing } = parameter;
        if (missing !== undefined) violations.push({ in: 'query', name, code: 'required', ...missing });
        continue;
      }
      const parsed = parameter.parse(name, texts, options.context);
      if ('violations' in parsed) violations.push(...parsed.violations);
      else values[name] = parsed.value;
    }
    for (const [from, to] of this.rules.ranges ?? []) violations.push(...reversedRange(from, to, values));
    if (violations.length > 0) throw new ValidationError(violations);
    return values as QueryValues<T>;
  }

  private unknownParameter(name: string, suggest: boolean): Violation {
    const suggestion = suggest ? closestMatch(name, this.names) : undefined;
    const hint = suggestion === undefined ? '' : ` Did you mean ${suggestion}?`;
    return {
      in: 'query',
      name: truncate(name),
      code: 'unknown_parameter',
      detail: `There is no parameter ${truncate(name)}.${hint}`,
      ...(suggestion === undefined ? {} : { suggestion }),
    };
  }
}

/** A route without parameters. */
export const noParameters = new QuerySchema({});

function formatViolations(values: string[], formats: readonly string[]): Violation[] {
  if (formats.length === 0 || values.length === 0) return [];
  const violation = { in: 'query', name: 'format' } as const;
  if (values.length > 1)
    return [{ ...violation, code: 'repeated_parameter', detail: 'format may be given only once.' }];
  const [format = ''] = values;
  if (formats.includes(format)) return [];
  const detail = `format must be one of ${formats.join(', ')}; got "${truncate(format)}".`;
  return [{ ...violation, code: 'invalid_choice', detail, allowed: formats }];
}

function reversedRange(from: string, to: string, values: Record<string, unknown>): Violation[] {
  const first = values[from];
  const last = values[to];
  if (typeof first !== 'string' || typeof last !== 'string' || first <= last) return [];
  const detail = `${from} (${first}) must not be after ${to} (${last}).`;
  return [from, to].map((name) => ({ in: 'query', name, code: 'reversed_range', detail }));
}
