import { Inject, Injectable } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import {
  type ApiError,
  BadRequest,
  HeadersTooLarge,
  MethodNotAllowed,
  RequestTimeout,
  TooLarge,
  UriTooLong,
} from '../errors/api-error.js';
import { PROBLEM_MEDIA_TYPE, problemDetails } from '../errors/problem.js';
import { EXPOSED_HEADERS } from './cors.js';
import { currentResponse } from './response/current-response.js';
import { HTTP_LIMITS, HTTP_OPTIONS, type HttpLimits, type HttpOptions } from './request/http-options.js';
import { remoteOf } from './request/request-origin.js';
import { RequestObservers } from '../logging/request-observer.js';
import { cacheControl } from './routes/route-decorators.js';
import { securityHeaders } from './response/security-headers.js';

/** What Node reports of a request that it cannot parse. */
interface ParserError extends Error {
  code?: string;
  bytesParsed?: number;
  rawPacket?: Buffer;
}

/** A CONNECT is meant for a proxy, which this is not. */
const CONNECT_NOT_ALLOWED = new MethodNotAllowed([
  'DELETE',
  'GET',
  'HEAD',
  'OPTIONS',
  'PATCH',
  'POST',
  'PUT',
]);

/** Answers what Node could not parse as a request, with problem details like any other error. */
@Injectable()
export class RequestErrors {
  constructor(
    @Inject(HTTP_OPTIONS) private readonly options: HttpOptions,
    @Inject(HTTP_LIMITS) private readonly limits: HttpLimits,
    private readonly observers: RequestObservers,
  ) {}

  /** A request that cannot be parsed, or whose headers are late. */
  onClientError(error: ParserError, socket: Socket): void {
    // The response to an earlier request may be on its way; another one within it would be taken
    // for a part of it.
    const responding = currentResponse(socket)?.headersSent ?? false;
    if (error.code === 'ECONNRESET' || responding || !socket.writable) socket.destroy();
    else this.end(socket, this.toApiError(error));
  }

  onConnect(socket: Socket): void {
    this.end(socket, CONNECT_NOT_ALLOWED);
  }

  private toApiError(error: ParserError): ApiError {
    const { targetBytes, headerBytes, bodyBytes } = this.limits;
    switch (error.code) {
      case 'HPE_HEADER_OVERFLOW':
        return isTargetTooLong(error) ? new UriTooLong(targetBytes) : new HeadersTooLarge(headerBytes);
      case 'ERR_HTTP_REQUEST_TIMEOUT':
        return new RequestTimeout();
      case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
        return new TooLarge(bodyBytes);
      default:
        return new BadRequest();
    }
  }

  /**
   * Writes an error straight to the socket, where there is no response to write it to, and closes
   * it.
   */
  private end(socket: Socket, error: ApiError): void {
    const startedAt = performance.now();
    const id = randomUUID();
    const { publicUrl } = this.options;
    const body = JSON.stringify(problemDetails(error, id, publicUrl ?? ''));
    const bytes = Buffer.byteLength(body);
    const secure = publicUrl?.startsWith('https:') ?? false;
    const headers = {
      'Content-Type': PROBLEM_MEDIA_TYPE,
      'Cache-Control': cacheControl.none,
      Vary: 'Accept, Accept-Encoding',
      ...Object.fromEntries(securityHeaders(secure)),
      'Access-Control-Allow-Origin': '*',
      'Access-Control-Expose-Headers': EXPOSED_HEADERS.join(', '),
      'X-Request-Id': id,
      ...error.headers,
      'Content-Length': String(bytes),
      Date: new Date().toUTCString(),
      Connection: 'close',
    };
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    const statusLine = `HTTP/1.1 ${error.status} ${STATUS_CODES[error.status] ?? ''}\r\n`;
    socket.end(`${statusLine}${lines.join('')}\r\n${body}`);
    this.observers.finished({
      id,
      traceId: null,
      method: '',
      route: null,
      status: error.status,
      milliseconds: performance.now() - startedAt,
      bytes,
      userId: null,
      network: remoteOf(socket).loggedNetwork,
      cached: false,
      aborted: false,
    });
  }
}

/**
 * Node counts target and fields together; up to where it stopped, a target alone has no line break.
 */
function isTargetTooLong({ rawPacket, bytesParsed = 0 }: ParserError): boolean {
  return rawPacket !== undefined && !rawPacket.subarray(0, bytesParsed + 1).includes('\r\n');
}
