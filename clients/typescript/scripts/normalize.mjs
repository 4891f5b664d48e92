import { createHash } from 'node:crypto';

/** Texts, which types do not depend on. */
const TEXTS = new Set(['description', 'summary', 'example', 'examples', 'info', 'tags', 'servers']);

/**
 * What the types of a document depend on: reads, without texts and error responses, which the
 * client throws as one class. Types change only if the interface does, not with every word of its
 * description.
 */
export function normalize(document) {
  const paths = Object.fromEntries(
    Object.entries(document.paths).flatMap(([path, { get }]) =>
      get === undefined ? [] : [[path, { get: { ...get, responses: successful(get.responses) } }]],
    ),
  );
  const { securitySchemes } = document.components;
  return withoutTexts({
    openapi: document.openapi,
    info: { title: '', version: document.info.version },
    paths,
    components: { schemas: used(paths, document.components.schemas), securitySchemes },
  });
}

/** A digest of what the types depend on. */
export const digestOf = (document) =>
  createHash('sha256')
    .update(JSON.stringify(normalize(document)))
    .digest('hex');

const successful = (responses) =>
  Object.fromEntries(Object.entries(responses).filter(([status]) => status.startsWith('2')));

/** The schemas that reads refer to, and those of problems. */
function used(paths, schemas) {
  const names = new Set();
  const visit = (part) => {
    for (const [, name] of JSON.stringify(part).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      if (names.has(name)) continue;
      names.add(name);
      visit(schemas[name]);
    }
  };
  visit([paths, { $ref: '#/components/schemas/Problem' }]);
  return Object.fromEntries(Object.entries(schemas).filter(([name]) => names.has(name)));
}

/** Removes texts, but no properties of schemas that have such names. */
function withoutTexts(value, isNames = false) {
  if (Array.isArray(value)) return value.map((item) => withoutTexts(item));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name, item]) => isNames || !TEXTS.has(name) || (name === 'info' && 'version' in item))
      .map(([name, item]) => [name, withoutTexts(item, name === 'properties' || name === 'schemas')]),
  );
}
