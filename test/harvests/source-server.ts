import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Replies to a request. */
type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** A server on the loopback that publishes files, as a test has it reply. */
export class SourceServer {
  /** `METHOD path`, in order. */
  readonly asked: string[] = [];
  readonly headers: IncomingMessage['headers'][] = [];
  handler: Handler = (_, response) => response.writeHead(404).end();

  private constructor(private readonly server: Server) {}

  static async start(): Promise<SourceServer> {
    const server = createServer((request, response) => {
      source.asked.push(request.url!);
      source.headers.push(request.headers);
      source.handler(request, response);
    });
    const source = new SourceServer(server);
    await once(server.listen(0, '127.0.0.1'), 'listening');
    return source;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  address(path = '/prices.csv'): string {
    return `http://127.0.0.1:${this.port}${path}`;
  }

  /** Has it send a file, as CSV unless the type says other. */
  publish(text: string, headers: Readonly<Record<string, string>> = {}): void {
    this.handler = (_, response) =>
      response.writeHead(200, { 'Content-Type': 'text/csv', ...headers }).end(text);
  }

  close(): void {
    this.server.closeAllConnections();
    this.server.close();
  }
}
