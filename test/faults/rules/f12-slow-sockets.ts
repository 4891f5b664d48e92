import assert from 'node:assert/strict';
import { connect, type Socket } from 'node:net';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { assertStatuses, assertDuration } from '../support/assertions.js';
import { startLoad } from '../support/http.js';
import { ms, type Rule } from '../support/rule.js';
import { Service } from '../support/service.js';

/** A connection with a slow client. */
class SlowSocket {
  readonly openedAt = performance.now();
  received = '';
  closedAfter: number | null = null;

  constructor(
    readonly socket: Socket,
    private readonly text: string,
  ) {
    socket.on('error', () => undefined);
    socket.on('data', (chunk) => (this.received += String(chunk)));
    socket.once('close', () => (this.closedAfter = performance.now() - this.openedAt));
  }

  /** Sends one more character of its text. */
  drip(at: number): void {
    if (this.text !== '' && this.socket.writable) this.socket.write(this.text[at % this.text.length]!);
  }
}

async function open(service: Service, begin: string, drips = ''): Promise<SlowSocket> {
  const socket = connect(service.port, '127.0.0.1');
  const slow = new SlowSocket(socket, drips);
  await Promise.race([once(socket, 'connect'), once(socket, 'close')]);
  if (begin !== '') socket.write(begin);
  return slow;
}

const HEAD = 'GET /api/v1/PriceType/ HTTP/1.1\r\nHost: localhost\r\nX-Slow: ';
const BODY =
  'POST /api/auth/login/ HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 5000\r\n\r\n{"username":"';

export const slowSockets: Rule = {
  id: 'F12',
  title: '300 slow and idle sockets, and too many of them',
  timeoutMs: 180_000,
  async run(mode) {
    const { short } = mode;
    const service = await Service.start();
    const heads = await Promise.all(Array.from({ length: 100 }, () => open(service, HEAD, 'abcdefgh')));
    const bodies = await Promise.all(Array.from({ length: 100 }, () => open(service, BODY, 'abcdefgh')));
    const idle = await Promise.all(Array.from({ length: 100 }, () => open(service, '')));
    let count = 0;
    const load = startLoad(service.port, () => `/api/v1/Commodity/?name=name${count++}`, {
      clients: 4,
      rate: 100,
    });
    const began = performance.now();
    const duration = short ? 14_000 : 36_000;
    for (let at = 0; performance.now() - began < duration; at++) {
      for (const slow of [...heads, ...bodies]) slow.drip(at);
      await sleep(500);
    }
    const result = await load.stop();
    assertStatuses(result, [200]);
    assertDuration(mode, result.max, 200, 'A read');

    const latest = (slow: SlowSocket[]) =>
      Math.max(...slow.map(({ closedAfter }) => closedAfter ?? Infinity));
    assert.ok(latest(heads) <= 12_500, `A slow head was closed after ${latest(heads)} ms.`);
    assert.ok(latest(idle) <= 12_500, `A silent socket was closed after ${latest(idle)} ms.`);
    for (const { received } of heads) assert.match(received, /^HTTP\/1\.1 408 /);
    if (!short) {
      assert.ok(latest(bodies) <= 33_000, `A slow body was closed after ${latest(bodies)} ms.`);
      for (const { received } of bodies)
        assert.match(received, /^HTTP\/1\.1 408 .*"code":"request_timeout"/s);
    }
    for (const { socket } of bodies) socket.destroy();

    // More sockets than the limit: the new ones are rejected, the existing ones are served.
    await sleep(200);
    const many = await Promise.all(Array.from({ length: 1000 }, () => open(service, '')));
    const more = await Promise.all(Array.from({ length: 20 }, () => open(service, '')));
    await sleep(500);
    const rejected = [...many, ...more].filter(({ closedAfter }) => closedAfter !== null).length;
    assert.ok(rejected >= 20 && rejected <= 40, `${rejected} of 1020 sockets were rejected.`);
    for (const { socket } of [...many, ...more]) socket.destroy();
    await service.waitForStatus('/api/v1/PriceType/', 200, 3000);
    await service.stop();
    return {
      reads: result.replies,
      'p99 ms': ms(result.p99),
      'slowest ms': ms(result.max),
      'heads closed after ms': ms(latest(heads)),
      ...(short ? {} : { 'bodies closed after ms': ms(latest(bodies)) }),
    };
  },
};
