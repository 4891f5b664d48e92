import { problemCodes, type ProblemCode } from '../common/errors/problem-codes.js';
import type { ParameterTable } from '../common/filtering/query-shape.js';
import type { Route } from '../common/http/route-table.js';
import { IMPORT_TYPES } from '../import/import.controller.js';
import { referenceTables, type ReferenceTable } from './reference-tables.js';
import { arrayOf, envelopeOf, ref, type Schema } from './schemas.js';

/** What the document says of one operation beyond what its route knows by itself. */
export interface Operation {
  tag: string;
  summary: string;
  description?: string;
  /** Whether it needs an access token. */
  token?: boolean;
  /** Its parameters, where the route reads its query by itself. */
  query?: ParameterTable;
  headers?: readonly { name: string; description: string; schema?: Schema }[];
  body?: { schema: Schema; example?: unknown; types?: readonly string[] };
  answer: {
    status: 200 | 201 | 204;
    description: string;
    schema?: Schema;
    example?: unknown;
    headers?: Record<string, Schema>;
    /** Media types of an answer that has no schema. */
    types?: readonly string[];
  };
  /** Refusals beyond those that every route may give. */
  problems?: readonly ProblemCode[];
  /** False where the answer has no ETag. */
  conditional?: boolean;
}

export const tags = [
  { name: 'Price series', description: 'Lists of series with filters, paging and periodicity.' },
  { name: 'Prices', description: 'The prices of series, and their correction.' },
  {
    name: 'Reference tables',
    description: 'What gives context to prices. Anyone reads, maintainers change.',
  },
  { name: 'Accounts', description: 'Signing in and out.' },
  { name: 'Maintenance', description: 'Imports and the trail of changes.' },
  {
    name: 'FPMA-compatible',
    description: "The same data under the addresses and in the shapes of FAO's FPMA tool.",
  },
  { name: 'Operations', description: 'Health and metrics.' },
];

const PREFIXES = ['/api/v1/', '/giews/v4/price_module/api/v1/', '/giews/v4/global/price_module/api/v1/'];

