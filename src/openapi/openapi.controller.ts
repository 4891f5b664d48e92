import { Controller, Get, Inject, Param } from '@nestjs/common';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { NotFound } from '../platform/errors/api-error.js';
import { problemCodes, type ProblemType } from '../platform/errors/problem-codes.js';
import { basePathOf } from '../platform/http/client.js';
import { HTTP_OPTIONS, type HttpOptions } from '../platform/http/options.js';
import { Reply } from '../platform/http/reply.js';
import { CacheControl, OwnMediaType, RouteTable } from '../platform/http/routes.js';
import { ApiOkResponse, ApiOperation, ApiTags } from '../platform/http/api-docs.js';
import { buildDocument } from './document.js';
import { type DocumentScope, fpmaScope, serviceScope } from './document-scopes.js';

/** The files that the page loads, with their media types. */
const ASSETS = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'favicon-32x32.png': 'image/png',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
  'swagger-ui-standalone-preset.js': 'text/javascript; charset=utf-8',
  'start.js': 'text/javascript; charset=utf-8',
} as const;

const assetFolder = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));

/** Allows scripts and requests from this server only. Swagger UI needs inline styles and icons. */
const PAGE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; " +
  "form-action 'none'; frame-ancestors 'none'; base-uri 'none'";

/** For addresses that contain a hash of the content. */
const IMMUTABLE = { 'Cache-Control': 'public, max-age=31536000, immutable' };

const page = (address: (name: keyof typeof ASSETS) => string) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Price Data Service</title>
<link rel="stylesheet" href="${address('swagger-ui.css')}">
<link rel="icon" href="${address('favicon-32x32.png')}">
</head>
<body>
<div id="swagger-ui"></div>
<script src="${address('swagger-ui-bundle.js')}"></script>
<script src="${address('swagger-ui-standalone-preset.js')}"></script>
<script src="${address('start.js')}"></script>
</body>
</html>
`;

const start = (basePath: string) => `window.ui = SwaggerUIBundle({
  urls: [
    { url: '${basePath}/openapi.json', name: 'Price Data Service' },
    { url: '${basePath}/openapi-fpma.json', name: 'Addresses of FPMA' },
  ],
  presets: [SwaggerUIBundle.presets.apis, SwaggerUIStandalonePreset],
  layout: 'StandaloneLayout',
  dom_id: '#swagger-ui',
  deepLinking: true,
  docExpansion: 'list',
  persistAuthorization: false,
});
`;

/** The OpenAPI documents, Swagger UI to browse them, and the documentation of each problem code. */
@Controller()
@OwnMediaType()
@ApiTags('Operations')
export class OpenApiController {
  private readonly documents = new Map<DocumentScope, Reply>();
  private readonly page: Reply;
  /** By name, and by name with a hash of the content. */
  private readonly assets = new Map<string, Reply>();

  private readonly basePath: string;

  constructor(
    private readonly routes: RouteTable,
    @Inject(HTTP_OPTIONS) { publicUrl }: HttpOptions,
  ) {
    this.basePath = basePathOf(publicUrl);
    const addresses = new Map<string, string>();
    for (const [name, type] of Object.entries(ASSETS)) {
      const body =
        name === 'start.js' ? Buffer.from(start(this.basePath)) : readFileSync(join(assetFolder, name));
      const plain = Reply.file(body, type);
      const hashed = name.replace(/\.(?=\w+$)/, `.${plain.options.etag!.slice(0, 16)}.`);
      this.assets.set(name, plain).set(hashed, Reply.file(body, type, IMMUTABLE));
      addresses.set(name, `/docs/${hashed}`);
    }
    const html = page((name) => addresses.get(name)!);
    this.page = Reply.file(Buffer.from(html), 'text/html; charset=utf-8', {
      'Content-Security-Policy': PAGE_POLICY,
    });
  }

  @Get('openapi.json')
  @CacheControl('revalidate')
  openApi(): Reply {
    return this.document(serviceScope);
  }

  @Get('openapi-fpma.json')
  @CacheControl('revalidate')
  openApiFpma(): Reply {
    return this.document(fpmaScope);
  }

  /** The address in the `type` of an error response. */
  @Get('problems/:code')
  @ApiOperation({
    summary: 'Read the meaning of a problem code',
    description: 'The address in the `type` of an error response.',
  })
  @ApiOkResponse({
    description: 'The problem code and its meaning',
    schema: {
      type: 'object',
      required: ['code', 'status', 'title', 'meaning'],
      properties: {
        code: { type: 'string', enum: Object.keys(problemCodes) },
        status: { type: 'integer' },
        title: { type: 'string' },
        meaning: { type: 'string' },
      },
      additionalProperties: false,
    },
    example: { code: 'invalid', ...problemCodes.invalid },
  })
  problem(@Param('code') code: string): { code: string } & ProblemType {
    const types: Readonly<Record<string, ProblemType>> = problemCodes;
    const type = Object.hasOwn(types, code) ? types[code] : undefined;
    if (type === undefined) throw new NotFound(`There is no problem code ${JSON.stringify(code)}.`);
    return { code, ...type };
  }

  @Get('docs')
  @CacheControl('revalidate')
  docs(): Reply {
    return this.page;
  }

  @Get('docs/:file')
  @CacheControl('revalidate')
  asset(@Param('file') file: string): Reply {
    const asset = this.assets.get(file);
    if (asset === undefined) throw new NotFound();
    return asset;
  }

  private document(scope: DocumentScope): Reply {
    let reply = this.documents.get(scope);
    if (reply === undefined) {
      const text = `${JSON.stringify(buildDocument(this.routes, scope, this.basePath), null, 2)}\n`;
      reply = Reply.file(Buffer.from(text), 'application/json; charset=utf-8');
      this.documents.set(scope, reply);
    }
    return reply;
  }
}
