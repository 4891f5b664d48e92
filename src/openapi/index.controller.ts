import { Controller, Get, Req } from '@nestjs/common';
import type { Request } from 'express';
import { BASE } from '../config/price-paths.js';
import { contextOf } from '../platform/http/request/request-context.js';
import { RouteList } from '../platform/http/route-list.js';
import { ApiOkResponse, ApiOperation, ApiTags, type Schema } from '../platform/http/routes/api-docs.js';
import { CacheControl } from '../platform/http/routes/route-decorators.js';
import { absoluteUrl } from '../platform/listing/links.js';

const LINKS: Schema = { type: 'object', additionalProperties: { type: 'string', format: 'uri' } };

/** Addresses for those who open the service in a browser. */
@Controller()
@CacheControl('revalidate')
@ApiTags('Operations')
export class IndexController {
  private publicLists: readonly string[] | null = null;

  constructor(private readonly routes: RouteList) {}

  @Get()
  @ApiOperation({ summary: 'List the addresses of the service' })
  @ApiOkResponse({ description: 'Addresses by name', schema: LINKS })
  root(@Req() request: Request): Record<string, string> {
    return links(request, {
      api: `/${BASE}/`,
      docs: '/docs',
      openapi: '/openapi.json',
      health: '/health/ready',
    });
  }

  @Get(BASE)
  @ApiOperation({ summary: 'List the addresses of the public lists' })
  @ApiOkResponse({ description: 'Addresses by name', schema: LINKS })
  lists(@Req() request: Request): Record<string, string> {
    this.publicLists ??= publicLists(this.routes);
    return links(request, Object.fromEntries(this.publicLists.map((name) => [name, `/${BASE}/${name}/`])));
  }
}

/** The names of the lists that need no token, in order. Reading the routes takes milliseconds. */
function publicLists(routes: RouteList): string[] {
  const list = new RegExp(`^/${BASE}/(\\w+)$`);
  return routes
    .all()
    .filter(({ method, requiresToken }) => method === 'GET' && !requiresToken)
    .flatMap(({ pattern }) => list.exec(pattern)?.[1] ?? [])
    .sort();
}

function links(request: Request, paths: Record<string, string>): Record<string, string> {
  const context = contextOf(request);
  return Object.fromEntries(Object.entries(paths).map(([name, path]) => [name, absoluteUrl(context, path)]));
}
