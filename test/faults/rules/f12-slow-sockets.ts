import assert from 'node:assert/strict';
import { connect, type Socket } from 'node:net';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { assertStatuses, assertDuration } from '../support/assertions.js';
import { startLoad } from '../support/http.js';
import { ms, type Rule } from '../support/rule.js';
import { writePricesFile } from '../support/prices-file.js';
import { Service, runBuiltCommand } from '../support/service.js';

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

/** Connections of each kind, and the addresses that they come from. */
const COUNT = 300;
const ADDRESSES = 15;

async function open(
  service: Service,
  index: number,
  begin = '',
  { drips = '', reads = true } = {},
): Promise<SlowSocket> {
  const localAddress = `127.0.0.${2 + (index % ADDRESSES)}`;
  const socket = connect({ port: service.port, host: '127.0.0.1', localAddress });
  const slow = new SlowSocket(socket, drips);
  if (!reads) socket.pause();
  await Promise.race([once(socket, 'connect'), once(socket, 'close')]);
  if (begin !== '') socket.write(begin);
  return slow;
}

const openAll = (service: Service, count: number, begin = '', options = {}) =>
  Promise.all(Array.from({ length: count }, (_, index) => open(service, index, begin, options)));

const HEAD = 'GET /api/v1/PriceType/ HTTP/1.1\r\nHost: localhost\r\nX-Slow: ';
const BODY =
  'POST /api/auth/login/ HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 5000\r\n\r\n{"username":"';
/** A page of several megabytes from the page cache: more than the buffers of a socket hold. */
const PAGE = '/api/v1/PriceSerie/?page_size=10000';
const READ = `GET ${PAGE} HTTP/1.1\r\nHost: localhost\r\n\r\n`.repeat(2);
/** Bodies that a process receives at a time. */
const INCOMING_BODIES = 200;

export const slowSockets: Rule = {
  id: 'F12',
  title: `${COUNT} slow heads, bodies and readers and ${COUNT} idle sockets at a time, from ${ADDRESSES} addresses`,
  timeoutMs: 240_000,
  async run(mode) {
    const { short } = mode;
    const service = await Service.start({ settings: { LOG_LEVEL: 'warn' } });
    const imported = await runBuiltCommand(
      'import',
      ['prices', writePricesFile(5000, 1)],
      service.databaseUrl,
    );
    assert.equal(imported.code, 0, imported.output);
    for (let round = 0; round < 3; round++) await service.request(PAGE, { headers: { Host: 'localhost' } });

    let count = 0;
    const load = startLoad(service.port, () => `/api/v1/Commodity/?name=name${count++}`, {
      clients: 4,
      rate: 50,
      // A new connection for each.
      request: { agent: undefined },
    });
    // One after the other: many megabytes for all at once would be a load, not slow readers.
    const readers: SlowSocket[] = [];
    for (let index = 0; index < COUNT; index++) {
      readers.push(await open(service, index, READ, { reads: false }));
      await sleep(20);
    }
    const idle = await openAll(service, COUNT);
    const heads = await openAll(service, COUNT, HEAD, { drips: 'abcdefgh' });
    const bodies = await openAll(service, COUNT, BODY, { drips: 'abcdefgh' });
    const began = performance.now();
    const duration = short ? 14_000 : 36_000;
    for (let at = 0; performance.now() - began < duration; at++) {
      for (const slow of [...heads, ...bodies]) slow.drip(at);
      await sleep(500);
    }
    const result = await load.stop();
    // Readers that stand still do not notice that they are cut.
    const stillOpen = await service.metric('pds_connections');
    assertStatuses(result, [200]);
    const latest = (sockets: SlowSocket[]) =>
      Math.max(...sockets.map(({ closedAfter }) => closedAfter ?? Infinity));
    for (const { received } of heads) assert.match(received, /^HTTP\/1\.1 408 /);
    const rejected = bodies.filter(({ received }) => received.startsWith('HTTP/1.1 503 '));
    assert.equal(rejected.length, COUNT - INCOMING_BODIES);
    for (const { received } of rejected) assert.match(received, /retry-after: 1\r\n/i);
    if (!short) {
      for (const { received } of bodies.filter((body) => !rejected.includes(body)))
        assert.match(received, /^HTTP\/1\.1 408 .*"code":"request_timeout"/s);
    }
    for (const { socket } of [...bodies, ...readers]) socket.destroy();

    // More sockets than the limits: idle ones are closed for new ones.
    await sleep(200);
    const many = await openAll(service, 1020);
    await sleep(500);
    const closed = many.filter(({ closedAfter }) => closedAfter !== null).length;
    assert.ok(closed >= 20 && closed <= 40, `${closed} of 1020 sockets were closed.`);
    assert.equal((await service.request('/api/v1/PriceType/')).status, 200);
    for (const { socket } of many) socket.destroy();
    await sleep(200);
    const ofOne = await Promise.all(Array.from({ length: 120 }, () => open(service, 0)));
    await sleep(500);
    const closedOfOne = ofOne.filter(({ closedAfter }) => closedAfter !== null).length;
    assert.equal(closedOfOne, 20);
    assertDuration(mode, latest(heads), 12_500, 'Closing the slow heads');
    assertDuration(mode, latest(idle), 12_500, 'Closing the silent sockets');
    if (!short) {
      assertDuration(mode, latest(bodies), 33_000, 'Closing the slow bodies');
      assert.ok(stillOpen <= 10, `${stillOpen} connections were still open after 36 s.`);
    }
    assertDuration(mode, result.max, 200, `A read (p99 ${ms(result.p99)} ms)`);
    const memory = service.residentMemory();
    await service.stop();
    return {
      reads: result.replies,
      'p99 ms': ms(result.p99),
      'slowest ms': ms(result.max),
      'heads closed after ms': ms(latest(heads)),
      ...(short ? {} : { 'bodies closed after ms': ms(latest(bodies)), 'open after 36 s': stillOpen }),
      'bodies rejected': rejected.length,
      'memory MB': ms(memory),
    };
  },
};
