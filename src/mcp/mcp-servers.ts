import { Inject, Injectable, Optional } from '@nestjs/common';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { Environment } from '../config/environment.js';
import { release } from '../config/release.js';
import { Clock } from '../platform/clock/clock.js';
import { ERROR_TRANSLATOR, type ErrorTranslator, toApiError } from '../platform/errors/to-api-error.js';
import { ServiceLog } from '../platform/logging/service-log.js';
import { MCP_PATH, type McpTool, type ToolCall } from './mcp-tool.js';

/** Provider token of the tools. */
export const MCP_TOOLS = Symbol('McpTools');

const INSTRUCTIONS =
  'Food prices of markets all over the world. Begin with find_series. Quote every number with its unit, source, date and as_of, and link the page. Numbers are public; nothing can be changed here.';

/**
 * Answers requests of the Model Context Protocol, each by a server of its own: there are no
 * sessions.
 */
@Injectable()
export class McpServers {
  private readonly handler = createMcpHandler(({ requestInfo }) => this.server(requestInfo!), {
    // Nothing is announced here: the change feed of the API is for that.
    maxSubscriptions: 0,
    onerror: (error) => this.log.debug('Mcp', error.message),
  });

  constructor(
    /** In the order in which assistants see them. */
    @Inject(MCP_TOOLS) readonly tools: readonly McpTool[],
    private readonly log: ServiceLog,
    private readonly clock: Clock,
    private readonly environment: Environment,
    @Optional() @Inject(ERROR_TRANSLATOR) private readonly translate?: ErrorTranslator,
  ) {}

  /**
   * @param request with its id as `X-Request-Id`
   * @param body the parsed body of the request
   */
  handle(request: Request, body: unknown): Promise<Response> {
    return this.handler.fetch(request, { parsedBody: body });
  }

  private server(request: Request): McpServer {
    const server = new McpServer(
      { name: 'price-data-service', title: 'Price Data Service', version: release() },
      { instructions: INSTRUCTIONS },
    );
    const call = {
      id: request.headers.get('X-Request-Id')!,
      origin: request.url.slice(0, -MCP_PATH.length),
      signal: request.signal,
      explorer: this.environment.explorer,
      now: this.clock.now(),
    };
    for (const tool of this.tools) {
      const { name, title, description, input } = tool;
      const annotations = { readOnlyHint: true, idempotentHint: true, openWorldHint: false };
      server.registerTool(name, { title, description, inputSchema: input, annotations }, (values) =>
        this.result(tool, values, call),
      );
    }
    return server;
  }

  /**
   * What went wrong is sent to the assistant, which can ask again in another way. Errors of the
   * service itself are logged, as those of other requests.
   */
  private async result(tool: McpTool, values: Record<string, unknown>, call: ToolCall) {
    const text = (of: string) => [{ type: 'text' as const, text: of }];
    try {
      return { content: text(JSON.stringify(await tool.run(values, call))) };
    } catch (error) {
      const problem = toApiError(this.translate?.(error) ?? error);
      if (problem.status >= 500 && !call.signal.aborted)
        this.log.pino.error(
          { id: call.id, tool: tool.name, err: problem.cause ?? problem },
          'question failed',
        );
      const details = problem.errors?.map((each) => each.detail).join(' ');
      return { content: text(details ?? problem.detail), isError: true };
    }
  }
}
