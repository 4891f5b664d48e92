import { Module } from '@nestjs/common';
import { LlmsController } from './llms.controller.js';
import { McpController } from './mcp.controller.js';
import { LazyMcpServers } from './lazy-mcp-servers.js';

/** The addresses for assistants. */
@Module({
  controllers: [LlmsController, McpController],
  providers: [LazyMcpServers],
})
export class McpModule {}
