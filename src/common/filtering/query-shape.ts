import { cut, type Violation, ValidationError, MAX_VIOLATIONS } from '../errors/api-error.js';
import type { QueryPairs } from '../http/query-pairs.js';
import { nearest } from './nearest.js';
import type { Parameter, ParseContext } from './parsers.js';

/** The parameters of a route, by name. One line each is all there is to say of them: it is documentation, too. */
export type ParameterTable = Record<string, Parameter<unknown>>;

/** What a table reads: parameters that were not given are absent. */
export type QueryValues<T extends ParameterTable> = {
  [K in keyof T]?: T[K] extends Parameter<infer V> ? V : never;
};

export interface QueryRules<Name extends string = string> {
  /** Pairs of dates where the first may not lie after the second. */
  ranges?: readonly (readonly [Name, Name])[];
}

export interface QueryReading {
  context: ParseContext;
  /** The formats of the route; `format` is checked against them. */
  formats: readonly string[];
  /** Unknown parameters are handed to this instead of being refused. */
  ignore?: (names: string[]) => void;
}

/** Known to every route: the answer's format, and what scripts add to get past caches. */
const EVERYWHERE = ['format', '_'];

/** The query string of a route: which parameters it takes and how they are read. */
export class QueryShape<T extends ParameterTable = ParameterTable> {
  private readonly names: string[];

  readonly rules: QueryRules;

  constructor(
    readonly parameters: T,
    rules: QueryRules<keyof T & string> = {},
  ) {
    this.rules = rules;
    this.names = [...Object.keys(parameters), ...EVERYWHERE];
  }

  /**
   * All values of a query string.
   * @throws InvalidInput naming every fault there is
   */
  read(pairs: QueryPairs, reading: QueryReading): QueryValues<T> {
    const faults: Violation[] = [...pairs.faults];
    const given = new Map<string, string[]>();
    const unknown = new Set<string>();
    for (const { name, value } of pairs) {
      if (!EVERYWHERE.includes(name) && !Object.hasOwn(this.parameters, name)) unknown.add(name);
      else if (value !== '') {
        const values = given.get(name);
        if (values) values.push(value);
        else given.set(name, [value]);
      }
    }
    if (reading.ignore) reading.ignore([...unknown]);
    else for (const name of unknown) faults.push(this.unknown(name, faults.length < MAX_VIOLATIONS));
    faults.push(...formatFaults(given.get('format') ?? [], reading.formats));

    const values: Record<string, unknown> = {};
    for (const [name, parameter] of Object.entries(this.parameters)) {
      const texts = given.get(name);
      if (texts === undefined) continue;
      const parsed = parameter.parse(name, texts, reading.context);
      if ('faults' in parsed) faults.push(...parsed.faults);
      else values[name] = parsed.value;
    }
    for (const [from, to] of this.rules.ranges ?? []) faults.push(...reversed(from, to, values));
    if (faults.length > 0) throw new ValidationError(faults);
    return values as QueryValues<T>;
  }

  private unknown(name: string, suggest: boolean): Violation {
    const suggestion = suggest ? nearest(name, this.names) : undefined;
    const hint = suggestion === undefined ? '' : ` Did you mean ${suggestion}?`;
    return {
      in: 'query',
      name: cut(name),
      code: 'unknown_parameter',
      detail: `There is no parameter ${cut(name)}.${hint}`,
      ...(suggestion === undefined ? {} : { suggestion }),
    };
  }
}

/** A route without parameters. */
export const noParameters = new QueryShape({});

function formatFaults(values: string[], formats: readonly string[]): Violation[] {
  if (formats.length === 0 || values.length === 0) return [];
  const fault = { in: 'query', name: 'format' } as const;
  if (values.length > 1)
    return [{ ...fault, code: 'repeated_parameter', detail: 'format may be given only once.' }];
  if (formats.includes(values[0] as string)) return [];
  const detail = `format: ${cut(values[0] as string)} is not one of ${formats.join(', ')}.`;
  return [{ ...fault, code: 'invalid_choice', detail, allowed: formats }];
}

function reversed(from: string, to: string, values: Record<string, unknown>): Violation[] {
  const first = values[from];
  const last = values[to];
  if (typeof first !== 'string' || typeof last !== 'string' || first <= last) return [];
  const detail = `${from} (${first}) lies after ${to} (${last}).`;
  return [from, to].map((name) => ({ in: 'query', name, code: 'reversed_range', detail }));
}
