import { Controller, Get, Param } from '@nestjs/common';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { NotFound } from '../platform/errors/api-error.js';
import { problemCodes, type ProblemType } from '../platform/errors/problem-codes.js';
import { Reply } from '../platform/http/response/reply.js';
import { OwnMediaType } from '../platform/http/routes/route-decorators.js';
import { RouteList } from '../platform/http/route-list.js';
import { ApiOkResponse, ApiOperation, ApiTags } from '../platform/http/routes/api-docs.js';
import { buildDocument } from './document.js';

/** The files of Swagger UI that the page loads, with their media types. */
const assets: Readonly<Record<string, string>> = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
  'favicon-32x32.png': 'image/png',
};

const assetFolder = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));

/** Allows scripts and requests from this server only. Swagger UI needs inline styles and icons. */
const PAGE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; " +
  "form-action 'none'; frame-ancestors 'none'; base-uri 'none'";

const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Price Data Service</title>
<link rel="stylesheet" href="/docs/swagger-ui.css">
<link rel="icon" href="/docs/favicon-32x32.png">
</head>
<body>
<div id="swagger-ui"></div>
<script src="/docs/swagger-ui-bundle.js"></script>
<script src="/docs/start.js"></script>
</body>
</html>
`;

const start = `window.ui = SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#swagger-ui',
  deepLinking: true,
  docExpansion: 'list',
  persistAuthorization: false,
});
`;

/** The OpenAPI document, Swagger UI to browse it, and the documentation of each problem code. */
@Controller()
@OwnMediaType()
@ApiTags('Operations')
export class OpenApiController {
  private document: string | null = null;

  constructor(private readonly routes: RouteList) {}

  @Get('openapi.json')
  openApi(): Reply {
    this.document ??= `${JSON.stringify(buildDocument(this.routes), null, 2)}\n`;
    return Reply.text(this.document, 'application/json; charset=utf-8');
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
  docs(): Reply {
    return Reply.text(page, 'text/html; charset=utf-8', {
      headers: { 'Content-Security-Policy': PAGE_POLICY },
    });
  }

  @Get('docs/:file')
  async asset(@Param('file') file: string): Promise<Reply> {
    if (file === 'start.js') return Reply.text(start, 'text/javascript; charset=utf-8');
    const type = Object.hasOwn(assets, file) ? assets[file] : undefined;
    if (type === undefined) throw new NotFound();
    return Reply.text(await readFile(join(assetFolder, file)), type);
  }
}
