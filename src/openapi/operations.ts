import { MAX_ITEMS, type Parameter } from '../platform/validation/parsers.js';
import { mediaFormat } from '../platform/formats/page-formats.js';
import type { Route } from '../platform/http/routes.js';
import { problemCodes, type ProblemCode } from '../platform/errors/problem-codes.js';
import type { ApiBodyOptions, ApiHeaderOptions } from '../platform/http/api-docs.js';
import { ref, type Schema } from '../platform/validation/schema.js';
import { jsonTypes } from '../platform/http/body.interceptor.js';

/** Problems that any route may respond with. */
const COMMON_PROBLEMS: readonly ProblemCode[] = [
  'bad_request',
  'invalid',
  'not_found',
  'not_acceptable',
  'request_timeout',
  'uri_too_long',
  'throttled',
  'headers_too_large',
  'error',
  'unavailable',
  'timeout',
];

/** Further problems of routes that accept a body. */
const BODY_PROBLEMS: readonly ProblemCode[] = [
  'parse_error',
  'too_large',
  'unsupported_media_type',
  'expectation_failed',
];

/** Further problems of routes that need an access token. */
const TOKEN_PROBLEMS: readonly ProblemCode[] = ['not_authenticated', 'token_not_valid', 'forbidden'];

/** Further problems of routes that write. */
const WRITE_PROBLEMS: readonly ProblemCode[] = ['storage_unavailable', 'newer_schema', 'outcome_unknown'];

/**
 * The operation object of a route, from its decorators.
 * @param path its path in the document; the operation id is made of it
 */
export function operationObject(route: Route, path: string): Schema {
  const { tags, operation, headers = [], body } = route.docs;
  return {
    operationId: operationId(route.method, path),
    tags,
    ...operation,
    ...(route.requiresToken ? { security: [{ accessToken: [] }] } : {}),
    parameters: [...pathParameters(route), ...queryParameters(route), ...headers.map(headerParameter)],
    ...(body === undefined ? {} : { requestBody: requestBody(route, body) }),
    responses: responses(route),
  };
}

function operationId(method: string, path: string): string {
  const words = path.split(/[^A-Za-z0-9]+/).filter((word) => word !== '');
  return [method.toLowerCase(), ...words].join('_');
}

function pathParameters(route: Route): Schema[] {
  return [...route.pattern.matchAll(/[:*](\w+)/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: pathSchema(name!, route.pattern),
  }));
}

/** Ids below a series are those of its points, which pass 2^31. */
const pathSchema = (name: string, pattern: string): Schema =>
  pathSchemas[name] ?? {
    type: 'integer',
    ...(pattern.includes(':uuid') ? { format: 'int64' } : {}),
    minimum: 1,
  };

/** Schemas of path parameters by name; any other is the id of a record. */
const pathSchemas: Readonly<Record<string, Schema>> = {
  uuid: { type: 'string', format: 'uuid' },
  code: { type: 'string', enum: Object.keys(problemCodes) },
  file: { type: 'string' },
};

function queryParameters(route: Route): Schema[] {
  const parameters = Object.entries(route.query?.parameters ?? {}).map(([name, parameter]) =>
    queryParameter(name, parameter),
  );
  if (route.formats.length > 1) {
    parameters.push({
      name: 'format',
      in: 'query',
      description: 'Response format; takes precedence over the Accept header.',
      schema: { type: 'string', enum: [...route.formats] },
    });
  }
  return parameters;
}

function queryParameter(name: string, parameter: Parameter<unknown>): Schema {
  return {
    name,
    in: 'query',
    description: parameter.description,
    ...(parameter.missing === undefined ? {} : { required: true }),
    ...(parameter.list
      ? { style: 'form', explode: false, schema: listSchema(parameter) }
      : { schema: parameter.schema }),
  };
}

const listSchema = ({ schema, items }: Parameter<unknown>): Schema => ({
  type: 'array',
  items: schema,
  ...(items === undefined ? { maxItems: MAX_ITEMS } : { minItems: items.min, maxItems: items.max }),
});

function headerParameter({ name, description, schema = { type: 'string' } }: ApiHeaderOptions): Schema {
  return { name, in: 'header', description, schema };
}

function requestBody({ method, rawBody }: Route, { schema, example }: ApiBodyOptions): Schema {
  const content = withExample(schema, example);
  const types = rawBody?.types ?? jsonTypes(method);
  return { required: true, content: Object.fromEntries(types.map((type) => [type, content])) };
}

const withExample = (schema: Schema, example: unknown): Schema => ({
  schema,
  ...(example === undefined ? {} : { example }),
});

/** The content of a response in each format of the route. */
function contentOf({ formats }: Route, schema: Schema, example: unknown): Schema {
  return Object.fromEntries(
    (formats.length > 0 ? formats : ['json']).map((format) => {
      const { mediaType, description } = mediaFormat(format);
      const isText = mediaType.includes('charset');
      const rows = isText ? 'One line for each row.' : 'The bytes of a file with a row for each.';
      return [
        mediaType.split(';')[0]!,
        format === 'json'
          ? withExample(schema, example)
          : { schema: { type: 'string', description: description ?? rows } },
      ];
    }),
  );
}

function responses(route: Route): Record<string, Schema> {
  const { response = { status: 200, description: '' }, body, partial, problems = [] } = route.docs;
  const { status, description, headers, schema, example } = response;
  const content = response.content ?? (schema && contentOf(route, schema, example));
  const result: Record<string, Schema> = {
    [status]: { description, ...(headers && { headers }), ...(content && { content }) },
  };
  if (partial) result[206] = { ...partial };
  const hasTag = route.cachePolicy !== 'none' || headers?.ETag !== undefined;
  if (route.cacheAreas !== null || (route.method === 'GET' && hasTag))
    result[304] = { description: 'Not modified since the given ETag.' };
  const codes = [
    ...COMMON_PROBLEMS,
    ...(body ? BODY_PROBLEMS : []),
    ...(route.requiresToken ? TOKEN_PROBLEMS : []),
    ...problems,
    ...(route.method === 'GET' ? [] : WRITE_PROBLEMS),
  ];
  for (const code of codes) {
    const type = problemCodes[code];
    const earlier = result[type.status]?.description as string | undefined;
    result[type.status] = {
      description: `${earlier === undefined ? '' : `${earlier}\n`}\`${code}\`: ${type.meaning}`,
      content: { 'application/problem+json': { schema: ref('Problem') } },
    };
  }
  return Object.fromEntries(Object.entries(result).sort(([one], [other]) => Number(one) - Number(other)));
}
