import { STATUS_CODES } from 'node:http';
import { type ViolationCode, type ProblemCode, problemCodes } from './problem-codes.js';

/** The most entries of `errors` in one response. */
export const MAX_VIOLATIONS = 20;

/**
 * One reason why a request is invalid. `name` is the parameter, header or field; `pointer` is a
 * JSON Pointer into the body.
 */
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
  /** The underlying error; logged, never sent. */
  cause?: unknown;
}

/** An error that is sent to the caller. Its code decides status and title (`problem-codes.ts`). */
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

/** A status without a problem code of its own, such as 418; thrown by Nest's exceptions only. */
export class PlainHttpError extends ApiError {
  override readonly status: number;
  override readonly title: string;

  constructor(status: number, detail: string) {
    super('error', detail, { extra: { type: 'about:blank' }, ...(status === 409 ? { errors: [] } : {}) });
    this.status = status;
    this.title = STATUS_CODES[status] ?? 'Error';
  }
}

/** 400: values of the request are invalid. All violations are reported together. */
export class ValidationError extends ApiError {
  constructor(readonly violations: readonly Violation[]) {
    super('invalid', summarize(violations), { errors: violations });
  }
}

/** 400: the body is not JSON. The parser's own message would quote the body. */
export class MalformedJson extends ApiError {
  constructor(detail: string, position?: number) {
    super('parse_error', detail, {
      errors: [
        { in: 'body', pointer: '', code: 'parse_error', detail, ...(position !== undefined && { position }) },
      ],
    });
  }
}

/** 400: the request could not be parsed as HTTP. */
export class BadRequest extends ApiError {
  constructor(
    detail = 'The request is not well-formed HTTP.',
    options: Pick<ApiErrorOptions, 'headers'> = {},
  ) {
    super('bad_request', detail, { errors: [], ...options });
  }
}

/** How a request is authenticated. */
export const SEND_TOKEN = 'Send an access token: Authorization: Bearer <ACCESS_TOKEN>.';

/** 401: no token was sent. */
export class NotAuthenticated extends ApiError {
  constructor(detail = SEND_TOKEN) {
    super('not_authenticated', detail, { headers: { 'WWW-Authenticate': 'Bearer' } });
  }
}

/** 401: the token is not accepted. The response does not say why; the security log does. */
export class TokenNotValid extends ApiError {
  constructor(detail = 'The token is not valid or has expired. Log in again.') {
    super('token_not_valid', detail, { headers: { 'WWW-Authenticate': 'Bearer error="invalid_token"' } });
  }
}

/** 401 of the login: the same response for every reason. */
export class AuthenticationFailed extends ApiError {
  constructor() {
    super('authentication_failed', 'No active account has this user name and password.', {
      headers: { 'WWW-Authenticate': 'Bearer' },
    });
  }
}

/** 403: the role is missing. */
export class Forbidden extends ApiError {
  constructor(detail = 'Your account does not have permission to do this.') {
    super('forbidden', detail);
  }
}

/** 404: no such address, record or page. */
export class NotFound extends ApiError {
  constructor(detail = 'There is nothing at this address.', extra: Record<string, unknown> = {}) {
    super('not_found', detail, { extra });
  }
}

/** 405, with the methods that the address allows. */
export class MethodNotAllowed extends ApiError {
  constructor(allow: readonly string[]) {
    super('method_not_allowed', `This address accepts only ${allow.join(', ')}.`, {
      headers: { Allow: allow.join(', ') },
    });
  }
}

/** 406: `Accept` excludes all of `formats` (media types). */
export class NotAcceptable extends ApiError {
  constructor(formats: readonly string[]) {
    super('not_acceptable', `This address returns only ${formats.join(', ')}.`);
  }
}

/** 408: the request did not arrive in time. */
export class RequestTimeout extends ApiError {
  constructor(detail = 'The request was not sent in time.') {
    super('request_timeout', detail, { headers: { Connection: 'close' } });
  }
}

