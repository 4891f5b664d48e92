import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import type { Violation } from '../../errors/api-error.js';
import { assertObject, type ValidateBodyOptions, validateBody } from '../../validation/validate-body.js';
import { queryViolations } from './request-query.js';

/** Metadata of a handler: its body is checked by a parameter decorator, together with its query. */
export const CHECKED_BODY = 'pds:checked-body';

/** What a check of a body knows of the request. */
export interface BodyRequest {
  request: Request;
  /** Violations found elsewhere in the request: they are reported together with the body's. */
  violations: readonly Violation[];
}

/**
 * Makes a parameter decorator that hands a handler its checked body.
 * @param check returns the value of the parameter, or throws a `ValidationError` with all
 * violations
 */
export function bodyParameter<T>(
  check: (body: Record<string, unknown>, from: BodyRequest) => T,
): ParameterDecorator {
  const parameter = createParamDecorator((_: unknown, execution: ExecutionContext): T => {
    const request = execution.switchToHttp().getRequest<Request & { body: unknown }>();
    assertObject(request.body);
    return check(request.body, { request, violations: queryViolations(request) });
  });
  return (target, key, index) => {
    if (key === undefined) throw new Error('A body parameter belongs to a handler.');
    const handler = (target as Record<string | symbol, object>)[key]!;
    Reflect.defineMetadata(CHECKED_BODY, true, handler);
    parameter()(target, key, index);
  };
}

/**
 * The JSON body of a request as an instance of the DTO, whose decorators check it. Unknown fields
 * and unknown query parameters are violations as well.
 */
export function ValidBody<T extends object>(
  dto: new () => T,
  options: Omit<ValidateBodyOptions<T>, 'violations'> = {},
): ParameterDecorator {
  return bodyParameter((body, { violations }) => validateBody(dto, body, { ...options, violations }));
}
