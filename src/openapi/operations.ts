import { problemCodes, type ProblemCode } from '../platform/errors/problem-codes.js';
import type { ParameterTable } from '../platform/validation/query-schema.js';
import type { Route } from '../platform/http/routes/route-options.js';
import { IMPORT_MEDIA_TYPES } from '../import/import.controller.js';
import { referenceTableDocs, type ReferenceTableDoc } from './reference-tables.js';
import { arrayOf, envelopeOf, ref, type Schema } from './schemas.js';

/** Describes one operation, as far as its route does not. */
export interface OperationDescription {
  tag: string;
  summary: string;
  description?: string;
  /** Whether an access token is needed. */
  token?: boolean;
  /** Query parameters, if the route parses its query itself. */
  query?: ParameterTable;
  headers?: readonly { name: string; description: string; schema?: Schema }[];
  body?: { schema: Schema; example?: unknown; types?: readonly string[] };
  response: {
    status: 200 | 201 | 204;
    description: string;
    schema?: Schema;
    example?: unknown;
    headers?: Record<string, Schema>;
    /** Media types of a response without a schema. */
    types?: readonly string[];
  };
  /** Problems beyond those of every route. */
  problems?: readonly ProblemCode[];
  /** False if the response has no ETag. */
  conditional?: boolean;
}

export const tags = [
  { name: 'Price series', description: 'Lists of series with filters, paging and periodicity.' },
  { name: 'Prices', description: 'The prices of series, and their correction.' },
  {
    name: 'Reference tables',
    description: 'The records that price series refer to. Anyone can read them; maintainers can change them.',
  },
  { name: 'Accounts', description: 'Signing in and out.' },
  { name: 'Maintenance', description: 'Imports and the audit log.' },
  {
    name: 'FPMA-compatible',
    description: "The same data under the paths and in the response shapes of FAO's FPMA tool.",
  },
  { name: 'Operations', description: 'Health and metrics.' },
];

const PREFIXES = ['/api/v1/', '/giews/v4/price_module/api/v1/', '/giews/v4/global/price_module/api/v1/'];

const ifMatch = {
  name: 'If-Match',
  description: 'ETag of the record as last read. The write is rejected if the record has changed since.',
};
const idempotencyKey = {
  name: 'Idempotency-Key',
  description: 'Repeating the request with the same key within 24 hours returns the first response again.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
};
const etag: Record<string, Schema> = { ETag: { schema: { type: 'string' } } };
const location: Record<string, Schema> = { Location: { schema: { type: 'string', format: 'uri' } } };

const WRITE_PROBLEMS: readonly ProblemCode[] = [
  'duplicate',
  'in_use',
  'reference_missing',
  'precondition_failed',
  'precondition_required',
  'storage_unavailable',
  'outcome_unknown',
];
const CREATE_PROBLEMS: readonly ProblemCode[] = [
  ...WRITE_PROBLEMS,
  'idempotency_in_progress',
  'idempotency_mismatch',
];

const seriesList = (summary: string): OperationDescription => ({
  tag: 'Price series',
  summary,
  response: { status: 200, description: 'A page of series', schema: envelopeOf(ref('Serie')) },
});

const fpmaList = (summary: string): OperationDescription => ({
  tag: 'FPMA-compatible',
  summary,
  response: { status: 200, description: 'Series in the shape of FPMA', schema: envelopeOf(ref('FpmaSerie')) },
});

