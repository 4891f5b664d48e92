import { Controller, Get, Req } from '@nestjs/common';
import type { Request } from 'express';
import { Environment } from '../config/environment.js';
import { infoOf } from '../platform/http/request.js';
import { Reply } from '../platform/http/reply.js';
import { CacheControl, OwnMediaType } from '../platform/http/routes.js';
import { LazyMcpServers } from './lazy-mcp-servers.js';
import type { McpTool } from './mcp-tool.js';

/** What the service is, in words for language models (llmstxt.org). */
@Controller('llms.txt')
@OwnMediaType()
@CacheControl('minute')
export class LlmsController {
  constructor(
    private readonly environment: Environment,
    private readonly servers: LazyMcpServers,
  ) {}

  @Get()
  async text(@Req() request: Request): Promise<Reply> {
    const { origin } = infoOf(request);
    const tools = this.environment.mcp ? (await this.servers.loaded()).tools : [];
    return Reply.text(this.markdown(origin, tools), 'text/markdown; charset=utf-8');
  }

  private markdown(origin: string, tools: readonly McpTool[]): string {
    const { explorer, mcp } = this.environment;
    const link = (path: string, name: string, text: string) => `- [${name}](${origin}${path}): ${text}\n`;
    const list = tools.map(({ name, description }) => `- \`${name}\`: ${description}\n`).join('');
    return (
      '# Price Data Service\n\n' +
      '> Food prices of markets all over the world: series of daily, weekly and monthly prices by market, commodity and price type, in local currency, dollars and real terms, with indicators and warnings. Public, no key needed.\n\n' +
      'Quote every number with its unit, currency, source, date and the state of the data (`Data-Revision`, `as_of`). Every series has a uuid. Lists have pages; `format=csv` and `format=ndjson` give whole tables.\n\n' +
      '## API\n\n' +
      link('/openapi.json', 'OpenAPI document', 'all addresses, parameters and fields') +
      link('/docs', 'Documentation', 'the same to try out') +
      link('/api/v1/PriceSerie/?search=maize%20kenya', 'Price series', 'search by words') +
      link('/api/v1/Suggest/?q=maize', 'Suggestions', 'countries, commodities, markets and series by name') +
      link('/api/v1/PriceSerieIndicator/', 'Indicators', 'newest changes and warnings of all series') +
      link('/api/v1/PriceChange/?by=commodity', 'Changes', 'how much prices have risen, by group') +
      link('/api/v1/PriceSeason/?by=commodity', 'Seasons', 'which months are dear and cheap, by group') +
      link('/api/v1/PriceWarning/', 'Warnings', 'how many series of each country are unusual') +
      (mcp
        ? `\n## Tools\n\nModel Context Protocol (streamable HTTP, read-only) at ${origin}/mcp:\n\n${list}`
        : '') +
      (explorer
        ? '\n## Pages\n\n' +
          link('/browse', 'Browse', 'find series by filters') +
          link('/warnings', 'Warnings', 'by country and month') +
          link('/data', 'Data', 'downloads, licences, how to cite') +
          link('/help', 'Help', 'what the words mean and how numbers are calculated')
        : '')
    );
  }
}
