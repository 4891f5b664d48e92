import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { httpLimits } from '../../src/platform/http/options.js';
import { sendRequest, expectRawProblem } from '../support/http.js';
import { type SampleApp, type SampleAppOptions, startSampleApp, warmCache } from './sample-app.js';

let sample: SampleApp;
let sockets: Socket[];
const start = async (limits: Partial<typeof httpLimits>, options: SampleAppOptions = {}) => {
  sample = await startSampleApp({ ...options, limits: { heavyAtOnce: 1, ...limits } });
};
beforeEach(() => (sockets = []));
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  await sample.app.close();
});

/** Requests a path and reads only the beginning of the response. */
async function openUnread(path: string, header = ''): Promise<Socket> {
  const socket = connect(sample.port, '127.0.0.1');
  sockets.push(socket);
  socket.on('error', () => undefined);
  socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n${header}\r\n`);
  await once(socket, 'readable');
  return socket;
}
/** Begins, then does nothing more in its turn. */
const HELD = '/api/v1/stalls';
const get = (path: string, headers: Record<string, string> = {}) =>
  sendRequest(sample.url, path, { headers });

/** Repeats a request until it has the status, for at most 15 seconds. */
async function getUntil(status: number, headers: Record<string, string> = {}) {
  for (let attempts = 150; attempts > 0; attempts--) {
    const response = await get('/api/v1/Thing/5', headers);
    if (response.status === status) return response;
    await sleep(100);
  }
  throw new Error(`The status has not become ${status} in time.`);
}

describe('F14: heavy replies', () => {
  it('wait for their turn, and are 503 when it does not come; other replies do not wait', async () => {
    await start({ heavyWaitMs: 300 });
    await openUnread(HELD);
    const waiting = get('/api/v1/big');
    expect((await get('/api/v1/List?page_size=200')).status).toBe(200);
    expect((await get('/api/v1/Thing/5')).status).toBe(200);
    const response = await waiting;
    expectRawProblem(response, 'unavailable');
    expect(response.headers['retry-after']).toBe('5');
    expect(JSON.parse(response.text)).toMatchObject({
      detail: 'The service is busy with large replies. Try again.',
    });
  });

  it('are made when the one before them ends', async () => {
    await start({});
    const held = await openUnread(HELD);
    const waiting = Promise.all([get('/api/v1/big'), get('/api/v1/big')]);
    await sleep(50);
    held.destroy();
    expect((await waiting).map(({ status }) => status)).toEqual([200, 200]);
    expect(JSON.parse((await get('/api/v1/big')).text)).toHaveLength(64);
  });

  it('are 503 at once when too many are under way, and leave room when a client disconnects', async () => {
    await start({ heavyReplies: 2 });
    await openUnread(HELD);
    const leaving = connect(sample.port, '127.0.0.1');
    leaving.write('GET /api/v1/big HTTP/1.1\r\nHost: x\r\n\r\n');
    await sleep(100);
    expectRawProblem(await get('/api/v1/big'), 'unavailable');
    leaving.destroy();
    await once(leaving, 'close');
    await sleep(100);
    sockets[0]!.destroy();
    expect((await get('/api/v1/big')).status).toBe(200);
    expect(sample.logLines().filter(({ level }) => level === 'error')).toEqual([]);
  });

  it('are cut when another needs their place and their reader stands still', async () => {
    await start({ heavyReplies: 2, heavyStallMs: 1000 });
    const first = await openUnread('/api/v1/endless');
    const second = await openUnread('/api/v1/endless');
    const response = await get('/api/v1/big');
    expectRawProblem(response, 'unavailable');
    expect(response.headers['retry-after']).toBe('5');
    // The first is read on, so only the second stands still.
    first.resume();
    let status = 503;
    for (let attempts = 100; status === 503 && attempts > 0; attempts--) {
      await sleep(100);
      ({ status } = await get('/api/v1/big'));
    }
    expect(status).toBe(200);
    const closed = once(second, 'close');
    second.resume();
    await closed;
    expect([first.destroyed, second.destroyed]).toEqual([false, true]);
    expect(sample.logLines().filter(({ level }) => level === 'error')).toEqual([]);
  });

  it('have no turn while their reader accepts nothing', async () => {
    await start({});
    await openUnread('/api/v1/endless');
    await openUnread('/api/v1/endless');
    expect((await get('/api/v1/big')).status).toBe(200);
  });

  it('take turns, however fast they are read', async () => {
    await start({});
    const first = await openUnread('/api/v1/endless');
    const second = await openUnread('/api/v1/endless');
    for (const socket of [first, second]) socket.resume();
    for (const socket of [first, second, first, second]) {
      const before = socket.bytesRead;
      while (socket.bytesRead < before + 10_000_000) await once(socket, 'data');
    }
  });

  it('a page of few records is never heavy, and a long one is', async () => {
    await start({ heavyWaitMs: 100, heavyItems: 225 });
    await openUnread(HELD);
    sample.store.items = sample.store.items.map(({ id }) => ({ id, name: 'x'.repeat(200) }));
    expect((await get('/api/v1/List?page_size=224')).status).toBe(200);
    expectRawProblem(await get('/api/v1/List?page_size=225'), 'unavailable');
  });
});

it('F14: a heavy reply that is begun, but has no first byte in time, is 503', async () => {
  await start({ firstByteMs: 200 });
  await openUnread(HELD);
  const response = await get('/api/v1/big');
  expectRawProblem(response, 'unavailable');
  expect(JSON.parse(response.text)).toMatchObject({
    detail: 'The service is busy with large replies. Try again.',
  });
});

describe('F12: readers that accept nothing', () => {
  const endless = '/api/v1/endless';
  const from = (address: string) => ({ 'X-Forwarded-For': address });

  it('may leave a few replies of an address unread; it then gets nothing that is not cached', async () => {
    await start({ slowReplies: 2 }, { variables: { TRUST_PROXY: 'loopback' } });
    await warmCache(sample, '/api/v1/List');
    const headers = from('192.0.2.1');
    for (let count = 0; count < 2; count++) await openUnread(endless, 'X-Forwarded-For: 192.0.2.1\r\n');
    expect((await get('/api/v1/Thing/5', headers)).status).toBe(200);
    const response = await getUntil(503, headers);
    expectRawProblem(response, 'unavailable');
    expect(response.headers['retry-after']).toBe('5');
    expect(JSON.parse(response.text)).toMatchObject({
      detail: 'Too many replies to this address wait to be read. Read them, or close them.',
    });
    expect((await get('/api/v1/List', headers)).status).toBe(200);
    expect((await get('/health/live', headers)).status).toBe(200);
    expect((await get('/api/v1/Thing/5', from('192.0.2.2'))).status).toBe(200);
    sockets[0]!.destroy();
    await getUntil(200, headers);
  });

  it('are not limited at the address of a trusted proxy', async () => {
    await start({ slowReplies: 2 }, { variables: { TRUST_PROXY: 'loopback' } });
    for (let count = 0; count < 3; count++) await openUnread(endless);
    // By then the first three have been waiting for longer.
    for (let count = 0; count < 2; count++) await openUnread(endless, 'X-Forwarded-For: 192.0.2.1\r\n');
    await getUntil(503, from('192.0.2.1'));
    expect((await get('/api/v1/Thing/5')).status).toBe(200);
  });

  it('that go on reading count no more', async () => {
    await start({ slowReplies: 1 });
    const socket = await openUnread(endless);
    expectRawProblem(await getUntil(503), 'unavailable');
    socket.resume();
    await getUntil(200);
  });
});

describe('F14: places of requests in work', () => {
  const from = (client: string) => ({ 'X-Forwarded-For': client });

  it('are nearly all of one client alone, and some are left for the next', async () => {
    await start({ requestsInWork: 10 }, { variables: { TRUST_PROXY: 'loopback' } });
    let open = () => {};
    sample.store.gate = new Promise((resolve) => (open = resolve));
    let rejected = 0;
    const slow = Array.from({ length: 20 }, async () => {
      const reply = await get('/api/v1/slow', from('192.0.2.1'));
      if (reply.status === 503) rejected++;
      return reply;
    });
    // All have arrived: those that come after the gate is open would be served.
    while (sample.limits.requests.size + rejected < 20) await sleep(5);
    expect((await get('/api/v1/Thing/5', from('192.0.2.1'))).status).toBe(503);
    expect((await get('/api/v1/Thing/5', from('2001:db8::1'))).status).toBe(200);
    open();
    const statuses = (await Promise.all(slow)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(9);
    expect(sample.limits.requests.size).toBe(0);
  });
});
