import { HttpException } from '@nestjs/common';
import {
  ApiError,
  BadRequest,
  Forbidden,
  NotAuthenticated,
  NotFound,
  Throttled,
  Timeout,
  Unavailable,
  UnsupportedMediaType,
} from './api-error.js';

/** Provider token of an `ErrorTranslator`. */
export const ERROR_TRANSLATOR = Symbol('ErrorTranslator');

/**
 * Maps errors of lower layers, such as a database driver's, to API errors; returns others
 * unchanged.
 */
export type ErrorTranslator = (error: unknown) => unknown;

/**
 * The error that is sent to the caller. Of Nest's own exceptions only the status is used, because
 * their messages may quote the request. Any other error becomes a 500 without details.
 */
export function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof HttpException) return fromHttpException(error);
  return internalError(error);
}

function internalError(error: unknown): ApiError {
  return new ApiError('error', 'Something went wrong. The request is logged under its id.', { cause: error });
}

function fromHttpException(error: HttpException): ApiError {
  switch (error.getStatus()) {
    case 400:
      return new BadRequest('The request cannot be understood.');
    case 401:
      return new NotAuthenticated();
    case 403:
      return new Forbidden();
    case 404:
      return new NotFound();
    case 415:
      return new UnsupportedMediaType(['application/json']);
    case 429:
      return new Throttled(1);
    case 503:
      return new Unavailable();
    case 504:
      return new Timeout();
    default:
      return internalError(error);
  }
}
