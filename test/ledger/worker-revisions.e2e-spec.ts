import { jest } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { MessageHub } from '../../src/platform/workers/message-hub.js';
import { Environment } from '../../src/config/environment.js';
import { Database } from '../../src/database/database.js';
import { DataRevision } from '../../src/ledger/revision/data-revision.js';
import { UnitOfWork } from '../../src/ledger/unit-of-work.js';
import { entities } from '../../src/entities.js';
import { openDatabase } from '../support/open-database.js';
import { WorkerWire } from '../support/worker-wire.js';
import { testChange } from '../support/change-set.js';

/** The database layer of one of several workers on the same database, without polling. */
async function startWorker(url: string, hub: MessageHub) {
  const wire = new WorkerWire(hub);
  const database = new Database(new Environment({ DATABASE_URL: url }), entities);
  await database.connect();
  const revision = new DataRevision(database, wire.peers);
  await revision.refresh();
  return { wire, database, revision, unitOfWork: new UnitOfWork(database, revision) };
}

describe('revisions announced among workers', () => {
  let opened: Awaited<ReturnType<typeof openDatabase>>;
  let workers: Awaited<ReturnType<typeof startWorker>>[];
  beforeEach(async () => {
    opened = await openDatabase();
    const hub = new MessageHub();
    workers = [await startWorker(opened.url, hub), await startWorker(opened.url, hub)];
    await sleep(10);
    // A revision expires after a while; the mocked clock makes that independent of the machine.
    const now = performance.now();
    jest.spyOn(performance, 'now').mockReturnValue(now);
    for (const { revision } of workers) await revision.refresh();
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    for (const { database } of workers) await database.close();
    await opened.close();
  });

  const write = (worker: number, ...areas: ('references' | 'rates')[]) =>
    workers[worker]!.unitOfWork.change(testChange, async (transaction) => transaction.markModified(...areas));
  const current = () => workers.map(({ revision }) => revision.current());

  it('are seen by all when a write is acknowledged', async () => {
    const [before] = current();
    await write(0, 'references');
    const all = before!.all + 1;
    const first = { ...before, all, references: all };
    expect(current()).toEqual([first, first]);
    await write(1, 'rates');
    const second = { ...first, all: all + 1, rates: all + 1 };
    expect(current()).toEqual([second, second]);
  });

  it('are waited for, however slow they are', async () => {
    workers[1]!.wire.delayMs = 200;
    const [before] = current();
    await write(0, 'rates');
    expect(current().map((revisions) => revisions!.all)).toEqual([before!.all + 1, before!.all + 1]);
  });

  it('are seen by all after concurrent writes of several workers', async () => {
    const [before] = current();
    await Promise.all(Array.from({ length: 20 }, (_, index) => write(index % 2, 'rates')));
    expect(current().map((revisions) => revisions!.all)).toEqual([before!.all + 20, before!.all + 20]);
  });

  it('are not announced for a failed write', async () => {
    const before = current();
    await expect(workers[0]!.unitOfWork.run(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(current()).toEqual(before);
  });

  it('are not waited for from a silent worker: by then its revision has expired', async () => {
    workers[1]!.wire.delayMs = null;
    const [before] = current();
    jest.restoreAllMocks();
    await write(0, 'rates');
    expect(workers[1]!.revision.current()).toBeNull();
    expect((await workers[1]!.revision.fresh()).all).toBe(before!.all + 1);
  });
});
