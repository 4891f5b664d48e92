import { Writable } from 'node:stream';
import type { FinishedRequest } from './request-observer.js';
import { FileStream } from './file-stream.js';
import { LineSink } from './line-sink.js';
import { describeError, type LogLevel, ServiceLog } from './service-log.js';

/** A target that takes lines only while it is told to. */
class Target extends Writable {
  text = '';
  private held: (() => void) | null = null;
  stuck = false;

  constructor() {
    super({ highWaterMark: 16, decodeStrings: false });
  }

  override _write(chunk: string, _: string, done: () => void): void {
    this.text += chunk;
    if (this.stuck) this.held = done;
    else done();
  }

  letGo(): void {
    this.stuck = false;
    this.held?.();
  }

  get lines(): Record<string, unknown>[] {
    return this.text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  }
}

function logTo(level: LogLevel = 'info') {
  const target = new Target();
  const log = new ServiceLog(level, new LineSink(target));
  return { target, log };
}

const request: FinishedRequest = {
  id: 'abc',
  traceId: null,
  method: 'GET',
  route: '/api/v1/PriceSerie',
  status: 200,
  milliseconds: 1.23456,
  bytes: 789,
  userId: null,
  network: '192.0.2.0/24',
  cached: false,
  aborted: false,
};

describe('ServiceLog', () => {
  it('writes a line of JSON for a request', () => {
    const { target, log } = logTo();
    log.finished(request);
    log.finished({ ...request, traceId: '4bf92f3577b34da6a3ce929d0e0e4736' });
    log.finished({ ...request, route: null, userId: 7, cached: true, aborted: true });
    log.sink.flush();
    const facts = {
      level: 'info',
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      msg: 'request',
      id: 'abc',
      method: 'GET',
      status: 200,
      ms: 1.23,
      bytes: 789,
      network: '192.0.2.0/24',
    };
    expect(target.lines).toEqual([
      { ...facts, route: '/api/v1/PriceSerie' },
      { ...facts, route: '/api/v1/PriceSerie', trace_id: '4bf92f3577b34da6a3ce929d0e0e4736' },
      { ...facts, route: null, user: 7, cached: true, aborted: true },
    ]);
  });

  it.each(['silent', 'error', 'warn'] as const)('level %s has no lines for requests', (level) => {
    const { target, log } = logTo(level);
    log.finished(request);
    log.log('an info', 'Context');
    log.sink.flush();
    expect(target.text).toBe('');
  });

  it("takes Nest's messages, with their context and stack", () => {
    const { target, log } = logTo('debug');
    log.log('started', 'Nest');
    log.error('failed', 'at somewhere', 'Nest');
    log.warn({ event: 'login', address: '192.0.2.1' }, 'Security');
    log.debug('detail', 'Nest');
    log.verbose('more', 'Nest');
    log.fatal(new Error('the end'), 'Nest');
    log.sink.flush();
    const time = expect.any(String);
    expect(target.lines).toEqual([
      { level: 'info', time, context: 'Nest', msg: 'started' },
      { level: 'error', time, context: 'Nest', stack: 'at somewhere', msg: 'failed' },
      { level: 'warn', time, context: 'Security', event: 'login', address: '192.0.2.1' },
      { level: 'debug', time, context: 'Nest', msg: 'detail' },
      { level: 'debug', time, context: 'Nest', msg: 'more' },
      {
        level: 'error',
        time,
        context: 'Nest',
        err: expect.objectContaining({ message: 'the end' }),
        msg: 'the end',
      },
    ]);
  });

  it.each(['error', 'warn', 'info'] as const)('O3: writes security events at the level %s', (level) => {
    const { target, log } = logTo(level);
    log.log({ event: 'login', accountId: 7 }, 'Security');
    log.warn({ event: 'login_failed' }, 'Security');
    log.sink.flush();
    expect(target.lines.map(({ level, event, context }) => [level, event, context])).toEqual([
      ['info', 'login', 'Security'],
      ['warn', 'login_failed', 'Security'],
    ]);
  });

  it('writes nothing when it is to be silent', () => {
    const { target, log } = logTo('silent');
    log.warn({ event: 'login_failed' }, 'Security');
    log.error('Broken');
    log.sink.flush();
    expect(target.text).toBe('');
  });

  it('O1: no text can begin a line of its own', () => {
    const { target, log } = logTo();
    log.log('one\n{"level":"error"}\r\nthree\u2028');
    log.sink.flush();
    expect(target.lines).toEqual([
      { level: 'info', time: expect.any(String), msg: 'one\n{"level":"error"}\r\nthree\u2028' },
    ]);
  });

  it('O2: masks what must stay secret, wherever it stands', () => {
    const { target, log } = logTo();
    log.warn({ password: 'hush1', body: { refresh: 'hush2', deep: { authorization: 'hush3' } } }, 'Security');
    log.sink.flush();
    expect(target.text).not.toContain('hush');
    expect(target.text.match(/\[masked\]/g)).toHaveLength(3);
  });

  it('keeps of an error its name, message, code, stack and cause alone', () => {
    const cause = Object.assign(new Error('driver'), {
      code: 'ER_DUP_ENTRY',
      sql: 'INSERT …',
      parameters: ['hush'],
    });
    const error = Object.assign(new TypeError('failed', { cause }), { query: 'hush' });
    expect(describeError(error)).toEqual({
      type: 'TypeError',
      message: 'failed',
      stack: expect.stringContaining('TypeError: failed'),
      cause: { type: 'Error', message: 'driver', code: 'ER_DUP_ENTRY', stack: expect.any(String) },
    });
    expect(describeError('thrown text')).toBe('thrown text');
    const circle = new Error('round');
    circle.cause = circle;
    expect(JSON.stringify(describeError(circle)).match(/"message"/g)).toHaveLength(4);
  });
});

