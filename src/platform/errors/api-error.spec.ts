import {
  BadRequestException,
  ConflictException,
  ForbiddenException,
  HttpException,
  NotFoundException,
  UnauthorizedException,
} from '@nestjs/common';
import * as errors from './api-error.js';
import { problemDetails } from './problem.js';
import { violationCodes, problemCodes } from './problem-codes.js';
import { toApiError } from './to-api-error.js';

const cases: [errors.ApiError, object][] = [
  [new errors.NotAuthenticated(), { 'WWW-Authenticate': 'Bearer' }],
  [new errors.TokenNotValid(), { 'WWW-Authenticate': 'Bearer error="invalid_token"' }],
  [new errors.AuthenticationFailed(), { 'WWW-Authenticate': 'Bearer' }],
  [new errors.Forbidden(), {}],
  [new errors.NotFound(), {}],
  [new errors.MethodNotAllowed(['GET', 'HEAD']), { Allow: 'GET, HEAD' }],
  [new errors.NotAcceptable(['application/json']), {}],
  [new errors.RequestTimeout(), { Connection: 'close' }],
  [new errors.Duplicate(['name']), {}],
  [new errors.InUse([{ kind: 'PriceSerie', count: 3 }]), {}],
  [new errors.ReferenceMissing(['commodity_id']), {}],
  [new errors.ImportRunning(), {}],
  [new errors.IdempotencyInProgress(), { 'Retry-After': '1' }],
  [new errors.PreconditionFailed(), {}],
  [new errors.TooLarge(5), { Connection: 'close' }],
  [new errors.UriTooLong(5), {}],
  [new errors.UnsupportedMediaType(['text/csv']), { Accept: 'text/csv' }],
  [new errors.IdempotencyMismatch(), {}],
  [new errors.PreconditionRequired(), {}],
  [new errors.Throttled(2.5, { RateLimit: 'x' }), { RateLimit: 'x', 'Retry-After': '3' }],
  [new errors.HeadersTooLarge(5), {}],
  [new errors.Unavailable(), { 'Retry-After': '1' }],
  [new errors.StorageUnavailable(), { 'Retry-After': '60' }],
  [new errors.OutcomeUnknown(), { 'Retry-After': '1' }],
  [new errors.Timeout(), { 'Retry-After': '1' }],
  [new errors.BadRequest(), {}],
  [new errors.MalformedJson('Not JSON.', 3), {}],
  [new errors.ValidationError([{ in: 'query', name: 'a', code: 'invalid_date', detail: 'No.' }]), {}],
];

