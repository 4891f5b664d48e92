import { jest } from '@jest/globals';
import { EventEmitter } from 'node:events';
import { Supervisor, type ToSupervisor, type WorkerProcess } from './supervisor.js';

/** A worker that does as the test says. */
class FakeWorker extends EventEmitter implements WorkerProcess {
  readonly heard: unknown[] = [];
  readonly killed: string[] = [];
  constructor(readonly id: number) {
    super();
  }
  send(message: unknown): void {
    this.heard.push(message);
  }
  kill(signal: NodeJS.Signals): void {
    this.killed.push(signal);
    this.exits(null, signal);
  }
  says(message: ToSupervisor): void {
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
      endWithin: 10_000,
      log: { log: write, warn: write, error: write },
      exit: (code) => void codes.push(code),
    });
    supervisor.start();
  });
  afterEach(() => jest.useRealTimers());

  const startAll = () => {
    workers[0]!.says({ kind: 'ready' });
    for (const worker of workers) worker.says({ kind: 'here' });
  };

  it('starts the first alone, and the others when it is ready', () => {
    expect(workers).toHaveLength(1);
    workers[0]!.says({ kind: 'here' });
    expect(workers).toHaveLength(1);
    workers[0]!.says({ kind: 'ready' });
    expect(workers).toHaveLength(3);
    workers[1]!.says({ kind: 'ready' });
    expect(workers).toHaveLength(3);
  });

  it('starts another for one that has ended, later and later while none lives long', () => {
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
    expect(lines[0]).toBe('Worker 3 has ended by SIGKILL; another is started in 200 ms.');

    jest.advanceTimersByTime(10_000);
    workers.at(-1)!.exits(1);
    expect(lines.at(-1)).toBe('Worker 11 has ended with 1; another is started in 100 ms.');
    jest.advanceTimersByTime(100);
    expect(workers).toHaveLength(12);
    expect(codes).toEqual([]);
  });

  it('ends with 1 when the first worker refuses to start', () => {
    workers[0]!.exits(1);
    jest.advanceTimersByTime(60_000);
    expect([workers.length, codes]).toEqual([1, [1]]);
  });

  it('starts the first again when it was killed on the way', () => {
    workers[0]!.exits(null, 'SIGSEGV');
    jest.advanceTimersByTime(200);
    expect([workers.length, codes]).toEqual([2, []]);
    workers[1]!.says({ kind: 'ready' });
    expect(workers).toHaveLength(4);
  });

  it('ends all in order, and itself with 0 when all could', () => {
    startAll();
    supervisor.end();
    for (const worker of workers) expect(worker.heard).toEqual([{ kind: 'end' }]);
    workers[0]!.exits(0);
    workers[1]!.exits(0);
    expect(codes).toEqual([]);
    workers[2]!.exits(0);
    expect(codes).toEqual([0]);
    jest.advanceTimersByTime(60_000);
    expect([workers.length, codes]).toEqual([3, [0]]);
  });

  it('ends with 1 when one could not end in order, or had to be killed', () => {
    startAll();
    supervisor.end();
    workers[0]!.exits(1);
    workers[1]!.exits(0);
    jest.advanceTimersByTime(10_000);
    expect(workers.map(({ killed }) => killed)).toEqual([[], [], ['SIGKILL']]);
    expect(codes).toEqual([1]);
  });

  it('tells them again when it is told again, and ends with 1', () => {
    startAll();
    supervisor.end();
    supervisor.end();
    for (const worker of workers) {
      expect(worker.heard).toEqual([{ kind: 'end' }, { kind: 'end' }]);
      worker.exits(1);
    }
    expect(codes).toEqual([1]);
  });

  it('starts nothing more once the end has begun', () => {
    startAll();
    workers[2]!.exits(null, 'SIGKILL');
    supervisor.end();
    jest.advanceTimersByTime(5000);
    expect(workers).toHaveLength(3);
    workers[0]!.exits(0);
    workers[1]!.exits(0);
    expect(codes).toEqual([0]);
  });

  it('passes questions on to the others, and does not wait for one that has ended', () => {
    startAll();
    workers[0]!.says({ kind: 'ask', id: 7, topic: 'news', question: 1, patience: 800 });
    expect(workers.map(({ heard }) => heard)).toEqual([
      [],
      [{ kind: 'ask', id: 1, topic: 'news', question: 1 }],
      [{ kind: 'ask', id: 1, topic: 'news', question: 1 }],
    ]);
    workers[1]!.says({ kind: 'answer', id: 1, answer: 'noted' });
    expect(workers[0]!.heard).toEqual([]);
    workers[2]!.exits(null, 'SIGKILL');
    expect(workers[0]!.heard).toEqual([{ kind: 'answers', id: 7, answers: ['noted'] }]);
  });
});
