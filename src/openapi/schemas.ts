import { violationCodes, problemCodes } from '../platform/errors/problem-codes.js';
import { components, fieldsOf, wholeSchemaOf } from '../platform/validation/field.js';
import { objectOf, ref, type Schema } from '../platform/validation/schema.js';
import type { ReferenceTable } from '../reference/base/reference-table.js';

/** The components in the order of the document; those that are not named follow. */
const ORDER = [
  'Serie',
  'Period',
  'SerieFacets',
  'Suggestions',
  'Country',
  'FacetValue',
  'SeriePrices',
  'PricedSerie',
  'Datapoint',
  'PointExplanation',
  'StoredPointPart',
  'RateExplanation',
  'IndexRecord',
  'IndexLink',
  'PriceExplanation',
  'SeriesExplanation',
  'IfpaExplanation',
  'ObservationExplanation',
  'YearExplanation',
  'AggregateExplanation',
  'GroupExplanation',
  'ComparisonExplanation',
  'IndicatorsExplanation',
  'FpmaSerie',
  'FpmaPeriod',
  'FpmaSeriePrices',
  'FpmaDatapoint',
  'PricePatch',
  'NewPrice',
  'Correction',
  'Finding',
  'FindingCount',
  'FindingRule',
  'FindingPatch',
  'NewCorrection',
  'SeriesMerge',
  'RecordMerge',
  'ActResult',
  'Login',
  'RefreshToken',
  'Tokens',
  'Account',
  'AccountRecord',
  'AccountPatch',
  'Alias',
  'AliasCreate',
  'AuditLogEntry',
  'ChangeSet',
  'Edition',
  'EditionCreate',
  'EditionDifference',
  'EditionFile',
  'Changes',
  'SeriesChange',
  'RecordChange',
  'RevertResult',
  'SerieIndicators',
  'IndicatorSettings',
  'Indicators',
  'SerieIndicator',
  'PriceWarning',
  'PriceTable',
  'TableColumn',
  'PriceComparison',
  'AnnualIndicator',
  'AggregateGroup',
  'AggregateSettings',
  'Aggregate',
  'PointVersion',
  'PointDifference',
  'ImportReport',
  'Problem',
  'Violation',
];

const text = (description?: string): Schema =>
  description === undefined ? { type: 'string' } : { type: 'string', description };
const integer = (description?: string): Schema =>
  description === undefined ? { type: 'integer' } : { type: 'integer', description };

const violation = {
  type: 'object',
  description: 'One violation in the request.',
  properties: {
    in: { type: 'string', enum: ['query', 'path', 'header', 'body'] },
    name: text('Name of the parameter, header or field'),
    pointer: text('JSON Pointer to the field of the body'),
    code: {
      type: 'string',
      enum: Object.keys(violationCodes),
      description: Object.entries(violationCodes)
        .map(([code, meaning]) => `- \`${code}\`: ${meaning}`)
        .join('\n'),
    },
    detail: text('Human-readable explanation'),
  },
  required: ['code', 'detail'],
  additionalProperties: true,
} satisfies Schema;

const problem = {
  type: 'object',
  description: 'Problem details (RFC 9457).',
  properties: {
    type: text('Address of the documentation of `code`'),
    title: text(),
    status: integer(),
    code: { type: 'string', enum: Object.keys(problemCodes) },
    detail: text('Human-readable explanation of this error'),
    instance: text('Identifier of the request in the log'),
    errors: { type: 'array', items: ref('Violation'), maxItems: 20 },
    last_page: integer('Number of the last page'),
  },
  required: ['type', 'title', 'status', 'code', 'detail', 'instance'],
  additionalProperties: true,
} satisfies Schema;

/** Schemas of objects that may have further members. */
const openSchemas: Record<string, Schema> = {
  AuditLogEntry: {
    type: 'object',
    description: 'One change to the data.',
    additionalProperties: true,
  },
  Problem: problem,
  Violation: violation,
};

/** A reference record in responses. */
function readSchema(table: ReferenceTable): Schema {
  const properties: Record<string, Schema> = {};
  for (const field of fieldsOf(table.dto)) {
    const name = table.dto.reads[field.name]!;
    properties[name] = field.describe(true);
  }
  const { id = integer(), ...rest } = properties;
  return objectOf({ id, ...rest });
}

/** A reference record in requests: each field under its prefixed or its plain name. */
function writeSchema(table: ReferenceTable, operation: 'create' | 'replace' | 'patch'): Schema {
  const properties: Record<string, Schema> = {};
  const choices: Schema[] = [];
  for (const field of fieldsOf(table.dto)) {
    const plain = table.dto.reads[field.name]!;
    if (plain === 'id' && operation === 'create') continue;
    const schema = field.describe(true);
    properties[field.name] = schema;
    properties[plain] = { ...schema, description: `Same as \`${field.name}\`.` };
    if (field.required && operation !== 'patch') {
      choices.push({ anyOf: [{ required: [field.name] }, { required: [plain] }] });
    }
  }
  return {
    type: 'object',
    properties,
    additionalProperties: false,
    ...(choices.length > 0 ? { allOf: choices } : {}),
  };
}

/** All component schemas, in a stable order. */
export function componentSchemas(tables: readonly ReferenceTable[]): Record<string, Schema> {
  const own = { ...openSchemas };
  for (const [name, shape] of components) own[name] = wholeSchemaOf(shape);
  const names = new Set([...ORDER, ...Object.keys(own).sort()]);
  const schemas = Object.fromEntries([...names].map((name) => [name, own[name]!]));
  for (const table of tables) {
    schemas[table.name] = readSchema(table);
    schemas[`${table.name}Create`] = writeSchema(table, 'create');
    schemas[`${table.name}Replace`] = writeSchema(table, 'replace');
    schemas[`${table.name}Patch`] = writeSchema(table, 'patch');
  }
  return schemas;
}
