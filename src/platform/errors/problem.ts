import type { ApiError, Violation } from './api-error.js';

/** The body of every error response (RFC 9457). */
interface ProblemDetails {
  type: string;
  title: string;
  status: number;
  code: string;
  detail: string;
  instance: string;
  errors?: readonly Violation[];
  [extra: string]: unknown;
}

export const PROBLEM_MEDIA_TYPE = 'application/problem+json; charset=utf-8';

/** @param base the configured public address of the service, or '' */
export function problemDetails(error: ApiError, requestId: string, base: string): ProblemDetails {
  return {
    type: `${base}/problems/${error.code}`,
    title: error.title,
    status: error.status,
    code: error.code,
    detail: error.detail,
    instance: `urn:uuid:${requestId}`,
    ...(error.errors === undefined ? {} : { errors: error.errors }),
    ...error.extra,
  };
}
