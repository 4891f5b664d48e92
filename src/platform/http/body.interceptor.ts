import {
  type CallHandler,
  type ExecutionContext,
  Inject,
  Injectable,
  type NestInterceptor,
} from '@nestjs/common';
import { ROUTE_ARGS_METADATA, RouteParamtypes } from '@nestjs/common/internal';
import type { Request } from 'express';
import type { Observable } from 'rxjs';
import { MalformedJson, ValidationError } from '../errors/api-error.js';
import { parseJson } from '../validation/json-text.js';
import { assertUniqueNames } from '../validation/validate-body.js';
import { checkMediaType } from './accept.js';
import { HTTP_LIMITS, type HttpLimits } from './options.js';
import { ConcurrencyLimits } from './overload/limits.js';
import { CHECKED_BODY, queryViolations } from './params.js';
import { receive, receivedBody, wholeBody } from './read-body.js';
import { infoOf, isHttp, METHODS_WITH_BODY, type RequestInfo } from './request.js';
import { QUERY } from './routes.js';

/** The media types of JSON bodies that a method accepts. */
export const jsonTypes = (method: string): readonly string[] =>
  method === 'PATCH' ? ['application/json', 'application/merge-patch+json'] : ['application/json'];

const FORM_TYPES = ['application/x-www-form-urlencoded'];

const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Reads JSON bodies, and forms where a route has them, after the guards, so that a caller without a
 * token learns nothing about them, and before the pipes: `@Body()` gives the parsed value, as it
 * does with Nest's own body parser.
 * Also rejects the query parameters of handlers that declare none.
 */
@Injectable()
export class BodyInterceptor implements NestInterceptor {
  constructor(
    @Inject(HTTP_LIMITS) private readonly limits: HttpLimits,
    private readonly concurrency: ConcurrencyLimits,
  ) {}

  /**
   * @throws UnsupportedMediaType, TooLarge, RequestTimeout, Unavailable, MalformedJson
   * @throws ValidationError for names that the body has twice, and for query parameters that the
   * handler does not declare
   */
  intercept(
    execution: ExecutionContext,
    next: CallHandler,
  ): Observable<unknown> | Promise<Observable<unknown>> {
    if (!isHttp(execution)) return next.handle();
    const request = execution.switchToHttp().getRequest<Request & { body?: unknown }>();
    const info = infoOf(request);
    const checksQuery = !declaresQuery(execution);
    const body = this.body(info);
    if (body === null) {
      if (checksQuery) rejectUndeclared(request);
      return next.handle();
    }
    return body.then((value) => {
      request.body = value;
      // Reported by the body's decorator, together with what is wrong with the body.
      if (checksQuery && !Reflect.hasMetadata(CHECKED_BODY, execution.getHandler()))
        rejectUndeclared(request);
      return next.handle();
    });
  }

  /** The parsed body; null where there is none to read here. */
  private body(info: RequestInfo): Promise<unknown> | null {
    const { request, route } = info;
    if (route?.rawBody) {
      checkMediaType(request.headers, route.rawBody.types, route.rawBody.encodings);
      return null;
    }
    if (!METHODS_WITH_BODY.has(request.method) || (route?.noBody && !info.hasBody)) return null;
    const isForm = route?.formBody ?? false;
    // Where nothing was sent, the body is missing, not its type.
    if (info.hasBody || request.headers['content-type'] !== undefined)
      checkMediaType(request.headers, isForm ? FORM_TYPES : jsonTypes(request.method));
    return this.read(info, isForm);
  }

  private async read(info: RequestInfo, isForm: boolean): Promise<unknown> {
    const { bodyBytes, bodyMs } = this.limits;
    const received = receivedBody(info, bodyBytes);
    const bounds = { limit: bodyBytes, stallMs: bodyMs, totalMs: bodyMs };
    const bytes = received ?? (await receive(wholeBody(info, bounds), this.concurrency));
    // Until here the request was no work, however slowly its client has sent.
    if (info.hasBody) await info.permit.acquire(received === null);
    if (isForm) return new URLSearchParams(decode(bytes));
    const body = parseJson(decode(bytes));
    assertUniqueNames(body);
    return body;
  }
}

/** @throws ValidationError */
function rejectUndeclared(request: Request): void {
  const violations = queryViolations(request);
  if (violations.length > 0) throw new ValidationError(violations);
}

const declaring = new WeakMap<object, boolean>();

/** Whether a handler reads its query by `@RequestQuery()` or by Nest's `@Query()`. */
function declaresQuery(execution: ExecutionContext): boolean {
  const handler = execution.getHandler();
  let declares = declaring.get(handler);
  if (declares === undefined) {
    const parameters = Reflect.getMetadata(ROUTE_ARGS_METADATA, execution.getClass(), handler.name) as
      object | undefined;
    const nestQuery = `${RouteParamtypes.QUERY}:`;
    declares =
      Reflect.hasMetadata(QUERY, handler) ||
      Object.keys(parameters ?? {}).some((key) => key.startsWith(nestQuery));
    declaring.set(handler, declares);
  }
  return declares;
}

function decode(bytes: Buffer): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw new MalformedJson('The body is not UTF-8.');
  }
}
