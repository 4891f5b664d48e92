import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormatsModule from 'ajv-formats';

/** A JSON value whose shape the OpenAPI specification promises. */
export type Json = { [key: string]: Json } & { [index: number]: Json } & Iterable<Json>;

export interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  schema: Record<string, unknown>;
}

/** One operation of the document. */
export interface Operation {
  method: string;
  path: string;
  parameters: Parameter[];
  needsToken: boolean;
  /** Schema of a JSON body; null where it takes none. */
  body: Record<string, unknown> | null;
  bodyExample: unknown;
  statuses: Set<string>;
}

/** The published document, as a caller reads it: which operations there are, and whether an answer is as promised. */
export class ApiDocument {
  readonly operations: Operation[] = [];
  private readonly ajv: Ajv2020;
  private readonly validators = new Map<string, ValidateFunction | null>();

  constructor(private readonly document: Json) {
    this.ajv = new Ajv2020({ strict: false, allErrors: false });
    // The package is CommonJS; where its default export lies depends on who loads it.
    const addFormats = ((addFormatsModule as unknown as { default?: unknown }).default ??
      addFormatsModule) as (ajv: Ajv2020) => void;
    addFormats(this.ajv);
    this.ajv.addSchema({ $id: 'api', ...(document as object) });
    for (const [path, methods] of Object.entries(document.paths!)) {
      for (const [method, operation] of Object.entries(methods)) {
        const body = operation.requestBody?.content?.['application/json'];
        this.operations.push({
          method: method.toUpperCase(),
          path,
          parameters: operation.parameters as unknown as Parameter[],
          needsToken: operation.security !== undefined,
          body: (body?.schema as Record<string, unknown> | undefined) ?? null,
          bodyExample: body?.example,
          statuses: new Set(Object.keys(operation.responses!)),
        });
      }
    }
  }

  /** A schema with its reference followed. */
  resolve(schema: Record<string, unknown>): Record<string, unknown> {
    const reference = schema.$ref;
    if (typeof reference !== 'string') return schema;
    return this.document.components!.schemas![reference.split('/').at(-1)!] as unknown as Record<
      string,
      unknown
    >;
  }

  /** Why an answer is not as the document promises; null when it is. */
  fault(operation: Operation, status: number, type: string, body: string): string | null {
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

  private validator(operation: Operation, status: number, media: string): ValidateFunction | null {
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
