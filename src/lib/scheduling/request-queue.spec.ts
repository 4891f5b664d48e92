import { setImmediate as turn } from 'node:timers/promises';
import { ConnectionBurst } from './connection-burst.js';
import { RequestQueue } from './request-queue.js';

describe('RequestQueue', () => {
  it('starts a task at once when none is before it', async () => {
    const queue = new RequestQueue();
    const started: number[] = [];
    queue.run(() => started.push(1));
    expect(started).toEqual([1]);
    await turn();
    await turn();
    queue.run(() => started.push(2));
    expect(started).toEqual([1, 2]);
  });

  it('starts the others in order, each after the promises of the one before', async () => {
    const queue = new RequestQueue();
    const seen: string[] = [];
    for (const name of ['A', 'B', 'C']) {
      queue.run(() => {
        seen.push(`${name} starts`);
        void Promise.resolve().then(() => seen.push(`${name} continues`));
      });
    }
    expect(seen).toEqual(['A starts']);
    for (let turns = 0; turns < 5; turns++) await turn();
    expect(seen).toEqual(['A starts', 'A continues', 'B starts', 'B continues', 'C starts', 'C continues']);
  });

  it('yields to the event loop while many wait, however long the tasks are', async () => {
    const queue = new RequestQueue();
    let started = 0;
    const busy = () => {
      started++;
      for (const until = performance.now() + 3; performance.now() < until;);
    };
    for (let task = 0; task < 20; task++) queue.run(busy);
    for (const until = performance.now() + 3; performance.now() < until;);
    expect(queue.oldestWait).toBeGreaterThan(2);
    let most = 0;
    for (let before = started; started < 20; before = started) {
      await turn();
      most = Math.max(most, started - before);
    }
    expect(most).toBeLessThanOrEqual(3);
    expect(queue.oldestWait).toBe(0);
  });

  it('lets connections that come first be accepted first, and holds 150 tasks at most', async () => {
    const burst = new ConnectionBurst(() => 0);
    const queue = new RequestQueue(burst);
    let started = 0;
    const add = (count: number) => {
      for (let task = 0; task < count; task++) queue.run(() => started++);
    };
    add(151);
    for (let turns = 0; turns < 5; turns++) {
      burst.onConnection();
      await turn();
    }
    expect([started, queue.length]).toEqual([1, 150]);
    add(1);
    burst.onConnection();
    for (let turns = 0; turns < 5; turns++) await turn();
    expect(started).toBeGreaterThan(1);
    for (let turns = 0; turns < 50 && queue.length > 0; turns++) await turn();
    expect(started).toBe(152);
  });

  it('accepts tasks while it drains', async () => {
    const queue = new RequestQueue();
    const started: number[] = [];
    queue.run(() => {
      started.push(1);
      queue.run(() => started.push(3));
    });
    queue.run(() => started.push(4));
    for (let turns = 0; turns < 5; turns++) await turn();
    expect(started).toEqual([1, 3, 4]);
  });
});
