import { type CanActivate, type ExecutionContext, Inject, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { Environment } from '../config/environment.js';
import { Forbidden, NotFound } from '../platform/errors/api-error.js';
import { HTTP_OPTIONS, type HttpOptions } from '../platform/http/options.js';
import { infoOf } from '../platform/http/request.js';

/**
 * Returns 404 where assistants are turned off, and 403 to pages of other origins: a browser names
 * the origin of the page, which must be this service or one of `CORS_ORIGINS`.
 */
@Injectable()
export class McpGuard implements CanActivate {
  constructor(
    private readonly environment: Environment,
    @Inject(HTTP_OPTIONS) private readonly options: HttpOptions,
  ) {}

  /** @throws NotFound, Forbidden */
  canActivate(execution: ExecutionContext): true {
    if (!this.environment.mcp) throw new NotFound();
    const request = execution.switchToHttp().getRequest<Request>();
    const { origin } = request.headers;
    const allowed = [new URL(infoOf(request).origin).origin, ...this.options.corsOrigins];
    if (origin !== undefined && !allowed.includes(origin))
      throw new Forbidden('Pages of this origin may not ask here. CORS_ORIGINS names those that may.');
    return true;
  }
}
