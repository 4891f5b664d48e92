/** A JSON Schema (2020-12), as OpenAPI 3.1 uses it. */
export type Schema = { readonly [key: string]: unknown };

/** A schema of the document's components. */
export const ref = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` });

export const arrayOf = (items: Schema): Schema => ({ type: 'array', items });

/** An object with exactly these properties, all required except the optional ones. */
export function objectOf(properties: Record<string, Schema>, optional: readonly string[] = []): Schema {
  const required = Object.keys(properties).filter((name) => !optional.includes(name));
  return {
    type: 'object',
    properties,
    ...(required.length > 0 ? { required } : {}),
    additionalProperties: false,
  };
}
