import { createParamDecorator, type ExecutionContext, type PipeTransform, type Type } from '@nestjs/common';
import type { Request } from 'express';
import { ValidationError, type Violation } from '../errors/api-error.js';
import { listFormat } from '../formats/formats.js';
import type { ListFormat } from '../formats/list-format.js';
import { isPageFormat } from '../formats/page-formats.js';
import {
  noParameters,
  type ParameterTable,
  type QueryParseOptions,
  type QuerySchema,
  type QueryValues,
} from '../validation/query-schema.js';
import { assertObject, validateBody, type ValidateBodyOptions } from '../validation/validate-body.js';
import { infoOf, type RequestInfo } from './request.js';
import { QUERY } from './routes.js';

/** Names listed in `X-Ignored-Parameters`. */
const MAX_IGNORED_NAMES = 20;

export interface QueryOptions {
  /** Unknown parameters are ignored, and listed in `X-Ignored-Parameters`. */
  ignoreUnknown?: boolean;
}

/** A validated query, as pipes receive it. */
export interface ParsedQuery<T extends ParameterTable = ParameterTable> {
  values: QueryValues<T>;
  /** The format of the reply, which must be one of lists. */
  readonly format: ListFormat;
  readonly maxPageSize: number;
}

class QueryOfRequest<T extends ParameterTable> implements ParsedQuery<T> {
  constructor(
    readonly values: QueryValues<T>,
    private readonly info: RequestInfo,
  ) {}

  get format(): ListFormat {
    return listFormat(this.info.format);
  }

  get maxPageSize(): number {
    return this.info.settings.maxPageSize;
  }
}

/** Passes a query on as it is, for handlers that need the format, too. */
export const wholeQuery = <T extends ParameterTable>(query: ParsedQuery<T>): ParsedQuery<T> => query;

const valuesOf = ({ values }: ParsedQuery) => values;

/**
 * The validated query of a request: `QueryValues<typeof schema.parameters>`, or what `toRequest`
 * makes of its `ParsedQuery`. The API document takes a route's parameters from here. A handler
 * without this decorator accepts no parameters.
 * @param toRequest may throw a `ValidationError` for values that contradict each other
 */
export function RequestQuery<T extends ParameterTable>(
  schema: QuerySchema<T>,
  toRequest: (query: ParsedQuery<NoInfer<T>>) => unknown = valuesOf,
  { pipe, ...options }: QueryOptions & { pipe?: Type<PipeTransform> } = {},
): ParameterDecorator {
  const parameter = createParamDecorator((_: unknown, execution: ExecutionContext) => {
    const info = infoOf(execution.switchToHttp().getRequest<object>());
    const values = readQuery<NoInfer<T>>(schema, info, options);
    return toRequest(new QueryOfRequest(values, info));
  });
  return (target, key, index) => {
    if (key === undefined) throw new Error('@RequestQuery() belongs to a parameter of a handler.');
    const handler = (target as Record<string | symbol, object>)[key]!;
    Reflect.defineMetadata(QUERY, schema, handler);
    parameter(...(pipe === undefined ? [] : [pipe]))(target, key, index);
  };
}

/**
 * The values of a request's query by a schema.
 * @throws ValidationError with all violations
 */
export function readQuery<T extends ParameterTable>(
  schema: QuerySchema<T>,
  info: RequestInfo,
  options: QueryOptions = {},
): QueryValues<T> {
  const parseOptions: QueryParseOptions = {
    context: {
      now: info.settings.clock(),
      maxPageSize: info.settings.maxPageSize,
      onRelativeDate: (date) => (info.relativeTo = date),
      onAsOf: () => (info.asOf = true),
      onFields: (names) => (info.fields = names),
    },
    formats: info.route?.formats ?? [],
  };
  if (options.ignoreUnknown) {
    parseOptions.onUnknown = (names) => {
      if (names.length === 0) return;
      const encoded = names.slice(0, MAX_IGNORED_NAMES).map(encodeName);
      info.response.setHeader('X-Ignored-Parameters', encoded.join(', '));
    };
  }
  if (isPageFormat(info.format)) {
    parseOptions.onUnknown = (names) => {
      // What trackers append to links must not fill the page cache.
      if (names.length > 0) info.admitted = false;
    };
  }
  return schema.parse(info.query, parseOptions);
}

/** What is wrong with the query of a request, by the parameters that its handler declares. */
export function queryViolations(request: object): readonly Violation[] {
  const info = infoOf(request);
  try {
    readQuery(info.route?.query ?? noParameters, info);
    return [];
  } catch (error) {
    if (error instanceof ValidationError) return error.violations;
    throw error;
  }
}

const encodeName = (name: string): string => encodeURIComponent(Array.from(name).slice(0, 64).join(''));

/** Metadata of a handler: its body is checked by a parameter decorator, together with its query. */
export const CHECKED_BODY = 'pds:checked-body';

/** What a check of a body knows of the request. */
interface BodyRequest {
  request: Request;
  /** Violations found elsewhere in the request: they are reported together with the body's. */
  violations: readonly Violation[];
}

/**
 * Makes a parameter decorator that hands a handler its checked body.
 * @param check returns the value of the parameter, or throws a `ValidationError` with all
 * violations
 */
export function bodyParameter<T>(
  check: (body: Record<string, unknown>, from: BodyRequest) => T,
): ParameterDecorator {
  const parameter = createParamDecorator((_: unknown, execution: ExecutionContext): T => {
    const request = execution.switchToHttp().getRequest<Request & { body: unknown }>();
    assertObject(request.body);
    return check(request.body, { request, violations: queryViolations(request) });
  });
  return (target, key, index) => {
    if (key === undefined) throw new Error('A body parameter belongs to a handler.');
    const handler = (target as Record<string | symbol, object>)[key]!;
    Reflect.defineMetadata(CHECKED_BODY, true, handler);
    parameter()(target, key, index);
  };
}

/**
 * The JSON body of a request as an instance of the DTO, whose decorators check it. Unknown fields
 * and unknown query parameters are violations as well.
 */
export function ValidBody<T extends object>(
  dto: new () => T,
  options: Omit<ValidateBodyOptions<T>, 'violations'> = {},
): ParameterDecorator {
  return bodyParameter((body, { violations }) => validateBody(dto, body, { ...options, violations }));
}
