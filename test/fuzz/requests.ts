import fc from 'fast-check';
import type { ApiDocument, DocumentedOperation, DocumentedParameter } from './api-document.js';

/** A request to be sent. */
export interface FuzzRequest {
  operation: DocumentedOperation;
  method: string;
  target: string;
  headers: Record<string, string>;
  body: string | null;
}

/** Values that exist in the database, so that some requests are not 404. */
export interface ExistingValues {
  uuids: string[];
  ids: number[];
  pointIds: number[];
  token: string;
}

/** Texts that commonly break services. */
const nasty = fc.constantFrom(
  '',
  ' ',
  '0',
  '-1',
  '01',
  '1e3',
  '1.5',
  '99999999999999999999',
  'NaN',
  'null',
  'true',
  '2023-02-30',
  '2024-02-29',
  '0000-00-00',
  '9999-12-31',
  '12 months ago',
  "' OR 1=1 --",
  '%',
  '_',
  '"unclosed',
  '"Foo, Bar",Baz',
  '../../etc/passwd',
  '<script>',
  '__proto__',
  'constructor',
  'café',
  'e\u0301',
  '\u202eabc',
  '😀',
  ',',
  '1,,2',
  'a'.repeat(300),
  'KEN,ken,XAA',
);
const anyText = fc.oneof(
  { weight: 3, arbitrary: nasty },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 30 }) },
);

/** Values that conform to a schema. */
function valid(schema: Record<string, unknown>): fc.Arbitrary<unknown> {
  const choices = schema.enum as unknown[] | undefined;
  if (choices) return fc.constantFrom(...choices);
  const type = Array.isArray(schema.type) ? (schema.type as string[])[0] : schema.type;
  switch (type) {
    case 'integer':
      return fc.integer({
        min: (schema.minimum as number) ?? 1,
        max: Math.min(50, (schema.maximum as number) ?? 50),
      });
    case 'number':
      return fc.constantFrom(0.5, 1, 12.25, 1e6, 3.14159);
    case 'boolean':
      return fc.boolean();
    case 'array':
      return fc
        .array(valid(schema.items as Record<string, unknown>), { minLength: 1, maxLength: 4 })
        .map((items) => items.join(','));
    default:
      if (schema.format === 'date') return fc.constantFrom('2019-01-01', '2024-02-29', '2026-11-01');
      if (schema.format === 'uuid') return fc.uuid();
      if (typeof schema.pattern === 'string' && schema.pattern.includes('{3}'))
        return fc.constantFrom('KEN', 'XAA', 'UGA');
      if (typeof schema.pattern === 'string') return fc.constantFrom('1006', '10', '100630');
      return fc.constantFrom('retail', 'Nairobi', 'Maize', 'Urban', 'a b');
  }
}

const encoded = (value: unknown) => encodeURIComponent(String(value).replaceAll(/\p{Surrogate}/gu, '?'));

function queryPart(parameter: DocumentedParameter): fc.Arbitrary<string> {
  const value = fc.oneof(
    { weight: 3, arbitrary: valid(parameter.schema) },
    { weight: 1, arbitrary: anyText },
  );
  return value.map((text) => `${parameter.name}=${encoded(text)}`);
}

function queryOf(operation: DocumentedOperation): fc.Arbitrary<string> {
  const queryParameters = operation.parameters.filter((parameter) => parameter.in === 'query');
  const odd = fc.oneof(
    fc.constantFrom(
      'page[size]=1',
      '__proto__[x]=1',
      'constructor=1',
      '%zz=1',
      'a=%FF',
      'x=%00',
      '&&',
      '=',
      '_=1',
      'format=xml',
    ),
    fc.tuple(anyText, anyText).map(([name, value]) => `${encoded(name)}=${encoded(value)}`),
  );
  const part =
    queryParameters.length > 0
      ? fc.oneof(
          { weight: 12, arbitrary: fc.constantFrom(...queryParameters).chain(queryPart) },
          { weight: 1, arbitrary: odd },
        )
      : odd;
  return fc
    .array(part, { maxLength: queryParameters.length > 0 ? 4 : 1 })
    .map((parts) => (parts.length > 0 ? `?${parts.join('&')}` : ''));
}

function pathOf(operation: DocumentedOperation, existing: ExistingValues): fc.Arbitrary<string> {
  const segment = (name: string): fc.Arbitrary<string> => {
    const candidates =
      name === 'uuid'
        ? existing.uuids
        : operation.path.includes('PriceSeriePrice')
          ? existing.pointIds
          : existing.ids;
    return fc.oneof(
      { weight: 5, arbitrary: fc.constantFrom(...candidates).map(String) },
      { weight: 1, arbitrary: anyText.filter((text) => text !== '').map(encoded) },
    );
  };
  const parts = operation.path.split(/(\{\w+\})/).map((part) => {
    const name = /^\{(\w+)\}$/.exec(part)?.[1];
    return name === undefined ? fc.constant(part) : segment(name);
  });
  return fc
    .tuple(fc.tuple(...parts), fc.boolean())
    .map(([texts, slash]) => (slash ? texts.join('').replace(/\/?$/, '/') : texts.join('')));
}