/** By method and path below one of the prefixes. */
const priceOperations: Record<string, OperationDescription> = {
  'GET PriceSerie': seriesList('List all price series'),
  'GET PriceSerieDomestic': seriesList('List the series of the domestic dataset: wholesale and retail'),
  'GET PriceSerieInternational': seriesList('List the series of the international dataset: export'),
  'GET PriceSerie/:uuid': {
    tag: 'Price series',
    summary: 'Read one price series',
    response: { status: 200, description: 'The series', schema: ref('Serie') },
  },
  'GET PriceSeriePrice': {
    tag: 'Prices',
    summary: 'Prices of several series',
    description:
      '`periodicity`, `start_date`, `end_date` and `latest` select points; all other parameters select series.',
    response: {
      status: 200,
      description: 'Series with their points, newest first',
      schema: envelopeOf(ref('SeriePrices')),
    },
  },
  'GET PriceSeriePrice/:uuid': {
    tag: 'Prices',
    summary: 'Prices of one series',
    response: {
      status: 200,
      description: 'The series with its points, newest first',
      schema: ref('SeriePrices'),
    },
  },
  'GET PriceSeriePrice/:uuid/:id': {
    tag: 'Prices',
    summary: 'Read one price',
    response: { status: 200, description: 'The point', schema: ref('Datapoint') },
  },
  'PATCH PriceSeriePrice/:uuid/:id': {
    tag: 'Prices',
    summary: 'Correct one stored price',
    token: true,
    headers: [ifMatch],
    body: {
      schema: ref('PricePatch'),
      example: { price_value: 12.5 },
      types: ['application/json', 'application/merge-patch+json'],
    },
    response: { status: 200, description: 'The updated point', schema: ref('Datapoint') },
    problems: ['calculated', ...WRITE_PROBLEMS],
  },
  'DELETE PriceSeriePrice/:uuid/:id': {
    tag: 'Prices',
    summary: 'Remove one stored price',
    token: true,
    headers: [ifMatch],
    response: { status: 204, description: 'Removed' },
    problems: ['calculated', ...WRITE_PROBLEMS],
  },
  'GET FpmaSerie': fpmaList('List all series'),
  'GET FpmaSerieDomestic': fpmaList('List the series of the domestic dataset'),
  'GET FpmaSerieInternational': fpmaList('List the series of the international dataset'),
  'GET FpmaSeriePrice': {
    tag: 'FPMA-compatible',
    summary: 'Prices of several series',
    response: {
      status: 200,
      description: 'Points in the shape of FPMA',
      schema: envelopeOf(ref('FpmaSeriePrices')),
    },
  },
  'GET FpmaSeriePrice/:uuid': {
    tag: 'FPMA-compatible',
    summary: 'Prices of one series',
    response: { status: 200, description: 'Points in the shape of FPMA', schema: ref('FpmaSeriePrices') },
  },
  'POST Import': {
    tag: 'Maintenance',
    summary: 'Import a file',
    description:
      'The file is read and validated completely, then stored in one transaction: either everything or nothing.',
    token: true,
    body: {
      schema: { type: 'string' },
      types: IMPORT_MEDIA_TYPES,
    },
    response: { status: 200, description: 'The import report', schema: ref('ImportReport') },
    problems: ['import_running', 'storage_unavailable', 'outcome_unknown'],
  },
  'GET AuditLog': {
    tag: 'Maintenance',
    summary: 'List changes to the data',
    token: true,
    conditional: false,
    response: {
      status: 200,
      description: 'A page of changes, newest first',
      schema: envelopeOf(ref('AuditLogEntry')),
    },
  },
};

const otherOperations: Record<string, OperationDescription> = {
  'POST /api/auth/login': {
    tag: 'Accounts',
    summary: 'Sign in',
    body: {
      schema: ref('Login'),
      example: { username: 'admin', password: 'the password that the first start printed' },
    },
    response: { status: 200, description: 'A pair of tokens', schema: ref('Tokens') },
    problems: ['authentication_failed', 'storage_unavailable', 'outcome_unknown'],
  },
  'POST /api/auth/refresh': {
    tag: 'Accounts',
    summary: 'Get a new pair of tokens',
    description: 'A refresh token can be used once. Using it again ends the login session.',
    body: { schema: ref('RefreshToken') },
    response: { status: 200, description: 'A new pair of tokens', schema: ref('Tokens') },
    problems: ['token_not_valid', 'storage_unavailable', 'outcome_unknown'],
  },
  'POST /api/auth/logout': {
    tag: 'Accounts',
    summary: 'Sign out',
    body: { schema: ref('RefreshToken') },
    response: { status: 204, description: 'The login session has ended, if there was one' },
    problems: ['storage_unavailable', 'outcome_unknown'],
  },
  'GET /api/auth/me': {
    tag: 'Accounts',
    summary: 'Read the account of the access token',
    token: true,
    conditional: false,
    response: { status: 200, description: 'The account', schema: ref('Account') },
  },
  'GET /problems/:code': {
    tag: 'Operations',
    summary: 'Read the meaning of a problem code',
    description: 'The address in the `type` of an error response.',
    conditional: false,
    response: {
      status: 200,
      description: 'The problem code and its meaning',
      schema: {
        type: 'object',
        required: ['code', 'status', 'title', 'meaning'],
        properties: {
          code: { type: 'string', enum: Object.keys(problemCodes) },
          status: { type: 'integer' },
          title: { type: 'string' },
          meaning: { type: 'string' },
        },
        additionalProperties: false,
      },
      example: { code: 'invalid', ...problemCodes.invalid },
    },
  },
  'GET /health/live': {
    tag: 'Operations',
    summary: 'Check liveness',
    conditional: false,
    response: { status: 200, description: 'The process is running', schema: { type: 'object' } },
  },
  'GET /health/ready': {
    tag: 'Operations',
    summary: 'Check readiness',
    conditional: false,
    response: { status: 200, description: 'The service can answer requests', schema: { type: 'object' } },
  },
  'GET /metrics': {
    tag: 'Operations',
    summary: 'Metrics for Prometheus',
    conditional: false,
    response: { status: 200, description: 'Prometheus text format', types: ['text/plain'] },
  },
};

