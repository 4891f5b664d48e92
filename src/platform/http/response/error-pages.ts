import type { ApiError } from '../../errors/api-error.js';
import type { RequestInfo } from '../request/request-info.js';
import type { ReplyHeaders } from './reply.js';

/** Provider token of the `ErrorPages`; null where all errors are sent as problem details. */
export const ERROR_PAGES = Symbol('ErrorPages');

/**
 * The page for an error, for people who follow a link; null where the request is to get problem
 * details. The headers include its `Content-Type`.
 */
export type ErrorPages = (
  error: ApiError,
  info: RequestInfo,
) => { body: string; headers: ReplyHeaders } | null;