function bodyOf(
  document: ApiDocument,
  operation: DocumentedOperation,
): fc.Arbitrary<{ body: string | null; type: string | null }> {
  if (operation.body === null) return fc.constant({ body: null, type: null });
  const properties = document.resolve(operation.body).properties as
    Record<string, Record<string, unknown>> | undefined;
  const fields = Object.entries(properties ?? {});
  const json = fc.jsonValue({ maxDepth: 3 });
  const member =
    fields.length === 0
      ? fc.tuple(fc.string(), json)
      : fc.oneof(
          {
            weight: 8,
            arbitrary: fc
              .constantFrom(...fields)
              .chain(([name, schema]) => valid(schema).map((value) => [name, value] as [string, unknown])),
          },
          {
            weight: 2,
            arbitrary: fc.tuple(fc.constantFrom(...fields.map(([name]) => name)), fc.oneof(json, anyText)),
          },
          { weight: 1, arbitrary: fc.tuple(anyText, json) },
        );
  const example = (operation.bodyExample ?? {}) as Record<string, unknown>;
  const object = fc
    .tuple(fc.boolean(), fc.array(member, { maxLength: 5 }))
    .map(([whole, members]) => JSON.stringify({ ...(whole ? example : {}), ...Object.fromEntries(members) }));
  const text = fc.oneof(
    { weight: 10, arbitrary: object },
    { weight: 1, arbitrary: json.map((value) => JSON.stringify(value)) },
    {
      weight: 1,
      arbitrary: fc.constantFrom(
        '',
        '{',
        '{"a":1,}',
        "{'a':1}",
        'NaN',
        '{"x":1e400}',
        '['.repeat(14_000),
        '{"__proto__":{"x":1}}',
      ),
    },
  );
  const type = fc.oneof(
    { weight: 10, arbitrary: fc.constant('application/json') },
    {
      weight: 1,
      arbitrary: fc.constantFrom(
        'text/plain',
        'application/x-www-form-urlencoded',
        'application/json; charset=latin1',
        '',
        'x',
      ),
    },
  );
  return fc.record({ body: text, type });
}

function headersOf(
  operation: DocumentedOperation,
  existing: ExistingValues,
): fc.Arbitrary<Record<string, string>> {
  const own = operation.parameters.filter((parameter) => parameter.in === 'header').map(({ name }) => name);
  const token = operation.needsToken
    ? fc.oneof(
        { weight: 8, arbitrary: fc.constant(`Bearer ${existing.token}`) },
        { weight: 1, arbitrary: fc.constantFrom('Bearer x.y.z', 'Basic abc', 'Bearer', 'bearer  ') },
        { weight: 1, arbitrary: fc.constant(null) },
      )
    : fc.constantFrom(null, 'Bearer stale');
  const optional = (name: string, values: fc.Arbitrary<string>) =>
    fc
      .oneof({ weight: 4, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: values })
      .map((value) => [name, value] as const);
  const tags = fc.constantFrom('"1"', '*', 'W/"1"', '"x", "2"', 'garbage');
  return fc
    .tuple(
      token.map((value) => ['Authorization', value] as const),
      optional(
        'Accept',
        fc.constantFrom('*/*', 'text/csv', 'application/x-ndjson', 'application/json', 'image/png', ';;;'),
      ),
      optional('Accept-Encoding', fc.constantFrom('gzip', 'br', 'identity;q=0', 'nonsense')),
      optional('If-None-Match', tags),
      optional('If-Match', own.includes('If-Match') ? tags : fc.constant('"1"')),
      optional('Idempotency-Key', fc.constantFrom('a', 'b', 'ü', 'x'.repeat(300), ' ')),
      optional('X-Request-Id', fc.constantFrom('abc', 'no spaces allowed', 'x'.repeat(100))),
      optional('X-Forwarded-Host', fc.constantFrom('evil.example', '127.0.0.1, x')),
    )
    .map((pairs) =>
      Object.fromEntries(pairs.filter((pair): pair is readonly [string, string] => pair[1] !== null)),
    );
}

/** Valid and invalid requests to all operations of the document, and some with other methods. */
export function anyRequest(document: ApiDocument, existing: ExistingValues): fc.Arbitrary<FuzzRequest> {
  const operations = document.operations.flatMap((operation) =>
    // Less often than others: a login hashes a password.
    Array<DocumentedOperation>(/login/.test(operation.path) ? 1 : 6).fill(operation),
  );
  return fc.constantFrom(...operations).chain((operation) =>
    fc
      .record({
        method: fc.oneof(
          { weight: 20, arbitrary: fc.constant(operation.method) },
          {
            weight: 1,
            arbitrary: fc.constantFrom(
              'HEAD',
              'OPTIONS',
              'POST',
              'PUT',
              'DELETE',
              'PATCH',
              'TRACE',
              'PROPFIND',
            ),
          },
        ),
        path: pathOf(operation, existing),
        query: queryOf(operation),
        headers: headersOf(operation, existing),
        content: bodyOf(document, operation),
      })
      .map(({ method, path, query, headers, content }) => ({
        operation,
        method,
        target: path + query,
        headers: { ...headers, ...(content.type === null ? {} : { 'Content-Type': content.type }) },
        body: content.body,
      })),
  );
}
