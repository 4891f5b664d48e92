import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import {
  ApiError,
  BadRequest,
  HeadersTooLarge,
  MethodNotAllowed,
  RequestTimeout,
  TooLarge,
  UriTooLong,
} from '../errors/api-error.js';
import { PROBLEM_MEDIA_TYPE, problemDetails } from '../errors/problem.js';
import { responseHeaders } from './response-headers.js';
import type { HttpLimits } from './http-options.js';
import { cacheControl } from './route-decorators.js';
import { STATUS_CODES } from 'node:http';

/** What Node says of a request it cannot read. */
export interface BrokenRequest extends Error {
  code?: string;
  bytesParsed?: number;
  rawPacket?: Buffer;
}

/** The refusal for a request that Node could not read. */
export function framingError(error: BrokenRequest, limits: HttpLimits): ApiError {
  switch (error.code) {
    case 'HPE_HEADER_OVERFLOW':
      return isTargetTooLong(error)
        ? new UriTooLong(limits.targetBytes)
        : new HeadersTooLarge(limits.headerBytes);
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new RequestTimeout();
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return new TooLarge(limits.bodyBytes);
    default:
      return new BadRequest();
  }
}

/** Node counts target and fields together; up to where it stopped, a target alone has no line break. */
function isTargetTooLong({ rawPacket, bytesParsed = 0 }: BrokenRequest): boolean {
  return rawPacket !== undefined && !rawPacket.subarray(0, bytesParsed + 1).includes('\r\n');
}

/** A CONNECT is meant for a proxy, which this is not. */
export const connectRefused = new MethodNotAllowed([
  'DELETE',
  'GET',
  'HEAD',
  'OPTIONS',
  'PATCH',
  'POST',
  'PUT',
]);

/** Writes a refusal straight to a socket, where there is no request to answer, and closes it. */
export function refuseOnSocket(
  socket: Socket,
  error: ApiError,
  publicUrl: string | null,
): { id: string; bytes: number } {
  const id = randomUUID();
  const body = JSON.stringify(problemDetails(error, id, publicUrl ?? ''));
  const bytes = Buffer.byteLength(body);
  const headers = responseHeaders({
    type: PROBLEM_MEDIA_TYPE,
    cacheControl: cacheControl.none,
    secure: publicUrl?.startsWith('https:') ?? false,
    read: true,
    allowedOrigin: null,
    extra: {
      'X-Request-Id': id,
      ...error.headers,
      'Content-Length': String(bytes),
      Date: new Date().toUTCString(),
      Connection: 'close',
    },
  });
  let text = `HTTP/1.1 ${error.status} ${STATUS_CODES[error.status] ?? ''}\r\n`;
  for (let at = 0; at < headers.length; at += 2) text += `${headers[at]}: ${headers[at + 1]}\r\n`;
  socket.end(`${text}\r\n${body}`);
  return { id, bytes };
}
