import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { AddressInfo } from 'node:net';
import type { Server } from 'node:http';
import type { TestApp } from '../support/test-app.js';

/** An answer of a tool: what it says, and whether it failed. */
export interface ToolAnswer {
  text: string;
  isError: boolean;
}

/** The official client, connected to a service under test. */
export async function connectClient(service: TestApp) {
  const { port } = (service.app.getHttpServer() as Server).address() as AddressInfo;
  const origin = `http://127.0.0.1:${port}`;
  const client = new Client({ name: 'test', version: '1.0.0' });
  await client.connect(new StreamableHTTPClientTransport(new URL(`${origin}/mcp`)));
  /** Asks a tool. */
  const ask = async (name: string, values: Record<string, unknown>): Promise<ToolAnswer> => {
    const { content, isError } = await client.callTool({ name, arguments: values });
    const [part] = content as { type: string; text: string }[];
    return { text: part!.text, isError: isError === true };
  };
  return { client, origin, ask };
}
