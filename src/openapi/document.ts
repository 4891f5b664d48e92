import type { Parameter } from '../platform/validation/parsers.js';
import { listFormat } from '../platform/formats/formats.js';
import type { RouteList } from '../platform/http/route-list.js';
import type { Route } from '../platform/http/routes/route-options.js';
import { problemCodes, type ProblemCode } from '../platform/errors/problem-codes.js';
import { operationFor, tags, type OperationDescription } from './operations.js';
import { referenceTableDocs } from './reference-tables.js';
import { componentSchemas, ref, type Schema } from './schemas.js';

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

const METHOD_ORDER = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/**
 * Builds the OpenAPI 3.1 document from the routes, parameter tables and DTOs that the service
 * itself uses, so that it cannot deviate from the behaviour. The output is deterministic.
 * @throws Error naming a route that has no description
 */
export function buildDocument(routes: RouteList): Schema {
  const paths: Record<string, Record<string, Schema>> = {};
  const described = routes
    .all()
    .filter(({ pattern }) => !pattern.startsWith('/docs') && pattern !== '/openapi.json')
    .sort(byPatternAndMethod);
  for (const route of described) {
    const operations = (paths[openApiPath(route.pattern)] ??= {});
    operations[route.method.toLowerCase()] = operationObject(route);
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Price Data Service',
      version: '1',
      description:
        'Food prices: reference tables, price series and their prices. Reading is open to all; writing needs an access token.',
    },
    servers: [{ url: '/' }],
    tags,
    paths,
    components: {
      securitySchemes: { accessToken: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } },
      schemas: componentSchemas(referenceTableDocs),
    },
  };
}

function byPatternAndMethod(one: Route, other: Route): number {
  if (one.pattern !== other.pattern) return one.pattern < other.pattern ? -1 : 1;
  return METHOD_ORDER.indexOf(one.method) - METHOD_ORDER.indexOf(other.method);
}

/**
 * Converts `/api/v1/Commodity/:id` to `/api/v1/Commodity/{id}/`, the form with a trailing slash.
 */
function openApiPath(pattern: string): string {
  const path = pattern.replace(/[:*](\w+)/g, '{$1}');
  return /^\/(api|giews)\//.test(path) ? `${path}/` : path;
}

function operationObject(route: Route): Schema {
  const operation = operationFor(route);
  return {
    operationId: operationId(route),
    tags: [operation.tag],
    summary: operation.summary,
    ...(operation.description === undefined ? {} : { description: operation.description }),
    ...(operation.token ? { security: [{ accessToken: [] }] } : {}),
    parameters: [
      ...pathParameters(route),
      ...queryParameters(route, operation),
      ...headerParameters(operation),
    ],
    ...(operation.body === undefined ? {} : { requestBody: requestBody(operation.body) }),
    responses: responses(route, operation),
  };
}

function operationId(route: Route): string {
  const words = route.pattern.split(/[^A-Za-z0-9]+/).filter((word) => word !== '');
  return [route.method.toLowerCase(), ...words].join('_');
}

function pathParameters(route: Route): Schema[] {
  return [...route.pattern.matchAll(/[:*](\w+)/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: pathSchemas[name!] ?? { type: 'integer', minimum: 1 },
  }));
}

/** Schemas of path parameters by name; any other is the id of a record. */
const pathSchemas: Readonly<Record<string, Schema>> = {
  uuid: { type: 'string', format: 'uuid' },
  code: { type: 'string', enum: Object.keys(problemCodes) },
};

function queryParameters(route: Route, operation: OperationDescription): Schema[] {
  const table = operation.query ?? route.query?.parameters ?? {};
  const parameters = Object.entries(table).map(([name, parameter]) => queryParameter(name, parameter));
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
    ...(parameter.list
      ? { style: 'form', explode: false, schema: { type: 'array', items: parameter.schema, maxItems: 500 } }
      : { schema: parameter.schema }),
  };
}

function headerParameters(operation: OperationDescription): Schema[] {
  return (operation.headers ?? []).map(({ name, description, schema }) => ({
    name,
    in: 'header',
    description,
    schema: schema ?? { type: 'string' },
  }));
}

function requestBody(body: NonNullable<OperationDescription['body']>): Schema {
  const content = { schema: body.schema, ...(body.example === undefined ? {} : { example: body.example }) };
  const types = body.types ?? ['application/json'];
  return { required: true, content: Object.fromEntries(types.map((type) => [type, content])) };
}

function responses(route: Route, operation: OperationDescription): Record<string, Schema> {
  const result: Record<string, Schema> = {};
  const { status, description, schema, example, headers } = operation.response;
  const content: Record<string, Schema> = {};
  if (schema !== undefined) {
    for (const format of route.formats.length > 0 ? route.formats : ['json']) {
      content[listFormat(format).mediaType.split(';')[0]!] =
        format === 'json'
          ? { schema, ...(example === undefined ? {} : { example }) }
          : { schema: { type: 'string', description: 'One line for each row.' } };
    }
  }
  for (const type of operation.response.types ?? []) content[type] = { schema: { type: 'string' } };
  result[status] = {
    description,
    ...(headers === undefined ? {} : { headers }),
    ...(Object.keys(content).length > 0 ? { content } : {}),
  };
  if (route.method === 'GET' && status === 200 && operation.conditional !== false) {
    result[304] = { description: 'Not modified since the given ETag.' };
  }
  const codes = [
    ...COMMON_PROBLEMS,
    ...(operation.body ? BODY_PROBLEMS : []),
    ...(operation.token ? TOKEN_PROBLEMS : []),
    ...(operation.problems ?? []),
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
