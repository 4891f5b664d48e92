import { type ViolationCode, type ProblemCode, problemCodes } from './problem-codes.js';

/** Most entries of `errors` in one answer. */
export const MAX_VIOLATIONS = 20;

/** One thing that is wrong with a request. `name` is the parameter, header or field; `pointer` is a JSON Pointer into the body. */
export interface Violation {
  in: 'query' | 'path' | 'header' | 'body';
  name?: string;
  pointer?: string;
  code: ViolationCode;
  detail: string;
  allowed?: readonly string[];
  max?: number;
  min?: number;
  index?: number;
  position?: number;
  suggestion?: string;
  count?: number;
}

export interface ApiErrorOptions {
  errors?: readonly Violation[];
  headers?: Readonly<Record<string, string>>;
  /** Further members of the body, such as `last_page`. */
  extra?: Readonly<Record<string, unknown>>;
  /** What lies behind it; logged, never sent. */
  cause?: unknown;
}

/** A refusal the caller is told about. Its code decides status and title (`problem-codes.ts`). */
export class ApiError extends Error {
  readonly status: number;
  readonly title: string;
  readonly errors: readonly Violation[] | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly extra: Readonly<Record<string, unknown>>;

  constructor(
    readonly code: ProblemCode,
    readonly detail: string,
    options: ApiErrorOptions = {},
  ) {
    super(`${code}: ${detail}`, { cause: options.cause });
    this.name = new.target.name;
    this.status = problemCodes[code].status;
    this.title = problemCodes[code].title;
    this.errors = options.errors?.slice(0, MAX_VIOLATIONS);
    this.headers = options.headers ?? {};
    this.extra = options.extra ?? {};
  }
}

/** 400: the values of the request are at fault; all of them are reported together. */
export class ValidationError extends ApiError {
  constructor(readonly violations: readonly Violation[]) {
    super('invalid', describe(violations), { errors: violations });
  }
}

/** 400: the body is not JSON. The parser's own words are not passed on, because they quote the body. */
export class MalformedJson extends ApiError {
  constructor(detail: string, position?: number) {
    super('parse_error', detail, {
      errors: [
        {
          in: 'body',
          pointer: '',
          code: 'parse_error',
          detail,
          ...(position === undefined ? {} : { position }),
        },
      ],
    });
  }
}

/** 400: the request could not be read as HTTP. */
export class BadRequest extends ApiError {
  constructor(
    detail = 'The request is not well-formed HTTP.',
    options: Pick<ApiErrorOptions, 'headers'> = {},
  ) {
    super('bad_request', detail, { errors: [], ...options });
  }
}

/** 401: no token was sent. */
export class NotAuthenticated extends ApiError {
  constructor(detail = 'Send an access token: Authorization: Bearer <ACCESS_TOKEN>.') {
    super('not_authenticated', detail, { headers: { 'WWW-Authenticate': 'Bearer' } });
  }
}

/** 401: a token was sent and is of no use. Why is not said. */
export class TokenNotValid extends ApiError {
  constructor(detail = 'The token is not valid or has expired. Log in again.') {
    super('token_not_valid', detail, { headers: { 'WWW-Authenticate': 'Bearer error="invalid_token"' } });
  }
}

/** 401 of the login: one answer for every reason. */
export class AuthenticationFailed extends ApiError {
  constructor() {
    super('authentication_failed', 'No active account has this user name and password.', {
      headers: { 'WWW-Authenticate': 'Bearer' },
    });
  }
}

/** 403: the role is missing. */
export class Forbidden extends ApiError {
  constructor(detail = 'Your account may not do this.') {
    super('forbidden', detail);
  }
}

/** 404: no such address, record or page. */
export class NotFound extends ApiError {
  constructor(detail = 'There is nothing at this address.', extra: Record<string, unknown> = {}) {
    super('not_found', detail, { extra });
  }
}

/** 405, with the methods the address has. */
export class MethodNotAllowed extends ApiError {
  constructor(allow: readonly string[]) {
    super('method_not_allowed', `This address takes ${allow.join(', ')}.`, {
      headers: { Allow: allow.join(', ') },
    });
  }
}

/** 406: `Accept` rules out all of `formats` (media types). */
export class NotAcceptable extends ApiError {
  constructor(formats: readonly string[]) {
    super('not_acceptable', `This address answers with ${formats.join(', ')}.`);
  }
}

/** 408: the request did not arrive in time. */
export class RequestTimeout extends ApiError {
  constructor(detail = 'The request was not sent in time.') {
    super('request_timeout', detail, { headers: { Connection: 'close' } });
  }
}

/** 409: a unique key is taken. `existing` is the address of the record that has it. */
export class Duplicate extends ApiError {
  constructor(fields: readonly string[], existing?: string) {
    super('duplicate', `A record with the same ${fields.join(', ') || 'unique key'} exists.`, {
      errors: fields.map((name) => ({
        in: 'body',
        name,
        pointer: `/${name}`,
        code: 'duplicate',
        detail: `Another record has this ${name}.`,
      })),
      extra: existing === undefined ? {} : { existing },
    });
  }
}

/** 409: the record cannot go, because others refer to it. Kinds are table names, such as `PriceSerie`. */
export class InUse extends ApiError {
  constructor(uses: readonly { kind: string; count: number }[]) {
    const listed = uses.map(({ kind, count }) => `${kind} (${count})`).join(', ');
    super('in_use', `The record is in use${listed ? ` by ${listed}` : ''}.`, {
      errors: uses.map(({ kind, count }) => ({
        in: 'path',
        name: kind,
        code: 'in_use',
        detail: `${count} ${kind} refer to the record.`,
        count,
      })),
    });
  }
}

