import { isDeepStrictEqual } from 'node:util';
import type { Route, RouteTable } from '../platform/http/routes.js';
import { type Schema } from '../platform/validation/schema.js';
import { referenceTables } from '../reference/reference.module.js';
import type { DocumentScope } from './document-scopes.js';
import { operationObject } from './operations.js';
import { componentSchemas } from './schemas.js';
import { usedComponents } from './used-components.js';

const tags = [
  { name: 'Price series', description: 'Lists of series with filters, paging and periodicity.' },
  { name: 'Prices', description: 'The prices of series, and their correction.' },
  {
    name: 'Reference tables',
    description: 'The records that price series refer to. Anyone can read them; maintainers can change them.',
  },
  { name: 'Accounts', description: 'Signing in and out.' },
  { name: 'History', description: 'How the data came to be what they are.' },
  { name: 'Quality', description: 'What looks wrong in the data, and what became of it.' },
  { name: 'Analysis', description: 'Indicators that are calculated from prices.' },
  { name: 'Editions', description: 'The data of one revision as files that never change.' },
  { name: 'Harvests', description: 'Sources that are fetched and imported by a schedule.' },
  { name: 'Maintenance', description: 'Imports and the audit log.' },
  {
    name: 'FPMA-compatible',
    description: "The same data under the paths and in the response shapes of FAO's FPMA tool.",
  },
  { name: 'Operations', description: 'Index and health.' },
];

const METHOD_ORDER = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/**
 * Builds an OpenAPI 3.1 document from the routes, parameter tables and DTOs that the service
 * itself uses, so that it cannot deviate from the behaviour. Routes without `@ApiOperation()` are
 * left out, and so are tags and schemas that nothing in the document uses. The output is
 * deterministic.
 * @param basePath the path of `PUBLIC_URL`
 */
export function buildDocument(routes: RouteTable, scope: DocumentScope, basePath: string): Schema {
  const described = routes
    .all()
    .filter(({ docs }) => docs.operation !== undefined)
    .sort(byPatternAndMethod)
    .flatMap((route) => {
      const path = scope.path(route.pattern)?.replace(/[:*](\w+)/g, '{$1}');
      return path === undefined ? [] : [{ route, path }];
    });
  const paths: Record<string, Record<string, Schema>> = {};
  for (const { route, path } of described)
    (paths[path] ??= {})[route.method.toLowerCase()] = operationObject(route, path);
  const schemas = usedComponents(paths, componentSchemas(referenceTables()));
  const used = new Set(described.flatMap(({ route }) => route.docs.tags ?? []));
  return {
    openapi: '3.1.0',
    info: {
      title: scope.title,
      version: '1',
      description: scope.description,
      license: { name: 'The licence of each source of the data', url: `${basePath}/api/v1/Source` },
    },
    servers: scope.servers.map((url) => ({ url: url === '/' ? basePath || url : basePath + url })),
    // Reading needs no token; operations that do say so.
    security: [],
    tags: tags.filter(({ name }) => used.has(name)),
    paths: withNumberFormats(paths),
    components: {
      securitySchemes: { accessToken: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } },
      schemas: withNumberFormats(schemas),
    },
  };
}

/** A part of a document in which each number has its format; examples stay as they are. */
function withNumberFormats<T>(part: T): T {
  if (Array.isArray(part)) return part.map(withNumberFormats) as T;
  if (typeof part !== 'object' || part === null) return part;
  const entries = Object.entries(part).map(([name, value]: [string, unknown]) => [
    name,
    name === 'example' ? value : withNumberFormats(value),
  ]);
  const schema = Object.fromEntries(entries) as Schema;
  const isNumber = schema.type === 'number' || isDeepStrictEqual(schema.type, ['number', 'null']);
  return (isNumber ? { ...schema, format: 'double' } : schema) as T;
}

function byPatternAndMethod(one: Route, other: Route): number {
  if (one.pattern !== other.pattern) return one.pattern < other.pattern ? -1 : 1;
  return METHOD_ORDER.indexOf(one.method) - METHOD_ORDER.indexOf(other.method);
}
