import { type Schema } from '../platform/validation/schema.js';

/**
 * The schemas that a part of a document refers to, directly or through others, in the order of
 * `schemas`.
 */
export function usedComponents(part: unknown, schemas: Record<string, Schema>): Record<string, Schema> {
  const used = new Set<string>();
  const visit = (value: unknown): void => {
    for (const [, name] of JSON.stringify(value).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      if (used.has(name!)) continue;
      used.add(name!);
      visit(schemas[name!]);
    }
  };
  visit(part);
  return Object.fromEntries(Object.entries(schemas).filter(([name]) => used.has(name)));
}
