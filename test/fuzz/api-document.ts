import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormatsModule from 'ajv-formats';

/** A JSON value whose structure the OpenAPI specification guarantees. */
export type Json = { [key: string]: Json } & { [index: number]: Json } & Iterable<Json>;

export interface DocumentedParameter {
  name: string;
  in: 'path' | 'query' | 'header';
  schema: Record<string, unknown>;
}

/** One operation of the document. */
export interface DocumentedOperation {
  method: string;
  path: string;
  parameters: DocumentedParameter[];
  needsToken: boolean;
  /** Schema of a JSON body; null if it accepts none. */
  body: Record<string, unknown> | null;
  bodyExample: unknown;
  statuses: Set<string>;
}

function schemasOf(document: Json): Ajv2020 {
  const ajv = new Ajv2020({ strict: false, allErrors: false });
  // The package is CommonJS; the place of its default export depends on the loader.
  const addFormats = ((addFormatsModule as unknown as { default?: unknown }).default ?? addFormatsModule) as (
    ajv: Ajv2020,
  ) => void;
  addFormats(ajv);
  ajv.addSchema({ $id: 'api', ...(document as object) });
  return ajv;
}

/** The document with every member of a reply optional, as they are where `fields` chooses some. */
const withOptionalMembers = (document: Json): Json => {
  const text = JSON.stringify(document, (name, value: unknown) =>
    name === 'required' && Array.isArray(value) ? undefined : value,
  );
  // Schemas that differ in their required members alone are the same now.
  return JSON.parse(text.replaceAll('"oneOf":', '"anyOf":')) as Json;
};

/** The published OpenAPI document: its operations, and whether a response conforms to it. */
export class ApiDocument {
  readonly operations: DocumentedOperation[] = [];
  private readonly ajv: Ajv2020;
  private readonly validators = new Map<string, ValidateFunction | null>();

  constructor(private readonly document: Json) {
    this.ajv = schemasOf(document);
    for (const [path, methods] of Object.entries(document.paths!)) {
      for (const [method, operation] of Object.entries(methods)) {
        const body = operation.requestBody?.content?.['application/json'];
        this.operations.push({
          method: method.toUpperCase(),
          path,
          parameters: operation.parameters as unknown as DocumentedParameter[],
          needsToken: operation.security !== undefined,
          body: (body?.schema as Record<string, unknown> | undefined) ?? null,
          bodyExample: body?.example,
          statuses: new Set(Object.keys(operation.responses!)),
        });
      }
    }
  }

  private ofFields: ApiDocument | null = null;

  /** The same for replies to requests with `fields`. */
  get withFields(): ApiDocument {
    return (this.ofFields ??= new ApiDocument(withOptionalMembers(this.document)));
  }

  /** Resolves a schema's `$ref`. */
  resolve(schema: Record<string, unknown>): Record<string, unknown> {
    const reference = schema.$ref;
    if (typeof reference !== 'string') return schema;
    return this.document.components!.schemas![reference.split('/').at(-1)!] as unknown as Record<
      string,
      unknown
    >;
  }

  /** Why a response does not conform to the document; null if it does. */
  mismatch(operation: DocumentedOperation, status: number, type: string, body: string): string | null {
    if (!operation.statuses.has(String(status))) return `status ${status} is not documented`;
    const media = type.split(';')[0]!;
    if (body === '') return null;
    const content =
      this.document.paths![operation.path]![operation.method.toLowerCase()]!.responses![status]!.content;
    if (content?.[media] === undefined) return `${status} with ${media} is not documented`;
    if (!/json$/.test(media) || media.includes('ndjson')) return null;
    const validate = this.validator(operation, status, media);
    if (validate === null || validate(JSON.parse(body))) return null;
    return `the body is not as documented: ${this.ajv.errorsText(validate.errors)}`;
  }

  private validator(operation: DocumentedOperation, status: number, media: string): ValidateFunction | null {
    const escaped = [
      operation.path,
      operation.method.toLowerCase(),
      'responses',
      String(status),
      'content',
      media,
    ];
    const pointer = ['paths', ...escaped]
      .map((part) => part.replaceAll('~', '~0').replaceAll('/', '~1'))
      .join('/');
    let validate = this.validators.get(pointer);
    if (validate === undefined) {
      validate = this.ajv.compile({ $ref: `api#/${encodeURI(pointer)}/schema` });
      this.validators.set(pointer, validate);
    }
    return validate;
  }
}
