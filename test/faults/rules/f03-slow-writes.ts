import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { assertProblem } from '../support/assertions.js';
import type { HttpReply } from '../support/http.js';
import { MariaDb } from '../support/mariadb.js';
import { findFreePort } from '../support/resources.js';
import { ms, type Rule } from '../support/rule.js';
import { Service, runBuiltCommand } from '../support/service.js';

/** Milliseconds within which a write gets a reply. */
const REPLY_MS = 10_000;

/** A proxy to a database that makes it slow. */
class SlowProxy {
  /** Milliseconds by which every reply is late, and by which that to a COMMIT is. */
  delay = 0;
  commitDelay = 0;

  private constructor(private readonly server: Server) {}

  static async start(port: number, target: number): Promise<SlowProxy> {
    const server = createServer();
    const proxy = new SlowProxy(server);
    server.on('connection', (client) => proxy.join(client, connect(target, '127.0.0.1')));
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    return proxy;
  }

  private join(client: Socket, database: Socket): void {
    const end = () => (client.destroy(), database.destroy());
    for (const socket of [client, database]) socket.on('error', end).on('close', end);
    let delay = 0;
    client.on('data', (data) => {
      delay = data.includes('COMMIT') ? this.delay + this.commitDelay : this.delay;
      database.write(data);
    });
    database.on('data', (data) => setTimeout(() => client.write(data), delay));
  }

  close(): void {
    this.server.close();
  }
}

export const slowWrites: Rule = {
  id: 'F3W',
  title: 'writes on a slow database',
  needsMariadb: true,
  async run() {
    const server = await MariaDb.start();
    await runBuiltCommand('migrate', [], server.url);
    const port = await findFreePort();
    const proxy = await SlowProxy.start(port, server.port);
    const service = await Service.start({
      databaseUrl: server.url.replace(String(server.port), String(port)),
    });
    const create = (name: string) => service.write('POST', '/api/v1/Commodity/', { commodity_name: name });
    const names = async () =>
      (await server.query('SELECT name FROM commodity ORDER BY id', 'prices')).map(({ name }) =>
        String(name),
      );
    await create('Millet');
    const slowest: Record<string, number> = {};
    const check = (label: string, code: string, ...replies: HttpReply[]) => {
      for (const reply of replies) assertProblem(reply, 503, code);
      slowest[label] = ms(Math.max(...replies.map((reply) => reply.ms)));
      assert.ok(slowest[label] <= REPLY_MS, `${label}: a reply took ${slowest[label]} ms.`);
    };
    const allWrites = () =>
      Promise.all([
        create('Late'),
        service.write('PUT', '/api/v1/Commodity/1/', { commodity_name: 'Late' }),
        service.write('PATCH', '/api/v1/Commodity/1/', { commodity_name: 'Late' }),
        service.write('DELETE', '/api/v1/Commodity/1/'),
      ]);

    // A write sends some four packets before COMMIT: the last must not be sent in time.
    proxy.delay = 2500;
    check('2.5 s for each packet, ms', 'unavailable', ...(await allWrites()));

    proxy.delay = 0;
    const holder = await server.connect('prices');
    await holder.query('START TRANSACTION');
    await holder.query('SELECT id FROM data_revision WHERE id = 1 FOR UPDATE');
    check('a lock that is held, ms', 'unavailable', ...(await allWrites()));
    await holder.end();
    assert.deepEqual(await names(), ['Millet'], 'A rejected write was stored.');

    // The packets before it must end in time.
    proxy.delay = 500;
    proxy.commitDelay = 60_000;
    check('a COMMIT without a reply, ms', 'outcome_unknown', await create('Unconfirmed'));
    assert.deepEqual(await names(), ['Millet', 'Unconfirmed']);

    proxy.delay = 0;
    proxy.commitDelay = 0;
    await service.waitUntilReady(10_000);
    assert.equal((await create('In time')).status, 201);
    await service.stop();
    proxy.close();
    await server.stop();
    return slowest;
  },
};
