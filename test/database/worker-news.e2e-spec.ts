import { jest } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { MessageHub } from '../../src/common/workers/message-hub.js';
import { Environment } from '../../src/config/environment.js';
import { Database } from '../../src/database/database.js';
import { DataRevision } from '../../src/database/data-revision.js';
import { UnitOfWork } from '../../src/database/unit-of-work.js';
import { entities } from '../../src/entities.js';
import { openDatabase } from '../support/open-database.js';
import { WorkerWire } from '../support/worker-wire.js';

/** What a process of the service has, beside others on the same database. None of them looks for writes by itself. */
async function startWorker(url: string, switchboard: MessageHub) {
  const wire = new WorkerWire(switchboard);
  const database = new Database(new Environment({ DATABASE_URL: url }), entities);
  await database.connect();
  const revision = new DataRevision(database, wire.siblings);
  await revision.ask();
  return { wire, database, revision, unitOfWork: new UnitOfWork(database, revision) };
}

describe('news of writes among workers', () => {
  let opened: Awaited<ReturnType<typeof openDatabase>>;
  let workers: Awaited<ReturnType<typeof startWorker>>[];
  beforeEach(async () => {
    opened = await openDatabase();
    const switchboard = new MessageHub();
    workers = [await startWorker(opened.url, switchboard), await startWorker(opened.url, switchboard)];
    await sleep(10);
    // What is known stays good for a while only; however slow this machine is, that while is not over yet.
    const now = performance.now();
    jest.spyOn(performance, 'now').mockReturnValue(now);
    for (const { revision } of workers) await revision.ask();
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    for (const { database } of workers) await database.close();
    await opened.close();
  });

  const write = (worker: number, ...areas: ('references' | 'rates')[]) =>
    workers[worker]!.unitOfWork.run(async (tx) => tx.touch(...areas));
  const known = () => workers.map(({ revision }) => revision.current());

  it('are known to all when a write is acknowledged', async () => {
    const [before] = known();
    await write(0, 'references');
    const all = before!.all + 1;
    const first = { ...before, all, references: all };
    expect(known()).toEqual([first, first]);
    await write(1, 'rates');
    const second = { ...first, all: all + 1, rates: all + 1 };
    expect(known()).toEqual([second, second]);
  });

  it('are waited for, however slow they are', async () => {
    workers[1]!.wire.delay = 200;
    const [before] = known();
    await write(0);
    expect(known().map((revisions) => revisions!.all)).toEqual([before!.all + 1, before!.all + 1]);
  });

  it('let writes of several workers at once all be known to all', async () => {
    const [before] = known();
    await Promise.all(Array.from({ length: 20 }, (_, index) => write(index % 2)));
    expect(known().map((revisions) => revisions!.all)).toEqual([before!.all + 20, before!.all + 20]);
  });

  it('are not told of a write that fails', async () => {
    const before = known();
    await expect(workers[0]!.unitOfWork.run(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(known()).toEqual(before);
  });

  it('are not waited for from a worker that is silent: by then it asks the database before it answers', async () => {
    workers[1]!.wire.delay = null;
    const [before] = known();
    jest.restoreAllMocks();
    await write(0);
    expect(workers[1]!.revision.current()).toBeNull();
    expect((await workers[1]!.revision.fresh()).all).toBe(before!.all + 1);
  });
});
