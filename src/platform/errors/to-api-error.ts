import { HttpException } from '@nestjs/common';
import { STATUS_CODES } from 'node:http';
import {
  ApiError,
  Forbidden,
  NotAuthenticated,
  NotFound,
  PlainHttpError,
  Throttled,
  Timeout,
  truncate,
  Unavailable,
  UnsupportedMediaType,
} from './api-error.js';

/** Provider token of an `ErrorTranslator`. */
export const ERROR_TRANSLATOR = Symbol('ErrorTranslator');

/** Maps errors of lower layers, such as a driver's, to API errors; returns others unchanged. */
export type ErrorTranslator = (error: unknown) => unknown;

/** The error that is sent to the caller. What is no API error or `HttpException` becomes a 500. */
export function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof HttpException) return fromHttpException(error);
  return internalError(error);
}

function internalError(error: unknown): ApiError {
  return new ApiError('error', 'Something went wrong. The request is logged under its id.', { cause: error });
}

/** Errors for the statuses that have a problem code of their own. */
const BY_STATUS: Readonly<Record<number, (detail?: string) => ApiError>> = {
  401: (detail) => new NotAuthenticated(detail),
  403: (detail) => new Forbidden(detail),
  404: (detail) => new NotFound(detail),
  415: (detail) => new UnsupportedMediaType(['application/json'], detail),
  429: () => new Throttled(1),
  503: (detail) => new Unavailable(detail),
  504: (detail) => new Timeout(detail),
};

/** Messages that Nest chooses itself say less than ours. */
const DEFAULT_MESSAGES = new Set(['Forbidden resource', ...Object.values(STATUS_CODES)]);

/**
 * Nest's exceptions, whose messages are meant for the caller. A status without a problem code of
 * its own is sent as it is, with the problem type `about:blank` (RFC 9457, 4.2.1).
 */
function fromHttpException(error: HttpException): ApiError {
  const status = error.getStatus();
  const messages = messagesOf(error);
  const detail = messages.length === 0 ? undefined : messages.join(' ');
  if (status in BY_STATUS) return BY_STATUS[status]!(detail);
  if (status >= 500) return internalError(error);
  if (status === 400)
    return new ApiError('invalid', detail ?? 'The request is not valid.', {
      errors: messages.map((message) => ({ in: 'body', code: 'invalid_format', detail: message })),
    });
  return new PlainHttpError(status, detail ?? `${STATUS_CODES[status]}.`);
}

/** The messages of an exception; `ValidationPipe` has one for each field. */
function messagesOf(error: HttpException): string[] {
  const response = error.getResponse();
  const message = typeof response === 'string' ? response : (response as { message?: unknown }).message;
  return [message]
    .flat()
    .filter((one): one is string => typeof one === 'string' && !DEFAULT_MESSAGES.has(one))
    .map(truncate);
}
