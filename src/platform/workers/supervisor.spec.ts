import { jest } from '@jest/globals';
import { EventEmitter } from 'node:events';
import { Supervisor, type ToSupervisor, type WorkerProcess } from './supervisor.js';

/** A worker that the test controls. */
class FakeWorker extends EventEmitter implements WorkerProcess {
  readonly received: unknown[] = [];
  readonly killed: string[] = [];
  constructor(readonly id: number) {
    super();
  }
  send(message: unknown): void {
    this.received.push(message);
  }
  kill(signal: NodeJS.Signals): void {
    this.killed.push(signal);
    this.exits(null, signal);
  }
  emits(message: ToSupervisor): void {
    this.emit('message', message);
  }
  exits(code: number | null, signal: string | null = null): void {
    this.emit('exit', code, signal);
  }
}

describe('supervisor', () => {
  let workers: FakeWorker[];
  let codes: number[];
  let lines: string[];
  let supervisor: Supervisor;

  beforeEach(() => {
    jest.useFakeTimers();
    workers = [];
    codes = [];
    lines = [];
    const write = (line: string) => void lines.push(line);
    supervisor = new Supervisor({
      workers: 3,
      fork: () => {
        const worker = new FakeWorker(workers.length + 1);
        workers.push(worker);
        return worker;
      },
      shutdownMs: 10_000,
      log: { log: write, warn: write, error: write },
      exit: (code) => void codes.push(code),
    });
    supervisor.start();
  });
  afterEach(() => jest.useRealTimers());

  const startAll = () => {
    workers[0]!.emits({ kind: 'ready' });
    for (const worker of workers) worker.emits({ kind: 'join' });
  };

  it('starts the first worker alone, and the others when it is ready', () => {
    expect(workers).toHaveLength(1);
    workers[0]!.emits({ kind: 'join' });
    expect(workers).toHaveLength(1);
    workers[0]!.emits({ kind: 'ready' });
    expect(workers).toHaveLength(3);
    workers[1]!.emits({ kind: 'ready' });
    expect(workers).toHaveLength(3);
  });

  it('restarts a worker that has exited, with growing delays while workers fail early', () => {
    startAll();
    const waits: number[] = [];
    for (let round = 0; round < 8; round++) {
      const count = workers.length;
      workers.at(-1)!.exits(null, 'SIGKILL');
      let waited = 0;
      for (; workers.length === count; waited += 100) jest.advanceTimersByTime(100);
      waits.push(waited);
    }
    expect(waits).toEqual([200, 400, 800, 1600, 3200, 5000, 5000, 5000]);
    expect(lines[0]).toBe('Worker 3 exited by SIGKILL; restarting in 200 ms.');

    jest.advanceTimersByTime(10_000);
    workers.at(-1)!.exits(1);
    expect(lines.at(-1)).toBe('Worker 11 exited with 1; restarting in 100 ms.');
    jest.advanceTimersByTime(100);
    expect(workers).toHaveLength(12);
    expect(codes).toEqual([]);
  });

  it('makes each worker wait for its own failures only', () => {
    startAll();
    for (let round = 0; round < 5; round++) {
      workers.at(-1)!.exits(null, 'SIGKILL');
      jest.advanceTimersByTime(5000);
    }
    workers[0]!.exits(null, 'SIGKILL');
    workers[1]!.exits(1);
    expect(lines.slice(-3)).toEqual([
      'Worker 7 exited by SIGKILL; restarting in 3200 ms.',
      'Worker 1 exited by SIGKILL; restarting in 100 ms.',
      'Worker 2 exited with 1; restarting in 100 ms.',
    ]);
  });

  it('exits with 1 when the first worker cannot start', () => {
    workers[0]!.exits(1);
    jest.advanceTimersByTime(60_000);
    expect([workers.length, codes]).toEqual([1, [1]]);
  });

  it('restarts the first worker when it was killed before it was ready', () => {
    workers[0]!.exits(null, 'SIGSEGV');
    jest.advanceTimersByTime(200);
    expect([workers.length, codes]).toEqual([2, []]);
    workers[1]!.emits({ kind: 'ready' });
    expect(workers).toHaveLength(4);
  });

  it('shuts all workers down, and exits with 0 when all of them did', () => {
    startAll();
    supervisor.shutDown();
    for (const worker of workers) expect(worker.received).toEqual([{ kind: 'end' }]);
    workers[0]!.exits(0);
    workers[1]!.exits(0);
    expect(codes).toEqual([]);
    workers[2]!.exits(0);
    expect(codes).toEqual([0]);
    jest.advanceTimersByTime(60_000);
    expect([workers.length, codes]).toEqual([3, [0]]);
  });

  it('exits with 1 when a worker failed to shut down, or had to be killed', () => {
    startAll();
    supervisor.shutDown();
    workers[0]!.exits(1);
    workers[1]!.exits(0);
    jest.advanceTimersByTime(10_000);
    expect(workers.map(({ killed }) => killed)).toEqual([[], [], ['SIGKILL']]);
    expect(codes).toEqual([1]);
  });

  it('repeats the message on a second shutdown, and exits with 1', () => {
    startAll();
    supervisor.shutDown();
    supervisor.shutDown();
    for (const worker of workers) {
      expect(worker.received).toEqual([{ kind: 'end' }, { kind: 'end' }]);
      worker.exits(1);
    }
    expect(codes).toEqual([1]);
  });

  it('starts no worker once the shutdown has begun', () => {
    startAll();
    workers[2]!.exits(null, 'SIGKILL');
    supervisor.shutDown();
    jest.advanceTimersByTime(5000);
    expect(workers).toHaveLength(3);
    workers[0]!.exits(0);
    workers[1]!.exits(0);
    expect(codes).toEqual([0]);
  });

  it('relays requests to the other workers, and does not wait for one that has exited', () => {
    startAll();
    workers[0]!.emits({ kind: 'request', id: 7, topic: 'revisions', payload: 1, timeoutMs: 800 });
    expect(workers.map(({ received }) => received)).toEqual([
      [],
      [{ kind: 'request', id: 1, topic: 'revisions', payload: 1 }],
      [{ kind: 'request', id: 1, topic: 'revisions', payload: 1 }],
    ]);
    workers[1]!.emits({ kind: 'reply', id: 1, payload: 'noted' });
    expect(workers[0]!.received).toEqual([]);
    workers[2]!.exits(null, 'SIGKILL');
    expect(workers[0]!.received).toEqual([{ kind: 'replies', id: 7, payloads: ['noted'] }]);
  });
});
