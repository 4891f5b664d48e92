import type { CanActivate, ExecutionContext } from '@nestjs/common';
import type { IncomingMessage } from 'node:http';
import { type Violation, ValidationError, MalformedJson } from '../errors/api-error.js';
import { noParameters } from '../filtering/query-schema.js';
import { assertObject } from '../validation/validate-body.js';
import { parseJson } from '../validation/json-text.js';
import { wholeBody } from './body-reader.js';
import type { HttpLimits } from './http-options.js';
import { checkMediaType } from './media-type.js';
import { contextOf, type RequestContext } from './request-context.js';
import { readQuery } from './request-query.js';

const JSON_TYPES = ['application/json'];
const PATCH_TYPES = ['application/json', 'application/merge-patch+json'];

const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Reads bodies once the other guards have let a request pass, so that a caller without a token learns nothing about them, and
 * refuses the parameters of routes that take none. The body, a JSON object, is then what `@Body()` gives; faults of the parameters are
 * told with those of the body, by whoever checks that. The last of the
 * global guards, and a guard rather than an interceptor, because interceptors cost every read a quarter of its time.
 */
export class BodyGuard implements CanActivate {
  constructor(private readonly limits: HttpLimits) {}

  canActivate(execution: ExecutionContext): true | Promise<true> {
    const request = execution.switchToHttp().getRequest<IncomingMessage & { body?: unknown }>();
    const context = contextOf(request);
    const body = this.body(context);
    const faults = queryFaults(context);
    if (body === null) {
      if (faults.length > 0) throw new ValidationError(faults);
      return true;
    }
    return body.then((value) => {
      request.body = value;
      context.violations = faults;
      return true;
    });
  }

  /** The parsed body, or null where there is none to read here. */
  private body(context: RequestContext): Promise<unknown> | null {
    const { request, route } = context;
    if (route?.rawBody) {
      checkMediaType(request.headers, route.rawBody.types, route.rawBody.encodings);
      return null;
    }
    if (request.method !== 'POST' && request.method !== 'PUT' && request.method !== 'PATCH') return null;
    const types = request.method === 'PATCH' ? PATCH_TYPES : JSON_TYPES;
    // Where nothing was sent, it is the body that is missing, not its type.
    if (context.hasBody || request.headers['content-type'] !== undefined)
      checkMediaType(request.headers, types);
    return this.json(context);
  }

  private async json(context: RequestContext): Promise<unknown> {
    const { bodyBytes, bodyMs } = this.limits;
    const bytes = await wholeBody(context, { limit: bodyBytes, stallMs: bodyMs, totalMs: bodyMs });
    const value = parseJson(decode(bytes));
    assertObject(value);
    return value;
  }
}

function decode(bytes: Buffer): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw new MalformedJson('The body is not UTF-8.');
  }
}

/** What is wrong with the parameters of a route that takes none. */
function queryFaults(context: RequestContext): readonly Violation[] {
  if (context.route?.query !== null) return [];
  try {
    readQuery(noParameters, context);
    return [];
  } catch (error) {
    if (error instanceof ValidationError) return error.violations;
    throw error;
  }
}
