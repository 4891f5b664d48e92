/** A problem type (RFC 9457) as documented. `meaning` is for the caller. */
export interface ProblemType {
  status: number;
  title: string;
  meaning: string;
}

const problem = (status: number, title: string, meaning: string): ProblemType => ({
  status,
  title,
  meaning,
});

/**
 * Every `code` of an error response. The OpenAPI document lists them from here; an error that is
 * not in this table cannot be constructed.
 */
export const problemCodes = {
  bad_request: problem(400, 'Bad request', 'The request is not well-formed HTTP.'),
  invalid: problem(400, 'Invalid input', 'Parameters or fields are not valid; `errors` names each of them.'),
  parse_error: problem(400, 'Malformed body', 'The body is not JSON; `detail` gives the position.'),
  not_authenticated: problem(401, 'Not authenticated', 'The operation needs an access token.'),
  token_not_valid: problem(
    401,
    'Token not valid',
    'The token has expired, was revoked or was not issued by this service.',
  ),
  authentication_failed: problem(
    401,
    'Authentication failed',
    'The user name or the password is wrong, or the account is disabled.',
  ),
  forbidden: problem(403, 'Forbidden', 'The account does not have the role the operation needs.'),
  not_found: problem(404, 'Not found', 'No such address, record or page.'),
  method_not_allowed: problem(
    405,
    'Method not allowed',
    'The address exists, but not with this method; `Allow` lists the methods it has.',
  ),
  not_acceptable: problem(
    406,
    'Not acceptable',
    'The `Accept` header rules out every format the address has.',
  ),
  request_timeout: problem(408, 'Request timeout', 'The request was not sent in time.'),
  duplicate: problem(409, 'Duplicate', 'A record with the same unique key exists.'),
  in_use: problem(409, 'In use', 'Other data refer to the record, so it cannot be deleted.'),
  reference_missing: problem(409, 'Reference missing', 'The record refers to one that does not exist.'),
  calculated: problem(409, 'Calculated', 'The value is calculated from finer data: change those instead.'),
  built_in: problem(
    409,
    'Built in',
    'The record is a part of the service; this change of it is not possible.',
  ),
  ended: problem(409, 'Ended', 'What the finding tells is no longer there, so it is not open or dismissed.'),
  last_admin: problem(409, 'Last admin', 'The change would leave no enabled account of an admin.'),
  joined: problem(409, 'Joined', 'The value belongs to data that were joined into these: change it there.'),
  not_comparable: problem(
    409,
    'Not comparable',
    'The units or currencies of the two differ, so values of the one are none of the other.',
  ),
  not_held: problem(409, 'Not held', 'The run of the harvest is not held, or not any more.'),
  not_revertible: problem(
    409,
    'Not revertible',
    'The change set is not of a kind that can be reverted, is running, or was reverted already.',
  ),
  edition_running: problem(409, 'Edition running', 'Another edition is being made.'),
  import_running: problem(409, 'Import running', 'Another import is running; try again when it has ended.'),
  idempotency_in_progress: problem(
    409,
    'Still in progress',
    'The first request with this `Idempotency-Key` is not finished yet.',
  ),
  token_unknown: problem(
    410,
    'Token unknown',
    'The token of the change feed is of data that a restored backup has replaced; `start` is the address to begin at again.',
  ),
  range_not_satisfiable: problem(
    416,
    'Range not satisfiable',
    'The range begins after the end of the file; `Content-Range` has its length.',
  ),
  precondition_failed: problem(
    412,
    'Precondition failed',
    'The record changed since the given `ETag`, or `If-None-Match` forbids the write.',
  ),
  too_large: problem(413, 'Body too large', 'The body is longer than the limit.'),
  uri_too_long: problem(414, 'Address too long', 'The address is longer than 32 KiB.'),
  unsupported_media_type: problem(
    415,
    'Unsupported media type',
    'The address does not accept bodies of this media type; `Accept` lists those it accepts.',
  ),
  expectation_failed: problem(417, 'Expectation failed', 'The `Expect` header is not `100-continue`.'),
  idempotency_mismatch: problem(
    422,
    'Idempotency key reused',
    'The `Idempotency-Key` was used before with another body.',
  ),
  precondition_required: problem(428, 'Precondition required', 'Writes need an `If-Match` header here.'),
  throttled: problem(429, 'Too many requests', 'Wait for the number of seconds in `Retry-After`.'),
  headers_too_large: problem(431, 'Headers too large', 'The header fields exceed 16 KiB.'),
  error: problem(500, 'Internal error', 'An error in the service; it is logged under the id in `instance`.'),
  unavailable: problem(503, 'Unavailable', 'The service is overloaded or has no database; try again.'),
  storage_unavailable: problem(
    503,
    'Storage unavailable',
    'Writes are temporarily unavailable; reads still work.',
  ),
  newer_schema: problem(
    503,
    'Newer schema',
    'The service is being upgraded: writes are temporarily unavailable; reads still work.',
  ),
  outcome_unknown: problem(
    503,
    'Outcome unknown',
    'The connection was lost while committing: check whether the change was made.',
  ),
  timeout: problem(504, 'Timeout', 'The database did not answer in time.'),
} satisfies Record<string, ProblemType>;

export type ProblemCode = keyof typeof problemCodes;

/** Every `errors[].code`, with its meaning. */
export const violationCodes = {
  blank: 'The text is empty or blank.',
  built_in: 'The record is a part of the service.',
  calculated: 'The value is calculated from finer data.',
  conflicting_fields: 'The same field is given under two names, with different values.',
  contradiction: 'It contradicts another parameter.',
  duplicate_name: 'The JSON object has two members of this name.',
  duplicate: 'Another record has the same value.',
  ended: 'What the finding tells is no longer there.',
  id_mismatch: 'The id in the body differs from the id in the address.',
  in_future: 'The date or instant is in the future.',
  in_use: 'Data of this kind refer to the record.',
  invalid_as_of: 'Not a date, an instant or a revision.',
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
  joined: 'The value belongs to other data, which were joined into these.',
  last_admin: 'It is the last enabled account of an admin.',
  not_comparable: 'The values of the two differ.',
  null: 'The field must not be null.',
  out_of_range: 'Outside the allowed range.',
  parse_error: 'The body is not JSON.',
  read_only: 'The field is set by the service.',
  reference_missing: 'The record referred to does not exist.',
  repeated_parameter: 'The parameter may be given only once.',
  required: 'The field is missing.',
  reversed_range: 'The range ends before it begins.',
  same_record: 'It is the one in the address.',
  too_long: 'The text is too long.',
  too_many_items: 'The list has too many items.',
  unknown_field: 'There is no such field.',
  unknown_parameter: 'There is no such parameter.',
  unknown_revision: 'There is no such revision.',
} as const;

export type ViolationCode = keyof typeof violationCodes;
