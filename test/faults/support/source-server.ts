import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A server that publishes files, and counts how often each is asked for. */
export class SourceServer {
  readonly asked: Record<string, number> = {};

  private constructor(private readonly server: Server) {}

  /** @param files their paths, by the paths of their addresses */
  static async start(files: Readonly<Record<string, string>>): Promise<SourceServer> {
    const server = createServer((request, response) => {
      const path = request.url!;
      source.asked[path] = (source.asked[path] ?? 0) + 1;
      createReadStream(files[path]!).pipe(response);
    });
    const source = new SourceServer(server);
    await once(server.listen(0, '127.0.0.1'), 'listening');
    return source;
  }

  address(path: string): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}${path}`;
  }

  stop(): void {
    this.server.closeAllConnections();
    this.server.close();
  }
}
