/**
 * A problem type (RFC 9457) as documented: its status, its title and what it means to the caller.
 */
export interface ProblemType {
  status: number;
  title: string;
  meaning: string;
}

/**
 * Every `code` of an error response. The OpenAPI document lists them from here; an error that is
 * not in this table cannot be constructed.
 */
export const problemCodes = {
  bad_request: { status: 400, title: 'Bad request', meaning: 'The request is not well-formed HTTP.' },
  invalid: {
    status: 400,
    title: 'Invalid input',
    meaning: 'Parameters or fields are not valid; `errors` names each of them.',
  },
  parse_error: {
    status: 400,
    title: 'Malformed body',
    meaning: 'The body is not JSON; `detail` gives the position.',
  },
  not_authenticated: {
    status: 401,
    title: 'Not authenticated',
    meaning: 'The operation needs an access token.',
  },
  token_not_valid: {
    status: 401,
    title: 'Token not valid',
    meaning: 'The token has expired, was revoked or was not issued by this service.',
  },
  authentication_failed: {
    status: 401,
    title: 'Authentication failed',
    meaning: 'The user name or the password is wrong, or the account is disabled.',
  },
  forbidden: {
    status: 403,
    title: 'Forbidden',
    meaning: 'The account does not have the role the operation needs.',
  },
  not_found: { status: 404, title: 'Not found', meaning: 'No such address, record or page.' },
  method_not_allowed: {
    status: 405,
    title: 'Method not allowed',
    meaning: 'The address exists, but not with this method; `Allow` lists the methods it has.',
  },
  not_acceptable: {
    status: 406,
    title: 'Not acceptable',
    meaning: 'The `Accept` header rules out every format the address has.',
  },
  request_timeout: { status: 408, title: 'Request timeout', meaning: 'The request was not sent in time.' },
  duplicate: { status: 409, title: 'Duplicate', meaning: 'A record with the same unique key exists.' },
  in_use: {
    status: 409,
    title: 'In use',
    meaning: 'Other data refer to the record, so it cannot be deleted.',
  },
  reference_missing: {
    status: 409,
    title: 'Reference missing',
    meaning: 'The record refers to one that does not exist.',
  },
  calculated: {
    status: 409,
    title: 'Calculated',
    meaning: 'The value is calculated from finer data: change those instead.',
  },
  import_running: {
    status: 409,
    title: 'Import running',
    meaning: 'Another import is running; try again when it has ended.',
  },
  idempotency_in_progress: {
    status: 409,
    title: 'Still in progress',
    meaning: 'The first request with this `Idempotency-Key` is not finished yet.',
  },
  precondition_failed: {
    status: 412,
    title: 'Precondition failed',
    meaning: 'The record changed since the given `ETag`, or `If-None-Match` forbids the write.',
  },
  too_large: { status: 413, title: 'Body too large', meaning: 'The body is longer than the limit.' },
  uri_too_long: { status: 414, title: 'Address too long', meaning: 'The address is longer than 32 KiB.' },
  unsupported_media_type: {
    status: 415,
    title: 'Unsupported media type',
    meaning: 'The address does not accept bodies of this media type; `Accept` lists those it accepts.',
  },
  expectation_failed: {
    status: 417,
    title: 'Expectation failed',
    meaning: 'The `Expect` header is not `100-continue`.',
  },
  idempotency_mismatch: {
    status: 422,
    title: 'Idempotency key reused',
    meaning: 'The `Idempotency-Key` was used before with another body.',
  },
  precondition_required: {
    status: 428,
    title: 'Precondition required',
    meaning: 'Writes need an `If-Match` header here.',
  },
  throttled: {
    status: 429,
    title: 'Too many requests',
    meaning: 'Wait for the number of seconds in `Retry-After`.',
  },
  headers_too_large: { status: 431, title: 'Headers too large', meaning: 'The header fields exceed 16 KiB.' },
  error: {
    status: 500,
    title: 'Internal error',
    meaning: 'An error in the service; it is logged under the id in `instance`.',
  },
  unavailable: {
    status: 503,
    title: 'Unavailable',
    meaning: 'The service is overloaded or has no database; try again.',
  },
  storage_unavailable: {
    status: 503,
    title: 'Storage unavailable',
    meaning: 'Writes are temporarily unavailable; reads still work.',
  },
  newer_schema: {
    status: 503,
    title: 'Newer schema',
    meaning: 'The service is being upgraded: writes are temporarily unavailable; reads still work.',
  },
  outcome_unknown: {
    status: 503,
    title: 'Outcome unknown',
    meaning: 'The connection was lost while committing: check whether the change was made.',
  },
  timeout: { status: 504, title: 'Timeout', meaning: 'The database did not answer in time.' },
} as const satisfies Record<string, ProblemType>;

export type ProblemCode = keyof typeof problemCodes;

/** Every `errors[].code`, with its meaning. */
export const violationCodes = {
  blank: 'The text is empty or blank.',
  calculated: 'The value is calculated from finer data.',
  conflicting_fields: 'The same field is given under two names, with different values.',
  duplicate_name: 'The JSON object has two members of this name.',
  duplicate: 'Another record has the same value.',
  id_mismatch: 'The id in the body differs from the id in the address.',
  in_use: 'Data of this kind refer to the record.',
  invalid_boolean: 'Not true, false, 1 or 0.',
  invalid_choice: 'Not one of the allowed values.',
  invalid_date: 'Not a calendar date written YYYY-MM-DD.',
  invalid_encoding: 'Not percent-encoded UTF-8, or a control character.',
  invalid_format: 'Not in the format of the field.',
  invalid_integer: 'Not a positive integer.',
  invalid_item: 'An item of the list is not in the format of the parameter; `index` counts from 0.',
  invalid_number: 'Not a number.',
  invalid_text: 'The text contains a control character or an unpaired surrogate.',
  invalid_type: 'Not of the JSON type of the field.',
  null: 'The field must not be null.',
  out_of_range: 'Outside the allowed range.',
  parse_error: 'The body is not JSON.',
  read_only: 'The field is set by the service.',
  reference_missing: 'The record referred to does not exist.',
  repeated_parameter: 'The parameter may be given only once.',
  required: 'The field is missing.',
  reversed_range: 'The range ends before it begins.',
  too_long: 'The text is too long.',
  too_many_items: 'The list has too many items.',
  unknown_field: 'There is no such field.',
  unknown_parameter: 'There is no such parameter.',
} as const;

export type ViolationCode = keyof typeof violationCodes;
