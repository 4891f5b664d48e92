import assert from 'node:assert/strict';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { once } from 'node:events';
import { assertProblem } from '../support/assertions.js';
import { MariaDb } from '../support/mariadb.js';
import type { Rule } from '../support/rule.js';
import { Service, runBuiltCommand } from '../support/service.js';
import { findFreePort } from '../support/resources.js';

/**
 * A proxy to the database that, when armed, aborts the connection at the next COMMIT: before or
 * after it arrives.
 */
class CommitProxy {
  armed: 'before' | 'after' | null = null;
  aborted = 0;

  private constructor(private readonly server: Server) {}

  static async start(port: number, target: number): Promise<CommitProxy> {
    const server = createServer();
    const proxy = new CommitProxy(server);
    server.on('connection', (client) => proxy.join(client, connect(target, '127.0.0.1')));
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    return proxy;
  }

  private join(client: Socket, database: Socket): void {
    const end = () => (client.destroy(), database.destroy());
    for (const socket of [client, database]) socket.on('error', end).on('close', end);
    let swallowing = false;
    client.on('data', (data) => {
      if (this.armed !== null && data.includes('COMMIT')) {
        this.aborted++;
        if (this.armed === 'before') end();
        else {
          swallowing = true;
          database.write(data);
        }
        this.armed = null;
      } else database.write(data);
    });
    database.on('data', (data) => (swallowing ? end() : client.write(data)));
  }

  close(): void {
    this.server.close();
  }
}

export const lostCommit: Rule = {
  id: 'F4',
  title: 'connection lost at COMMIT',
  needsMariadb: true,
  async run() {
    const server = await MariaDb.start();
    await runBuiltCommand('migrate', [], server.url);
    const port = await findFreePort();
    const proxy = await CommitProxy.start(port, server.port);
    const service = await Service.start({
      databaseUrl: server.url.replace(String(server.port), String(port)),
    });
    await service.login();
    const stored = async (name: string) =>
      (await server.query(`SELECT id FROM commodity WHERE name = '${name}'`, 'prices')).length;
    for (const [armed, rows] of [
      ['before', 0],
      ['after', 1],
    ] as const) {
      proxy.armed = armed;
      const reply = await service.write('POST', '/api/v1/Commodity/', { commodity_name: armed });
      assertProblem(reply, 503, 'outcome_unknown');
      assert.equal(await stored(armed), rows, 'It was retried, or not stored at all.');
    }
    assert.equal(proxy.aborted, 2);
    const next = await service.write('POST', '/api/v1/Commodity/', { commodity_name: 'next' });
    assert.equal(next.status, 201);
    await service.stop();
    proxy.close();
    await server.stop();
    return { cuts: proxy.aborted };
  },
};
