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

/** Gives errors of lower layers, such as a database driver's, their answer; leaves others as they are. */
export type ErrorTranslator = (error: unknown) => unknown;

/**
 * What the caller is told about an error. Of the framework's own errors only the status is used: their texts may quote the
 * request. Anything unknown is a fault of the service, and nothing of it is told.
 */
export function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof HttpException) return ofStatus(error);
  return unexpected(error);
}

function unexpected(error: unknown): ApiError {
  return new ApiError('error', 'Something went wrong. The request is logged under its id.', { cause: error });
}

function ofStatus(error: HttpException): ApiError {
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
      return unexpected(error);
  }
}