describe('ApiError', () => {
  it.each(cases)('%s has the status and headers of its code', (error, headers) => {
    expect(error.status).toBe(problemCodes[error.code].status);
    expect(error.headers).toEqual(headers);
    expect(error.detail).toMatch(/^\S.*\.$/);
    if (error.status === 400 || error.status === 409) expect(error.errors).toBeInstanceOf(Array);
    for (const { code } of error.errors ?? []) expect(Object.keys(violationCodes)).toContain(code);
  });

  it('has a 4xx or 5xx status and a one-sentence meaning for every code', () => {
    for (const { status, title, meaning } of Object.values(problemCodes)) {
      expect([status >= 400 && status < 600, title.length > 0, meaning.endsWith('.')]).toEqual([
        true,
        true,
        true,
      ]);
    }
  });

  it.each([
    [[['query', 'a']], '1 parameter is not valid.'],
    [
      [
        ['query', 'a'],
        ['query', 'a'],
      ],
      '1 parameter is not valid.',
    ],
    [
      [
        ['query', 'a'],
        ['query', 'b'],
      ],
      '2 parameters are not valid.',
    ],
    [
      [
        ['body', 'a'],
        ['body', 'b'],
      ],
      '2 fields are not valid.',
    ],
    [[['header', 'a']], '1 header is not valid.'],
    [[['path', 'a']], '1 part of the address is not valid.'],
    [
      [
        ['query', 'a'],
        ['body', 'a'],
      ],
      '2 values are not valid.',
    ],
  ] as [['query' | 'body' | 'header' | 'path', string][], string][])('%j: %s', (values, detail) => {
    const violations = values.map(([location, name]) => ({
      in: location,
      name,
      code: 'invalid_date' as const,
      detail: 'No.',
    }));
    expect(new errors.ValidationError(violations).detail).toBe(detail);
  });

  it('includes the details it was given', () => {
    expect(
      [new errors.Duplicate([]), new errors.InUse([]), new errors.ReferenceMissing()].map(
        ({ detail }) => detail,
      ),
    ).toEqual([
      'A record with the same unique key exists.',
      'The record is in use.',
      'The body refers to a record that does not exist.',
    ]);
    expect(new errors.InUse([{ kind: 'PriceSerie', count: 3 }]).detail).toBe(
      'The record is in use by PriceSerie (3).',
    );
  });

  it('is serialized as problem details', () => {
    const error = new errors.Duplicate(['name'], 'http://x/api/v1/Commodity/5/');
    expect(problemDetails(error, 'the-id', 'https://prices.example.org')).toEqual({
      type: 'https://prices.example.org/problems/duplicate',
      title: 'Duplicate',
      status: 409,
      code: 'duplicate',
      detail: 'A record with the same name exists.',
      instance: 'urn:uuid:the-id',
      errors: [
        {
          in: 'body',
          name: 'name',
          pointer: '/name',
          code: 'duplicate',
          detail: 'Another record has this name.',
        },
      ],
      existing: 'http://x/api/v1/Commodity/5/',
    });
  });

  it('truncates quoted text to 64 characters and never splits a surrogate pair', () => {
    expect(errors.truncate('a'.repeat(64))).toBe('a'.repeat(64));
    expect(errors.truncate('a'.repeat(65))).toBe('a'.repeat(64));
    expect(errors.truncate('😀'.repeat(70))).toBe('😀'.repeat(64));
  });
});

describe('toApiError', () => {
  it.each([
    [new NotFoundException('No such order'), 404, 'not_found', 'No such order'],
    [new UnauthorizedException(), 401, 'not_authenticated', expect.stringContaining('access token')],
    [new ForbiddenException(), 403, 'forbidden', 'Your account does not have permission to do this.'],
    [new BadRequestException('amount is odd'), 400, 'invalid', 'amount is odd'],
    [new HttpException('only CSV', 415), 415, 'unsupported_media_type', 'only CSV'],
    [new HttpException('x', 429), 429, 'throttled', expect.any(String)],
    [new HttpException('later', 503), 503, 'unavailable', 'later'],
    [new HttpException('too slow', 504), 504, 'timeout', 'too slow'],
    [new HttpException('I am a teapot', 418), 418, 'error', 'I am a teapot'],
    [new ConflictException(), 409, 'error', 'Conflict.'],
  ])('maps %s to %i %s with its message', (error, status, code, detail) => {
    expect(problemDetails(toApiError(error), 'id', '')).toMatchObject({ status, code, detail });
  });

  it('lists the messages of ValidationPipe', () => {
    const error = toApiError(new BadRequestException(['name must be a string', 'amount must not be odd']));
    expect([error.detail, error.errors]).toEqual([
      'name must be a string amount must not be odd',
      [
        { in: 'body', code: 'invalid_format', detail: 'name must be a string' },
        { in: 'body', code: 'invalid_format', detail: 'amount must not be odd' },
      ],
    ]);
  });

  it('sends a status without a code of its own as about:blank', () => {
    expect(problemDetails(toApiError(new HttpException('No', 418)), 'id', 'https://x')).toMatchObject({
      type: 'about:blank',
      title: "I'm a Teapot",
      status: 418,
    });
  });

  it.each([[new Error('secret')], ['secret text'], [undefined], [new HttpException('secret', 500)]])(
    'maps %s to a 500 that does not quote it',
    (error) => {
      const apiError = toApiError(error);
      expect([apiError.status, apiError.code]).toEqual([500, 'error']);
      expect(JSON.stringify(problemDetails(apiError, 'id', ''))).not.toContain('secret');
    },
  );

  it('returns API errors unchanged', () => {
    const error = new errors.NotFound();
    expect(toApiError(error)).toBe(error);
  });
});
