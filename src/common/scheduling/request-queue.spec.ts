import { setImmediate as turn } from 'node:timers/promises';
import { RequestQueue } from './request-queue.js';

describe('WaitingLine', () => {
  it('begins a task at once when nobody is before it', async () => {
    const line = new RequestQueue();
    const begun: number[] = [];
    line.join(() => begun.push(1));
    expect(begun).toEqual([1]);
    await turn();
    await turn();
    line.join(() => begun.push(2));
    expect(begun).toEqual([1, 2]);
  });

  it('begins the others in their order, each after the promises of the one before', async () => {
    const line = new RequestQueue();
    const seen: string[] = [];
    for (const name of ['A', 'B', 'C']) {
      line.join(() => {
        seen.push(`${name} begins`);
        void Promise.resolve().then(() => seen.push(`${name} goes on`));
      });
    }
    expect(seen).toEqual(['A begins']);
    for (let turns = 0; turns < 5; turns++) await turn();
    expect(seen).toEqual(['A begins', 'A goes on', 'B begins', 'B goes on', 'C begins', 'C goes on']);
  });

  it('gives others a turn while many wait, however long the tasks are', async () => {
    const line = new RequestQueue();
    let begun = 0;
    const busy = () => {
      begun++;
      for (const until = performance.now() + 3; performance.now() < until;);
    };
    for (let task = 0; task < 20; task++) line.join(busy);
    for (const until = performance.now() + 3; performance.now() < until;);
    expect(line.wait).toBeGreaterThan(2);
    let most = 0;
    for (let before = begun; begun < 20; before = begun) {
      await turn();
      most = Math.max(most, begun - before);
    }
    expect(most).toBeLessThanOrEqual(3);
    expect(line.wait).toBe(0);
  });

  it('takes more tasks while it is moving', async () => {
    const line = new RequestQueue();
    const begun: number[] = [];
    line.join(() => {
      begun.push(1);
      line.join(() => begun.push(3));
    });
    line.join(() => begun.push(4));
    for (let turns = 0; turns < 5; turns++) await turn();
    expect(begun).toEqual([1, 3, 4]);
  });
});
