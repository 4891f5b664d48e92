import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type {
  ParameterTable,
  QueryParseOptions,
  QuerySchema,
  QueryValues,
} from '../filtering/query-schema.js';
import { contextOf, type RequestContext } from './request-context.js';

/** Metadata of a handler: the shape of its query, or `'raw'`. */
export const QUERY = 'pds:query';

/** Names told to the caller in `X-Ignored-Parameters`. */
const MAX_IGNORED_NAMES = 20;

/** How a route takes its parameters. */
export interface QueryOptions {
  /** Unknown parameters are ignored, and named in `X-Ignored-Parameters`. */
  ignoreUnknown?: boolean;
}

interface QueryRule extends QueryOptions {
  schema: QuerySchema | null;
}

const queryParameter = createParamDecorator((rule: QueryRule, execution: ExecutionContext): unknown => {
  const context = contextOf(execution.switchToHttp().getRequest<object>());
  return rule.schema === null ? context.query : readQuery(rule.schema, context, rule);
});

/**
 * The query string of the request. With a shape: its values, checked, `QueryValues<typeof shape.parameters>`. Without
 * one: the ordered `QueryPairs`, which the handler hands to `readQuery` itself. A route that does not have this
 * decorator takes no parameters, and refuses any.
 */
export function RequestQuery(
  shape: QuerySchema | null = null,
  options: QueryOptions = {},
): ParameterDecorator {
  return (target, key, index) => {
    if (key === undefined) throw new Error('@RequestQuery() belongs on a parameter of a handler.');
    const handler = (target as Record<string | symbol, object>)[key] as object;
    Reflect.defineMetadata(QUERY, shape ?? 'raw', handler);
    queryParameter({ schema: shape, ...options })(target, key, index);
  };
}

/**
 * Values of the request's query string by the parameters' table.
 * @throws InvalidInput naming every fault
 */
export function readQuery<T extends ParameterTable>(
  shape: QuerySchema<T>,
  context: RequestContext,
  options: QueryOptions = {},
): QueryValues<T> {
  const reading: QueryParseOptions = {
    context: {
      now: context.settings.clock(),
      maxPageSize: context.settings.maxPageSize,
      onRelativeDate: (date) => (context.relativeTo = date),
    },
    formats: context.route?.formats ?? [],
  };
  if (options.ignoreUnknown) {
    reading.onUnknown = (names) => {
      if (names.length === 0) return;
      context.replyHeaders['X-Ignored-Parameters'] = names
        .slice(0, MAX_IGNORED_NAMES)
        .map(encodeName)
        .join(', ');
    };
  }
  return shape.parse(context.query, reading);
}

const encodeName = (name: string): string => encodeURIComponent(Array.from(name).slice(0, 64).join(''));