describe('F17: LineSink', () => {
  it('gathers lines and hands them over together', async () => {
    const target = new Target();
    const sink = new LineSink(target);
    sink.write('a\n');
    sink.write('b\n');
    expect(target.text).toBe('');
    while (target.text === '') await new Promise((resolve) => setTimeout(resolve, 5));
    expect(target.text).toBe('a\nb\n');
  });

  it('drops and counts lines while its target is stuck, and says so afterwards', () => {
    const target = new Target();
    const sink = new LineSink(target);
    target.stuck = true;
    const line = `{"text":"${'x'.repeat(990)}"}\n`;
    sink.write(line);
    sink.flush();
    for (let index = 0; index < 2000; index++) sink.write(line);
    sink.flush();
    expect(target.lines).toHaveLength(1);
    expect(sink.dropped).toBe(2000 - Math.floor((1024 * 1024) / line.length));
    target.letGo();
    expect(target.lines.at(-1)).toEqual({
      level: 'warn',
      time: expect.any(String),
      msg: 'log lines dropped',
      count: sink.dropped,
    });
    expect(target.lines).toHaveLength(2 + 2000 - sink.dropped);
    sink.write(line);
    sink.flush();
    expect(target.lines.at(-1)).toEqual({ text: 'x'.repeat(990) });
  });

  it('goes on after the disk of its file was full, where it had stopped, and counts what it dropped', async () => {
    // Of the file; short writes, as a disk makes them when it fills.
    let room = 1500;
    let text = '';
    const write = (_file: number, bytes: Buffer, offset: number) => {
      const count = Math.min(bytes.length - offset, room);
      if (count === 0) throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
      text += bytes.toString('latin1', offset, offset + count);
      room -= count;
      return count;
    };
    const sink = new LineSink(new FileStream(1, write, 5));
    const line = `{"text":"${'x'.repeat(990)}"}\n`;
    for (let index = 0; index < 2; index++) {
      for (let lines = 0; lines < 20; lines++) sink.write(line);
      sink.flush();
    }
    for (let index = 0; index < 2000; index++) sink.write(line);
    expect([text.length, sink.dropped > 0]).toEqual([1500, true]);
    room = Infinity;
    while (!text.includes('dropped')) await new Promise((resolve) => setTimeout(resolve, 5));
    const lines = text.trimEnd().split('\n');
    expect(lines).toHaveLength(2040 - sink.dropped + 1);
    expect(JSON.parse(lines.pop()!)).toMatchObject({ msg: 'log lines dropped', count: sink.dropped });
    expect(new Set(lines)).toEqual(new Set([line.trimEnd()]));
  });

  it('outlives a target that is gone', () => {
    const target = new Target();
    const sink = new LineSink(target);
    target.emit('error', new Error('EPIPE'));
    for (let index = 0; index < 3; index++) sink.write('a\n');
    sink.flush();
    expect(target.text).toBe('');
  });
});
