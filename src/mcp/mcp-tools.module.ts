import { Module } from '@nestjs/common';
import { AnalysisModule } from '../analysis/analysis.module.js';
import { HistoryModule } from '../history/history.module.js';
import { PriceSeriesModule } from '../price-series/price-series.module.js';
import { PricesModule } from '../prices/prices.module.js';
import { IndicatorQuestions } from './indicator-question.js';
import { MCP_TOOLS, McpServers } from './mcp-servers.js';
import type { McpTool } from './mcp-tool.js';
import { DescribeTool } from './tools/describe.tool.js';
import { ExplainTool } from './tools/explain.tool.js';
import { FindSeriesTool } from './tools/find-series.tool.js';
import { GetIndicatorsTool } from './tools/get-indicators.tool.js';
import { GetPricesTool } from './tools/get-prices.tool.js';
import { ListChangesTool } from './tools/list-changes.tool.js';

const tools = [FindSeriesTool, DescribeTool, GetPricesTool, GetIndicatorsTool, ExplainTool, ListChangesTool];

/** What assistants may ask, answered by the services of the API. Loaded when one first asks. */
@Module({
  imports: [AnalysisModule, HistoryModule, PriceSeriesModule, PricesModule],
  providers: [
    ...tools,
    { provide: MCP_TOOLS, inject: tools, useFactory: (...of: McpTool[]) => of },
    IndicatorQuestions,
    McpServers,
  ],
})
export class McpToolsModule {}
