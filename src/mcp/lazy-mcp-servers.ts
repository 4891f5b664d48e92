import { Injectable } from '@nestjs/common';
import { LazyModuleLoader } from '@nestjs/core';
import type { McpServers } from './mcp-servers.js';

/**
 * Loads the tools and the packages of the protocol when an assistant asks for the first time: they
 * take 26 MB, which most processes never need.
 */
@Injectable()
export class LazyMcpServers {
  private loading: Promise<McpServers> | null = null;

  constructor(private readonly loader: LazyModuleLoader) {}

  loaded(): Promise<McpServers> {
    return (this.loading ??= this.load().catch((error: unknown) => {
      this.loading = null;
      throw error;
    }));
  }

  private async load(): Promise<McpServers> {
    const { McpToolsModule } = await import('./mcp-tools.module.js');
    const { McpServers } = await import('./mcp-servers.js');
    const module = await this.loader.load(() => McpToolsModule);
    return module.get(McpServers);
  }
}