/** The six operations of a reference table; undefined for any other method. */
function referenceOperation(
  table: ReferenceTableDoc,
  method: string,
  single: boolean,
): OperationDescription | undefined {
  const { name, example } = table;
  const record = { description: 'The record', schema: ref(name), headers: etag };
  const tag = 'Reference tables';
  const body = (variant: string, types?: readonly string[]) => ({
    schema: ref(`${name}${variant}`),
    example: variant === 'Patch' ? Object.fromEntries(Object.entries(example).slice(0, 1)) : example,
    ...(types ? { types } : {}),
  });
  switch (`${method}${single ? ' one' : ''}`) {
    case 'GET': {
      const description =
        'All records, ordered by id; one page in an envelope if `page` or `page_size` is given';
      const schema = { oneOf: [arrayOf(ref(name)), envelopeOf(ref(name))] };
      return { tag, summary: `List ${name} records`, response: { status: 200, description, schema } };
    }
    case 'GET one':
      return { tag, summary: `Read a ${name} record`, response: { status: 200, ...record } };
    case 'POST':
      return {
        tag,
        summary: `Create a ${name} record`,
        token: true,
        headers: [idempotencyKey],
        body: body('Create'),
        response: { status: 201, ...record, headers: { ...etag, ...location } },
        problems: CREATE_PROBLEMS,
      };
    case 'PUT one':
      return {
        tag,
        summary: `Replace a ${name} record`,
        token: true,
        headers: [ifMatch],
        body: body('Replace'),
        response: { status: 200, ...record },
        problems: WRITE_PROBLEMS,
      };
    case 'PATCH one':
      return {
        tag,
        summary: `Change fields of a ${name} record`,
        token: true,
        headers: [ifMatch],
        body: body('Patch', ['application/json', 'application/merge-patch+json']),
        response: { status: 200, ...record },
        problems: WRITE_PROBLEMS,
      };
    case 'DELETE one':
      return {
        tag,
        summary: `Delete a ${name} record`,
        token: true,
        headers: [ifMatch],
        response: { status: 204, description: 'Deleted' },
        problems: WRITE_PROBLEMS,
      };
    default:
      return undefined;
  }
}

/**
 * The description of a route.
 * @throws Error if there is none: a new route needs an entry in this file
 */
export function operationFor(route: Route): OperationDescription {
  const prefix = PREFIXES.find((start) => route.pattern.startsWith(start));
  const path = prefix === undefined ? route.pattern : route.pattern.slice(prefix.length);
  const [segment, parameter] = path.split('/');
  const table = referenceTableDocs.find(({ name }) => name === segment);
  const operation =
    table !== undefined
      ? referenceOperation(table, route.method, parameter !== undefined)
      : (prefix === undefined ? otherOperations : priceOperations)[`${route.method} ${path}`];
  if (operation === undefined)
    throw new Error(`${route.method} ${route.pattern} is not described in operations.ts.`);
  return operation;
}