const ifMatch = {
  name: 'If-Match',
  description: 'ETag of the record as you know it; the write is refused if the record changed since.',
};
const idempotencyKey = {
  name: 'Idempotency-Key',
  description: 'The same request sent again with the same key within 24 hours gets the first answer again.',
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

const seriesList = (summary: string): Operation => ({
  tag: 'Price series',
  summary,
  answer: { status: 200, description: 'A page of series', schema: envelopeOf(ref('Serie')) },
});

const fpmaList = (summary: string): Operation => ({
  tag: 'FPMA-compatible',
  summary,
  answer: { status: 200, description: 'Series in the shape of FPMA', schema: envelopeOf(ref('FpmaSerie')) },
});

/** By method and path below a price prefix. */
const priceOperations: Record<string, Operation> = {
  'GET PriceSerie': seriesList('List all price series'),
  'GET PriceSerieDomestic': seriesList('List the series of the domestic dataset: wholesale and retail'),
  'GET PriceSerieInternational': seriesList('List the series of the international dataset: export'),
  'GET PriceSerie/:uuid': {
    tag: 'Price series',
    summary: 'Read one price series',
    answer: { status: 200, description: 'The series', schema: ref('Serie') },
  },
  'GET PriceSeriePrice': {
    tag: 'Prices',
    summary: 'Prices of several series',
    description:
      '`periodicity`, `start_date`, `end_date` and `latest` choose points; every other parameter chooses series.',
    answer: {
      status: 200,
      description: 'Series with their points, newest first',
      schema: envelopeOf(ref('SeriePrices')),
    },
  },
  'GET PriceSeriePrice/:uuid': {
    tag: 'Prices',
    summary: 'Prices of one series',
    answer: {
      status: 200,
      description: 'The series with its points, newest first',
      schema: ref('SeriePrices'),
    },
  },
  'GET PriceSeriePrice/:uuid/:id': {
    tag: 'Prices',
    summary: 'Read one price',
    answer: { status: 200, description: 'The point', schema: ref('Datapoint') },
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
    answer: { status: 200, description: 'The point as it is now', schema: ref('Datapoint') },
    problems: ['calculated', ...WRITE_PROBLEMS],
  },
  'DELETE PriceSeriePrice/:uuid/:id': {
    tag: 'Prices',
    summary: 'Remove one stored price',
    token: true,
    headers: [ifMatch],
    answer: { status: 204, description: 'Removed' },
    problems: ['calculated', ...WRITE_PROBLEMS],
  },
  'GET FpmaSerie': fpmaList('List all series'),
  'GET FpmaSerieDomestic': fpmaList('List the series of the domestic dataset'),
  'GET FpmaSerieInternational': fpmaList('List the series of the international dataset'),
  'GET FpmaSeriePrice': {
    tag: 'FPMA-compatible',
    summary: 'Prices of several series',
    answer: {
      status: 200,
      description: 'Points in the shape of FPMA',
      schema: envelopeOf(ref('FpmaSeriePrices')),
    },
  },
  'GET FpmaSeriePrice/:uuid': {
    tag: 'FPMA-compatible',
    summary: 'Prices of one series',
    answer: { status: 200, description: 'Points in the shape of FPMA', schema: ref('FpmaSeriePrices') },
  },
  'POST Import': {
    tag: 'Maintenance',
    summary: 'Import a file',
    description: 'Read and checked whole, then stored in one transaction: all of it or nothing.',
    token: true,
    body: {
      schema: { type: 'string' },
      types: IMPORT_TYPES,
    },
    answer: { status: 200, description: 'What was stored', schema: ref('ImportReport') },
    problems: ['import_running', 'storage_unavailable', 'outcome_unknown'],
  },
  'GET AuditLog': {
    tag: 'Maintenance',
    summary: 'List the changes of the data',
    token: true,
    conditional: false,
    answer: {
      status: 200,
      description: 'A page of changes, newest first',
      schema: envelopeOf(ref('AuditLogEntry')),
    },
  },
};

const otherOperations: Record<string, Operation> = {
  'POST /api/auth/login': {
    tag: 'Accounts',
    summary: 'Sign in',
    body: {
      schema: ref('Login'),
      example: { username: 'admin', password: 'the password that the first start printed' },
    },
    answer: { status: 200, description: 'A pair of tokens', schema: ref('Tokens') },
    problems: ['authentication_failed', 'storage_unavailable', 'outcome_unknown'],
  },
  'POST /api/auth/refresh': {
    tag: 'Accounts',
    summary: 'Get a new pair of tokens',
    description: 'A refresh token works once. Shown a second time it ends the whole login.',
    body: { schema: ref('RefreshToken') },
    answer: { status: 200, description: 'A new pair of tokens', schema: ref('Tokens') },
    problems: ['token_not_valid', 'storage_unavailable', 'outcome_unknown'],
  },
  'POST /api/auth/logout': {
    tag: 'Accounts',
    summary: 'Sign out',
    body: { schema: ref('RefreshToken') },
    answer: { status: 204, description: 'The login has ended, if there was one' },
    problems: ['storage_unavailable', 'outcome_unknown'],
  },
  'GET /api/auth/me': {
    tag: 'Accounts',
    summary: 'Whose token this is',
    token: true,
    conditional: false,
    answer: { status: 200, description: 'The account', schema: ref('Account') },
  },
  'GET /problems/:code': {
    tag: 'Operations',
    summary: 'What a code of refusals means',
    description: 'The address that `type` of a refusal names.',
    conditional: false,
    answer: {
      status: 200,
      description: 'The meaning',
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
    summary: 'Whether the process runs',
    conditional: false,
    answer: { status: 200, description: 'It does', schema: { type: 'object' } },
  },
  'GET /health/ready': {
    tag: 'Operations',
    summary: 'Whether the service can answer',
    conditional: false,
    answer: { status: 200, description: 'It can', schema: { type: 'object' } },
  },
  'GET /metrics': {
    tag: 'Operations',
    summary: 'Figures for Prometheus',
    conditional: false,
    answer: { status: 200, description: 'Prometheus text format', types: ['text/plain'] },
  },
};

/** The six operations of a reference table. */
function referenceOperation(table: ReferenceTable, method: string, one: boolean): Operation | undefined {
  const { name, example } = table;
  const record = { description: 'The record', schema: ref(name), headers: etag };
  const tag = 'Reference tables';
  const body = (part: string, types?: readonly string[]) => ({
    schema: ref(`${name}${part}`),
    example: part === 'Patch' ? Object.fromEntries(Object.entries(example).slice(0, 1)) : example,
    ...(types ? { types } : {}),
  });
  switch (`${method}${one ? ' one' : ''}`) {
    case 'GET': {
      const description = 'All records by id; an envelope where `page` or `page_size` is given';
      const schema = { oneOf: [arrayOf(ref(name)), envelopeOf(ref(name))] };
      return { tag, summary: `List ${name} records`, answer: { status: 200, description, schema } };
    }
    case 'GET one':
      return { tag, summary: `Read a ${name} record`, answer: { status: 200, ...record } };
    case 'POST':
      return {
        tag,
        summary: `Create a ${name} record`,
        token: true,
        headers: [idempotencyKey],
        body: body('Create'),
        answer: { status: 201, ...record, headers: { ...etag, ...location } },
        problems: CREATE_PROBLEMS,
      };
    case 'PUT one':
      return {
        tag,
        summary: `Replace a ${name} record`,
        token: true,
        headers: [ifMatch],
        body: body('Replace'),
        answer: { status: 200, ...record },
        problems: WRITE_PROBLEMS,
      };
    case 'PATCH one':
      return {
        tag,
        summary: `Change fields of a ${name} record`,
        token: true,
        headers: [ifMatch],
        body: body('Patch', ['application/json', 'application/merge-patch+json']),
        answer: { status: 200, ...record },
        problems: WRITE_PROBLEMS,
      };
    case 'DELETE one':
      return {
        tag,
        summary: `Delete a ${name} record`,
        token: true,
        headers: [ifMatch],
        answer: { status: 204, description: 'Deleted' },
        problems: WRITE_PROBLEMS,
      };
    default:
      return undefined;
  }
}

/**
 * The description of a route.
 * @throws Error when there is none: a new route needs an entry here
 */
export function operationFor(route: Route): Operation {
  const prefix = PREFIXES.find((start) => route.pattern.startsWith(start));
  const path = prefix === undefined ? route.pattern : route.pattern.slice(prefix.length);
  const [segment, parameter] = path.split('/');
  const table = referenceTables.find(({ name }) => name === segment);
  const found =
    table !== undefined
      ? referenceOperation(table, route.method, parameter !== undefined)
      : (prefix === undefined ? otherOperations : priceOperations)[`${route.method} ${path}`];
  if (found === undefined)
    throw new Error(`${route.method} ${route.pattern} is not described in operations.ts.`);
  return found;
}
