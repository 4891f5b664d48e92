import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer, type ServerOptions } from 'node:https';
import type { AddressInfo } from 'node:net';

/** Replies to a request. */
type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** A server on the loopback that publishes files, as a test has it reply. */
export class SourceServer {
  /** `METHOD path`, in order. */
  readonly asked: string[] = [];
  readonly headers: IncomingMessage['headers'][] = [];
  handler: Handler = (_, response) => response.writeHead(404).end();

  private constructor(
    private readonly server: Server,
    private readonly scheme: 'http' | 'https',
  ) {}

  /** @param tls key and certificate of one that is reached by TLS */
  static async start(tls?: Pick<ServerOptions, 'key' | 'cert'>): Promise<SourceServer> {
    const reply = (request: IncomingMessage, response: ServerResponse) => {
      source.asked.push(request.url!);
      source.headers.push(request.headers);
      source.handler(request, response);
    };
    const server = tls === undefined ? createServer(reply) : createTlsServer(tls, reply);
    const source = new SourceServer(server, tls === undefined ? 'http' : 'https');
    await once(server.listen(0, '127.0.0.1'), 'listening');
    return source;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  address(path = '/prices.csv'): string {
    return `${this.scheme}://127.0.0.1:${this.port}${path}`;
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
