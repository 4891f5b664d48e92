import { setImmediate as turn } from 'node:timers/promises';
import { TurnQueue } from './turn-queue.js';

describe('TurnQueue', () => {
  const { signal } = new AbortController();
  let queue: TurnQueue;
  let started: string[];
  const task = (name: string, abort: AbortSignal = signal) =>
    queue.acquire(abort).then(
      () => started.push(name),
      (error: Error) => started.push(`${name}: ${error.message}`),
    );
  beforeEach(() => {
    queue = new TurnQueue(2);
    started = [];
  });

  it('lets a few tasks run at once, and the others in order as these end', async () => {
    for (const name of ['A', 'B', 'C', 'D']) void task(name);
    await turn();
    expect([started, queue.length]).toEqual([['A', 'B'], 2]);
    queue.release();
    await turn();
    expect(started).toEqual(['A', 'B', 'C']);
    queue.release();
    queue.release();
    queue.release();
    for (const name of ['E', 'F', 'G']) void task(name);
    await turn();
    expect([started.slice(3), queue.length]).toEqual([['D', 'E', 'F'], 1]);
  });

  it('forgets a task that is aborted while it waits', async () => {
    const leaving = new AbortController();
    for (const name of ['A', 'B']) void task(name);
    void task('C', leaving.signal);
    void task('D');
    leaving.abort(new Error('left'));
    void task('E', leaving.signal);
    await turn();
    expect([started, queue.length]).toEqual([['A', 'B', 'C: left', 'E: left'], 1]);
    queue.release();
    leaving.abort();
    await turn();
    expect([started.at(-1), queue.length]).toEqual(['D', 0]);
  });
});
