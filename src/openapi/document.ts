import type { Parameter } from '../common/filtering/parsers.js';
import { mediaTypes, type Format } from '../common/http/reply.js';
import type { Route, RouteTable } from '../common/http/route-table.js';
import { problemCodes, type ProblemCode } from '../common/errors/problem-codes.js';
import { operationFor, tags, type Operation } from './operations.js';
import { referenceTables } from './reference-tables.js';
import { componentSchemas, ref, type Schema } from './schemas.js';

/** Refusals that any route may answer with. */
const EVERYWHERE: readonly ProblemCode[] = [
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

/** Refusals that only routes with a body may answer with. */
const WITH_BODY: readonly ProblemCode[] = [
  'parse_error',
  'too_large',
  'unsupported_media_type',
  'expectation_failed',
];

/** Refusals that only routes that need a token may answer with. */
const WITH_TOKEN: readonly ProblemCode[] = ['not_authenticated', 'token_not_valid', 'forbidden'];

const METHOD_ORDER = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/**
 * The OpenAPI 3.1 document of the service, made from the routes, the parameter tables and the DTOs that the service itself
 * runs on, so that it cannot tell another story. The same routes give the same bytes.
 * @throws Error naming a route that has no description
 */
export function buildDocument(routes: RouteTable): Schema {
  const paths: Record<string, Record<string, Schema>> = {};
  const addresses = routes.addresses
    .filter((address) => !address.pattern.startsWith('/docs') && address.pattern !== '/openapi.json')
    .sort((one, other) => (one.pattern < other.pattern ? -1 : 1));
  for (const address of addresses) {
    const methods: Record<string, Schema> = {};
    for (const method of METHOD_ORDER) {
      const route = address.routes.get(method);
      if (route !== undefined) methods[method.toLowerCase()] = describe(route);
    }
    paths[openApiPath(address.pattern)] = methods;
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
      schemas: componentSchemas(referenceTables),
    },
  };
}

/** `/api/v1/Commodity/:id` as OpenAPI writes it, in its form with a trailing slash. */
function openApiPath(pattern: string): string {
  const path = pattern.replace(/[:*](\w+)/g, '{$1}');
  return /^\/(api|giews)\//.test(path) ? `${path}/` : path;
}

function describe(route: Route): Schema {
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

/** What stands in an address, by its name; anything else is the number of a record. */
const pathSchemas: Readonly<Record<string, Schema>> = {
  uuid: { type: 'string', format: 'uuid' },
  code: { type: 'string', enum: Object.keys(problemCodes) },
};

function queryParameters(route: Route, operation: Operation): Schema[] {
  const table =
    operation.query ?? (route.query === null || route.query === 'raw' ? {} : route.query.parameters);
  const parameters = Object.entries(table).map(([name, parameter]) => queryParameter(name, parameter));
  if (route.formats.length > 1) {
    parameters.push({
      name: 'format',
      in: 'query',
      description: 'Form of the answer; wins over the Accept header.',
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

function headerParameters(operation: Operation): Schema[] {
  return (operation.headers ?? []).map(({ name, description, schema }) => ({
    name,
    in: 'header',
    description,
    schema: schema ?? { type: 'string' },
  }));
}

function requestBody(body: NonNullable<Operation['body']>): Schema {
  const content = { schema: body.schema, ...(body.example === undefined ? {} : { example: body.example }) };
  const types = body.types ?? ['application/json'];
  return { required: true, content: Object.fromEntries(types.map((type) => [type, content])) };
}

function responses(route: Route, operation: Operation): Record<string, Schema> {
  const found: Record<string, Schema> = {};
  const { status, description, schema, example, headers } = operation.answer;
  const content: Record<string, Schema> = {};
  if (schema !== undefined) {
    for (const format of route.formats.length > 0 ? route.formats : (['json'] as Format[])) {
      content[mediaTypes[format].split(';')[0]!] =
        format === 'json'
          ? { schema, ...(example === undefined ? {} : { example }) }
          : { schema: { type: 'string', description: 'One line for each row.' } };
    }
  }
  for (const type of operation.answer.types ?? []) content[type] = { schema: { type: 'string' } };
  found[status] = {
    description,
    ...(headers === undefined ? {} : { headers }),
    ...(Object.keys(content).length > 0 ? { content } : {}),
  };
  if (route.method === 'GET' && status === 200 && operation.conditional !== false) {
    found[304] = { description: 'Not changed since the given ETag.' };
  }
  const codes = [
    ...EVERYWHERE,
    ...(operation.body ? WITH_BODY : []),
    ...(operation.token ? WITH_TOKEN : []),
    ...(operation.problems ?? []),
  ];
  for (const code of codes) {
    const kind = problemCodes[code];
    const earlier = found[kind.status]?.description;
    found[kind.status] = {
      description: `${earlier === undefined ? '' : `${String(earlier)}\n`}\`${code}\`: ${kind.meaning}`,
      content: { 'application/problem+json': { schema: ref('Problem') } },
    };
  }
  return Object.fromEntries(Object.entries(found).sort(([one], [other]) => Number(one) - Number(other)));
}
