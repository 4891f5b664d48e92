import { Body, Controller, HttpCode, Post, Req, UseGuards } from '@nestjs/common';
import type { Request as ExpressRequest } from 'express';
import { ValidationError, type Violation } from '../platform/errors/api-error.js';
import { infoOf, RequestSignal } from '../platform/http/request.js';
import { Reply } from '../platform/http/reply.js';
import { OwnMediaType, Public, ThrottledAs } from '../platform/http/routes.js';
import { McpGuard } from './mcp.guard.js';
import { MCP_PATH } from './mcp-tool.js';
import { LazyMcpServers } from './lazy-mcp-servers.js';

/** Each question counts in the throttle; newer versions of the protocol have no batches. */
const ONE_QUESTION: Violation = {
  in: 'body',
  pointer: '',
  code: 'invalid_type',
  detail: 'A request asks one question: the body must be one JSON-RPC message, not a list of them.',
};

/** The Model Context Protocol for assistants: streamable HTTP, without sessions, read-only. */
@Controller('mcp')
@UseGuards(McpGuard)
@OwnMediaType()
export class McpController {
  constructor(private readonly servers: LazyMcpServers) {}

  /** Counts as a read. */
  @Post()
  @Public()
  @ThrottledAs('read')
  @HttpCode(200)
  async ask(
    @Body() body: unknown,
    @Req() request: ExpressRequest,
    @RequestSignal() signal: AbortSignal,
  ): Promise<Reply> {
    if (Array.isArray(body)) throw new ValidationError([ONE_QUESTION]);
    const { id, origin } = infoOf(request);
    const headers = new Headers();
    for (const [name, value] of Object.entries(request.headers))
      if (typeof value === 'string') headers.set(name, value);
    headers.set('X-Request-Id', id);
    const asked = new Request(origin + MCP_PATH, { method: 'POST', headers, signal });
    const servers = await this.servers.loaded();
    const response = await servers.handle(asked, body);
    const type = response.headers.get('content-type');
    const text = await response.text();
    const options = { status: response.status };
    return type === null || text === '' ? Reply.empty(options) : Reply.text(text, type, options);
  }
}