const fieldErrors = (
  fields: readonly string[],
  code: ViolationCode,
  detailOf: (name: string) => string,
): Violation[] =>
  fields.map((name) => ({ in: 'body', name, pointer: `/${name}`, code, detail: detailOf(name) }));

/** 409: another record has the unique key. `existing` is that record's address. */
export class Duplicate extends ApiError {
  constructor(fields: readonly string[], existing?: string) {
    super('duplicate', `A record with the same ${fields.join(', ') || 'unique key'} exists.`, {
      errors: fieldErrors(fields, 'duplicate', (name) => `Another record has this ${name}.`),
      extra: existing === undefined ? {} : { existing },
    });
  }
}

/** 409: other records refer to the record. Kinds are resource names, such as `PriceSerie`. */
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
      errors: fieldErrors(
        fields,
        'reference_missing',
        (name) => `${name} refers to a record that does not exist.`,
      ),
    });
  }
}

/** 409: the record is a part of the service, which depends on it. */
export class BuiltIn extends ApiError {
  /**
   * @param detail a sentence that says what is fixed
   * @param where the request names the record
   */
  constructor(
    detail: string,
    where: Pick<Violation, 'in' | 'name' | 'pointer'> = { in: 'path', name: 'id' },
  ) {
    super('built_in', detail, { errors: [{ ...where, code: 'built_in', detail }] });
  }
}

/** 409: what a finding tells is no longer there. */
export class Ended extends ApiError {
  /** @param state in which the finding has ended */
  constructor(state: string) {
    const detail = `The finding has ended as ${state}: it opens by itself if it is back.`;
    super('ended', detail, { errors: [{ in: 'path', name: 'id', code: 'ended', detail }] });
  }
}

/** 409: without this account there would be no enabled admin. */
export class LastAdmin extends ApiError {
  constructor() {
    const detail = 'The account is the last enabled admin. Make or enable another one first.';
    super('last_admin', detail, { errors: [{ in: 'path', name: 'id', code: 'last_admin', detail }] });
  }
}

/** 409: values of the one cannot be taken for values of the other. */
export class NotComparable extends ApiError {
  /** @param fields of the body that could make them comparable, or that name the other one */
  constructor(detail: string, fields: readonly string[]) {
    super('not_comparable', detail, { errors: fieldErrors(fields, 'not_comparable', () => detail) });
  }
}

/** 409: only one import runs at a time. */
export class ImportRunning extends ApiError {
  constructor() {
    super('import_running', 'Another import is running. Try again when it has ended.', { errors: [] });
  }
}

/** 409: another edition is being made. */
export class EditionRunning extends ApiError {
  constructor() {
    super('edition_running', 'Another edition is being made. Try again when it is ready.', { errors: [] });
  }
}

/** 409: the first request with this idempotency key is still running. */
export class IdempotencyInProgress extends ApiError {
  constructor() {
    super('idempotency_in_progress', 'The first request with this Idempotency-Key is still in progress.', {
      errors: [],
      headers: { 'Retry-After': '1' },
    });
  }
}

/** 412: the record is no longer in the version that the caller read. */
export class PreconditionFailed extends ApiError {
  constructor(detail = 'The record has changed since you read it. Read it again.') {
    super('precondition_failed', detail);
  }
}

/** 413: the body is not read past the limit, and the connection is closed. */
export class TooLarge extends ApiError {
  /**
   * @param advice a sentence on how to send a larger body
   * @param what the limit is for
   */
  constructor(limit: number, advice = '', what = 'The body') {
    super('too_large', `${what} must be at most ${limit} bytes long. ${advice}`.trim(), {
      headers: { Connection: 'close' },
      extra: { max: limit },
    });
  }
}

