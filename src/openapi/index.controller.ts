import { Controller, Get, Req } from '@nestjs/common';
import type { Request } from 'express';
import { BASE } from '../config/price-paths.js';
import { infoOf } from '../platform/http/request.js';
import { CacheControl, Formats, RouteTable } from '../platform/http/routes.js';
import { HomePage } from '../explorer/home/home-page.js';
import { CachedBy } from '../ledger/revision/cached-by.js';
import { noParameters } from '../platform/validation/query-schema.js';
import { RequestQuery } from '../platform/http/params.js';
import type { Reply } from '../platform/http/reply.js';
import { ApiOkResponse, ApiOperation, ApiTags } from '../platform/http/api-docs.js';
import { type Schema } from '../platform/validation/schema.js';
import { absoluteUrl } from '../platform/listing/links.js';

const LINKS: Schema = { type: 'object', additionalProperties: { type: 'string', format: 'uri' } };

/** Addresses for those who open the service in a browser. */
@Controller()
@CacheControl('revalidate')
@ApiTags('Operations')
export class IndexController {
  private publicLists: readonly string[] | null = null;

  constructor(
    private readonly routes: RouteTable,
    private readonly home: HomePage,
  ) {}

  @Get()
  @Formats('json', 'html')
  @CachedBy('series', 'references', 'rates', 'findings')
  @ApiOperation({
    summary: 'List the addresses of the service',
    description: 'The start page of the pages for people where `Accept` names `text/html`.',
  })
  @ApiOkResponse({
    description: 'Addresses by name',
    content: {
      'application/json': { schema: LINKS },
      'text/html': { schema: { type: 'string', description: 'The start page' } },
    },
  })
  root(
    @Req() request: Request,
    @RequestQuery(noParameters) _: object,
  ): Record<string, string> | Promise<Reply> {
    const info = infoOf(request);
    if (info.format === 'html' && this.home.isOn) return this.home.reply(info);
    return links(request, {
      api: `/${BASE}/`,
      docs: '/docs',
      openapi: '/openapi.json',
      openapi_fpma: '/openapi-fpma.json',
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
function publicLists(routes: RouteTable): string[] {
  const list = new RegExp(`^/${BASE}/(\\w+)$`);
  return routes
    .all()
    .filter(({ method, requiresToken }) => method === 'GET' && !requiresToken)
    .flatMap(({ pattern }) => list.exec(pattern)?.[1] ?? [])
    .sort();
}

function links(request: Request, paths: Record<string, string>): Record<string, string> {
  const info = infoOf(request);
  return Object.fromEntries(Object.entries(paths).map(([name, path]) => [name, absoluteUrl(info, path)]));
}