/** 409: the body refers to a record that does not exist. */
export class ReferenceMissing extends ApiError {
  constructor(fields: readonly string[] = []) {
    super('reference_missing', `${fields.join(', ') || 'The body'} refers to a record that does not exist.`, {
      errors: fields.map((name) => ({
        in: 'body',
        name,
        pointer: `/${name}`,
        code: 'reference_missing',
        detail: `${name} refers to a record that does not exist.`,
      })),
    });
  }
}

/** 409: one import at a time. */
export class ImportRunning extends ApiError {
  constructor() {
    super('import_running', 'Another import is running. Try again when it has ended.', { errors: [] });
  }
}

/** 409: the first request with this idempotency key is still being worked on. */
export class IdempotencyInProgress extends ApiError {
  constructor() {
    super('idempotency_in_progress', 'The first request with this Idempotency-Key is still in progress.', {
      errors: [],
      headers: { 'Retry-After': '1' },
    });
  }
}

/** 412: the record is not the one the caller read. */
export class PreconditionFailed extends ApiError {
  constructor(detail = 'The record has changed since you read it. Read it again.') {
    super('precondition_failed', detail);
  }
}

/** 413: reading stopped at the limit, and the connection is closed. */
export class TooLarge extends ApiError {
  /** @param advice a sentence on what to do with a larger one */
  constructor(limit: number, advice = '') {
    super('too_large', `The body may have at most ${limit} bytes. ${advice}`.trim(), {
      headers: { Connection: 'close' },
      extra: { max: limit },
    });
  }
}

/** 414: the target of the request is over `limit` bytes. */
export class UriTooLong extends ApiError {
  constructor(limit: number) {
    super('uri_too_long', `The address may have at most ${limit} bytes.`);
  }
}

/** 415, with the types the address takes. */
export class UnsupportedMediaType extends ApiError {
  constructor(types: readonly string[], detail = `Send the body as ${types.join(' or ')}, in UTF-8.`) {
    super('unsupported_media_type', detail, { headers: { Accept: types.join(', ') } });
  }
}

/** 422: the key belongs to another body. */
export class IdempotencyMismatch extends ApiError {
  constructor() {
    super('idempotency_mismatch', 'This Idempotency-Key was used with another body. Use a new key.');
  }
}

/** 428: strict mode asks for `If-Match`. */
export class PreconditionRequired extends ApiError {
  constructor() {
    super('precondition_required', "Send If-Match with the record's ETag.");
  }
}

/** 429; `seconds` until the caller may try again. */
export class Throttled extends ApiError {
  constructor(seconds: number, headers: Record<string, string> = {}) {
    const wait = Math.max(1, Math.ceil(seconds));
    super('throttled', `Too many requests. Try again in ${wait} seconds.`, {
      headers: { ...headers, 'Retry-After': String(wait) },
    });
  }
}

/** 431: the header fields are over `limit` bytes. */
export class HeadersTooLarge extends ApiError {
  constructor(limit: number) {
    super('headers_too_large', `The header fields may have at most ${limit} bytes.`);
  }
}

/** 503: overload or no database; worth another try after `seconds`. */
export class Unavailable extends ApiError {
  constructor(detail = 'The service cannot answer at present. Try again.', seconds = 1, cause?: unknown) {
    super('unavailable', detail, { headers: { 'Retry-After': String(seconds) }, cause });
  }
}

/** 503: the database takes no writes (read-only or full). */
export class StorageUnavailable extends ApiError {
  constructor(cause?: unknown) {
    super('storage_unavailable', 'Nothing can be written at present. Reading works.', {
      headers: { 'Retry-After': '60' },
      cause,
    });
  }
}

/** 503: the connection was lost while committing. */
export class OutcomeUnknown extends ApiError {
  constructor(cause?: unknown) {
    super(
      'outcome_unknown',
      'The connection to the database was lost while saving. Check whether the change was made.',
      {
        headers: { 'Retry-After': '1' },
        cause,
      },
    );
  }
}

/** 504: no answer within the time a request may take. */
export class Timeout extends ApiError {
  constructor(detail = 'The database did not answer in time. Try again.', cause?: unknown) {
    super('timeout', detail, { headers: { 'Retry-After': '1' }, cause });
  }
}

/** Text of the caller, made short enough to be repeated in an answer. */
export function cut(text: string): string {
  if (text.length <= 64) return text;
  // Counting code points keeps a surrogate pair whole.
  return Array.from(text.slice(0, 130)).slice(0, 64).join('');
}

function describe(faults: readonly Violation[]): string {
  const places = new Set(faults.map((fault) => fault.in));
  const named = new Set(faults.map((fault) => `${fault.in} ${fault.name ?? fault.pointer ?? ''}`)).size;
  const [one, many] = !(places.size === 1)
    ? ['value', 'values']
    : places.has('query')
      ? ['parameter', 'parameters']
      : places.has('body')
        ? ['field', 'fields']
        : places.has('header')
          ? ['header', 'headers']
          : ['part of the address', 'parts of the address'];
  return named === 1 ? `1 ${one} is not valid.` : `${named} ${many} are not valid.`;
}
