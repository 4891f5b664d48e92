import { applyDecorators } from '@nestjs/common';
import type { ProblemCode } from '../errors/problem-codes.js';
import { arrayOf, objectOf, type Schema } from '../validation/schema.js';

/*
 * Decorators that describe a route in the OpenAPI document, named as those of `@nestjs/swagger`
 * (docs/decisions/0010-own-decorators-for-the-api-document.md). The document takes a route's path,
 * query parameters, formats and need of a token from the decorators that implement them.
 */

export interface ApiHeaderOptions {
  name: string;
  description: string;
  schema?: Schema;
}

export interface ApiBodyOptions {
  schema: Schema;
  example?: unknown;
}

interface ApiResponseOptions {
  description: string;
  /** The schema of its JSON; the route's other formats are text. */
  schema?: Schema;
  example?: unknown;
  /** By media type, where these are not the formats of the route. */
  content?: Readonly<Record<string, Schema>>;
  headers?: Readonly<Record<string, Schema>>;
}

/** What these decorators say of a handler and its controller. */
export interface ApiDocs {
  tags?: readonly string[];
  operation?: { summary: string; description?: string };
  headers?: readonly ApiHeaderOptions[];
  body?: ApiBodyOptions;
  response?: ApiResponseOptions & { status: number };
  /** The 206 of a route that sends ranges. */
  partial?: ApiResponseOptions;
  problems?: readonly ProblemCode[];
}

const API_DOCS = 'pds:api-docs';

/** The description of a route; a handler's own decorators win over its controller's. */
export const apiDocs = (controller: object, handler: object): ApiDocs => ({
  ...(Reflect.getMetadata(API_DOCS, controller) as ApiDocs | undefined),
  ...(Reflect.getMetadata(API_DOCS, handler) as ApiDocs | undefined),
});

const describe =
  (part: (earlier: ApiDocs) => ApiDocs): MethodDecorator & ClassDecorator =>
  (target: object, _key?: string | symbol, descriptor?: PropertyDescriptor) => {
    const described = (descriptor?.value ?? target) as object;
    const earlier = (Reflect.getMetadata(API_DOCS, described) ?? {}) as ApiDocs;
    Reflect.defineMetadata(API_DOCS, { ...earlier, ...part(earlier) }, described);
  };

/** The sections of the document that list the route, or every route of the controller. */
export const ApiTags = (...tags: string[]) => describe(() => ({ tags }));

/** What the route does. Routes without this decorator are not in the document. */
export const ApiOperation = (operation: ApiDocs['operation']) => describe(() => ({ operation }));

/** A header of the request. */
export const ApiHeader = (header: ApiHeaderOptions) =>
  describe(({ headers = [] }) => ({ headers: [header, ...headers] }));

/** The body of the request. */
export const ApiBody = (body: ApiBodyOptions) => describe(() => ({ body }));

const responseDecorator = (status: number) => (response: ApiResponseOptions) =>
  describe(() => ({ response: { status, ...response } }));

export const ApiOkResponse = responseDecorator(200);
export const ApiCreatedResponse = responseDecorator(201);
export const ApiAcceptedResponse = responseDecorator(202);
export const ApiNoContentResponse = responseDecorator(204);

/** The route also sends parts of its 200, to requests with a `Range`. */
export const ApiPartialContentResponse = (partial: ApiResponseOptions) => describe(() => ({ partial }));

/** Error responses beyond those of every route. */
export const ApiProblems = (...codes: ProblemCode[]) =>
  describe(({ problems = [] }) => ({ problems: [...codes, ...problems] }));

/** The `ETag` header of a record, among the headers of a response. */
export const ETAG_HEADER = { ETag: { schema: { type: 'string' } } };

/** The address of what the request has begun or created, among the headers of a response. */
export const LOCATION_HEADER = { Location: { schema: { type: 'string', format: 'uri' } } };

/** Problems of every route that changes or removes a record. */
const RECORD_PROBLEMS = [
  'duplicate',
  'in_use',
  'reference_missing',
  'precondition_failed',
  'precondition_required',
] as const satisfies ProblemCode[];

/** The route changes an existing record: its `If-Match` header, and its problems. */
export const ApiIfMatch = () =>
  applyDecorators(
    ApiHeader({
      name: 'If-Match',
      description: 'ETag of the record as last read. The write is rejected if the record has changed since.',
    }),
    ApiProblems(...RECORD_PROBLEMS),
  );

/** The route creates something: its `Idempotency-Key` header, and the problems of using it. */
export const ApiIdempotencyKey = () =>
  applyDecorators(
    ApiHeader({
      name: 'Idempotency-Key',
      description:
        'Repeating the request with the same key within 24 hours returns the first response again.',
      schema: { type: 'string', minLength: 1, maxLength: 255 },
    }),
    ApiProblems('idempotency_in_progress', 'idempotency_mismatch'),
  );

const link = (description: string): Schema => ({ type: ['string', 'null'], format: 'uri', description });

/** The envelope of a list. */
export const envelopeOf = (items: Schema): Schema =>
  objectOf({
    count: { type: 'integer', format: 'int64', description: 'Total number of items' },
    next: link('Address of the next page; null on the last'),
    previous: link('Address of the previous page; null on the first'),
    results: arrayOf(items),
  });