/** 414: the request target is longer than `limit` bytes. */
export class UriTooLong extends ApiError {
  constructor(limit: number) {
    super('uri_too_long', `The address must be at most ${limit} bytes long.`);
  }
}

/** 415, with the media types that the address accepts. */
export class UnsupportedMediaType extends ApiError {
  constructor(types: readonly string[], detail = `Send the body as ${types.join(' or ')}, in UTF-8.`) {
    super('unsupported_media_type', detail, { headers: { Accept: types.join(', ') } });
  }
}

/** 422: the key was used with another body. */
export class IdempotencyMismatch extends ApiError {
  constructor() {
    super('idempotency_mismatch', 'This Idempotency-Key was used with another body. Use a new key.');
  }
}

/** 428: strict mode requires `If-Match`. */
export class PreconditionRequired extends ApiError {
  constructor() {
    super('precondition_required', "Send If-Match with the record's ETag.");
  }
}

/** 429: the caller may try again after `seconds`. */
export class Throttled extends ApiError {
  constructor(seconds: number, headers: Record<string, string> = {}) {
    const wait = Math.max(1, Math.ceil(seconds));
    super('throttled', `Too many requests. Try again in ${wait} seconds.`, {
      headers: { ...headers, 'Retry-After': String(wait) },
    });
  }
}

/** 431: the header fields are longer than `limit` bytes. */
export class HeadersTooLarge extends ApiError {
  constructor(limit: number) {
    super('headers_too_large', `The header fields must be at most ${limit} bytes long.`);
  }
}

/** 503: overload, or no database; the caller may try again after `seconds`. */
export class Unavailable extends ApiError {
  constructor(detail = 'The service is temporarily unavailable. Try again.', seconds = 1, cause?: unknown) {
    super('unavailable', detail, { headers: { 'Retry-After': String(seconds) }, cause });
  }
}

/** 503: the database accepts no writes (read-only or full). */
export class StorageUnavailable extends ApiError {
  constructor(cause?: unknown) {
    super('storage_unavailable', 'Writes are temporarily unavailable. Reads still work.', {
      headers: { 'Retry-After': '60' },
      cause,
    });
  }
}

/** 503: this release is too old to write to the database; another instance may be newer. */
export class NewerSchema extends ApiError {
  constructor() {
    super('newer_schema', 'The service is being upgraded, and cannot write yet. Reads still work.', {
      headers: { 'Retry-After': '5' },
    });
  }
}

/** 503: the connection was lost during the commit. */
export class OutcomeUnknown extends ApiError {
  constructor(cause?: unknown) {
    const detail = 'The connection to the database was lost while saving. Check whether the change was made.';
    super('outcome_unknown', detail, { headers: { 'Retry-After': '1' }, cause });
  }
}

/** 504: the request did not finish within its time limit. */
export class Timeout extends ApiError {
  constructor(detail = 'The database did not answer in time. Try again.', cause?: unknown) {
    super('timeout', detail, { headers: { 'Retry-After': '1' }, cause });
  }
}

/** Truncates text of the caller to 64 characters, so that a response can quote it. */
export function truncate(text: string): string {
  if (text.length <= 64) return text;
  // Counting code points keeps a surrogate pair whole.
  return Array.from(text.slice(0, 130)).slice(0, 64).join('');
}

function summarize(violations: readonly Violation[]): string {
  const locations = new Set(violations.map((violation) => violation.in));
  const count = new Set(
    violations.map(({ in: location, name, pointer }) => `${location} ${name ?? pointer ?? ''}`),
  ).size;
  const [singular, plural] =
    locations.size !== 1
      ? ['value', 'values']
      : locations.has('query')
        ? ['parameter', 'parameters']
        : locations.has('body')
          ? ['field', 'fields']
          : locations.has('header')
            ? ['header', 'headers']
            : ['part of the address', 'parts of the address'];
  return count === 1 ? `1 ${singular} is not valid.` : `${count} ${plural} are not valid.`;
}
