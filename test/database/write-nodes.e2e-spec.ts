import { connect, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Environment } from '../../src/config/environment.js';
import { parseServerAccounts } from '../../src/config/server-account.js';
import { Database } from '../../src/database/database.js';
import { DataRevision } from '../../src/ledger/revision/data-revision.js';
import { driverErrorKind } from '../../src/database/errors/driver-errors.js';
import { UnitOfWork } from '../../src/ledger/unit-of-work.js';
import { entities } from '../../src/entities.js';
import { onServer } from '../support/engines.js';
import { openDatabase } from '../support/open-database.js';
import { testServerUrl } from '../support/test-database.js';
import { testChange } from '../support/change-set.js';

/** A TCP proxy to the server under test that can be closed: it simulates a node of a cluster. */
class NodeProxy {
  readonly sockets = new Set<Socket>();
  private server: Server | null = null;
  port = 0;

  async open(): Promise<void> {
    const [target] = parseServerAccounts(`${testServerUrl}/none`);
    this.server = createServer((socket) => {
      const onward = connect(target!.port, target!.host);
      this.sockets.add(socket).add(onward);
      socket.pipe(onward).pipe(socket);
      for (const end of [socket, onward]) end.on('error', () => undefined);
    });
    await new Promise<void>((resolve) => this.server!.listen(this.port, '127.0.0.1', resolve));
    this.port = (this.server.address() as { port: number }).port;
  }

  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.server!.close(resolve));
    for (const socket of this.sockets) socket.destroy();
    this.sockets.clear();
    await closed;
  }

  get connections(): number {
    return [...this.sockets].filter((socket) => !socket.destroyed).length / 2;
  }
}

onServer.describe('several write nodes', () => {
  let opened: Awaited<ReturnType<typeof openDatabase>>;
  let nodes: NodeProxy[];
  let database: Database;
  let unitOfWork: UnitOfWork;

  const open = async (account = 'root') => {
    const name = opened.url.split('/').at(-1)!;
    const hosts = nodes.map(({ port }) => `127.0.0.1:${port}`).join(',');
    database = new Database(
      new Environment({ DATABASE_URL: `mariadb://${account}@${hosts}/${name}`, DATABASE_POOL_SIZE: '4' }),
      entities,
    );
    await database.connect();
    const revision = new DataRevision(database);
    await revision.refresh();
    unitOfWork = new UnitOfWork(database, revision);
  };
  beforeEach(async () => {
    opened = await openDatabase();
    nodes = [new NodeProxy(), new NodeProxy()];
    for (const node of nodes) await node.open();
  });
  afterEach(async () => {
    await database.close();
    for (const node of nodes) await node.close();
    await opened.close();
  });

  const write = (name: string) =>
    unitOfWork.change(testChange, (transaction) =>
      transaction.execute('INSERT INTO commodity (name) VALUES (?)', [name]),
    );
  const untilWritten = async (name: string) => {
    for (let left = 500; ; left--) {
      try {
        return await write(name);
      } catch (error) {
        if (left === 0 || driverErrorKind(error) !== 'unavailable') throw error;
        await sleep(10);
      }
    }
  };
  const names = async () => (await database.arrays('SELECT name FROM commodity ORDER BY name')).flat();

  it('are used one at a time: the next when the first fails, and the first again once it is healthy for a while', async () => {
    await open();
    await write('A');
    expect(nodes[1]!.connections).toBe(0);

    await nodes[0]!.close();
    await untilWritten('B');
    expect(await names()).toEqual(['A', 'B']);
    expect(nodes[1]!.connections).toBeGreaterThan(0);

    await nodes[0]!.open();
    await untilWritten('C');
    // All but the connection of the health check.
    for (let left = 1500; nodes[1]!.connections > 1 && left > 0; left--) await sleep(10);
    await write('D');
    expect(await names()).toEqual(['A', 'B', 'C', 'D']);
    expect(nodes[0]!.connections).toBeGreaterThan(1);
    expect(nodes[1]!.connections).toBeLessThanOrEqual(1);
  }, 30_000);

  it('may be down at the start, as long as one is up', async () => {
    await nodes[0]!.close();
    await open();
    await write('A');
    expect(await names()).toEqual(['A']);
    await nodes[0]!.open();
  });

  it('recover after all of them were down', async () => {
    await open();
    for (const node of nodes) await node.close();
    const failure = await write('A').catch((error: unknown) => error);
    expect(driverErrorKind(failure)).toBe('unavailable');
    for (const node of nodes) await node.open();
    await untilWritten('B');
    expect(await names()).toContain('B');
  });

  it('report when all of them reject the account', async () => {
    const failure = await open('nobody:wrong').catch((error: unknown) => error);
    expect(driverErrorKind(failure)).toBe('misconfigured');
  });
});
