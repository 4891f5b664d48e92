import { once } from 'node:events';
import { get, type IncomingMessage, type Server } from 'node:http';
import { connect } from 'node:net';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { sendRequest, exchangeRaw, expectRawProblem } from '../support/http.js';
import { type SampleApp, startSample } from './sample-app.js';

let sample: SampleApp;
beforeEach(async () => (sample = await startSample()));
afterEach(() => sample.app.close());

/** Waits until something has come to pass. */
async function until(true_: () => boolean): Promise<void> {
  for (let left = 800; !true_(); left--) {
    if (left === 0) throw new Error('It has not come to pass.');
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** Opens a read and leaves the rest to the test. */
async function open(path: string): Promise<IncomingMessage> {
  const request = get(`${sample.url}${path}`, { headers: { Connection: 'close' } });
  const [answer] = (await once(request, 'response')) as [IncomingMessage];
  request.on('error', () => undefined);
  answer.on('error', () => undefined);
  return answer;
}

const BIG = 64 * 8191 + 1;

describe('a long answer', () => {
  it('is streamed, kept, and served whole from then on', async () => {
    const streamed = await sendRequest(sample.url, '/api/v1/big');
    expect(streamed.bytes.length).toBe(BIG);
    expect(JSON.parse(streamed.text)).toHaveLength(64);
    expect(streamed.headers).toMatchObject({ 'transfer-encoding': 'chunked', etag: expect.any(String) });
    const kept = await sendRequest(sample.url, '/api/v1/big');
    expect(sample.store.calls).toBe(1);
    expect(kept.text).toBe(streamed.text);
    const own = { date: '', 'x-request-id': '', 'transfer-encoding': '', 'content-length': '' };
    expect({ ...kept.headers, ...own }).toEqual({ ...streamed.headers, ...own });
    expect(kept.headers['content-length']).toBe(String(kept.bytes.length));
  });

  it('is 304 with the tag of before, and changes its tag with the data', async () => {
    const { etag } = (await sendRequest(sample.url, '/api/v1/big')).headers;
    const again = () => sendRequest(sample.url, '/api/v1/big', { headers: { 'If-None-Match': String(etag) } });
    expect((await again()).status).toBe(304);
    sample.store.revision = '2';
    expect((await again()).status).toBe(200);
  });

  it.each([
    ['br', brotliDecompressSync],
    ['gzip', gunzipSync],
  ])('comes compressed with %s', async (encoding, unpack) => {
    const plain = await sendRequest(sample.url, '/api/v1/big');
    sample.store.revision = '2';
    for (let round = 0; round < 2; round++) {
      const packed = await sendRequest(sample.url, '/api/v1/big', { headers: { 'Accept-Encoding': encoding } });
      expect(packed.headers['content-encoding']).toBe(encoding);
      expect(packed.headers.etag).toMatch(new RegExp(`-${encoding}"$`));
      expect(unpack(packed.bytes).toString()).toBe(plain.text);
    }
    expect(sample.store.calls).toBe(2);
  });

  it('is not kept when it is too large', async () => {
    const small = await startSample({ limits: { cachedAnswerBytes: 100_000 } });
    await sendRequest(small.url, '/api/v1/big');
    await sendRequest(small.url, '/api/v1/big');
    expect([small.store.calls, small.door.cache.pages]).toEqual([2, 0]);
    await small.app.close();
  });

  it('is not kept when too many are gathered at the same time, nor cut', async () => {
    const small = await startSample({ limits: { collectingBytes: 100_000 } });
    expect(JSON.parse((await sendRequest(small.url, '/api/v1/big')).text)).toHaveLength(64);
    expect(small.door.cache.pages).toBe(0);
    await small.app.close();
  });

  it('that turns out short is an ordinary one', async () => {
    const answer = await sendRequest(sample.url, '/api/v1/List?format=csv');
    expect(answer.headers['content-length']).toBe(String(answer.bytes.length));
    expect(answer.text.split('\r\n').slice(0, 2)).toEqual(['id,name', '1,item 1']);
  });
});

describe('F3, F12, F13: streams that do not end well', () => {
  it('a source that fails at once is an ordinary refusal', async () => {
    expectRawProblem(await sendRequest(sample.url, '/api/v1/breaks/0'), 'error');
    expectRawProblem(await sendRequest(sample.url, '/api/v1/breaks/1'), 'error');
    expect(sample.door.inWork).toBe(0);
  });

  it('a source that fails later cuts the connection, so that the answer has no end', async () => {
    for (const encoding of ['identity', 'gzip']) {
      const head = `GET /api/v1/breaks/40 HTTP/1.1\r\nHost: x\r\nAccept-Encoding: ${encoding}\r\n\r\n`;
      const text = await exchangeRaw(sample.port, [head]);
      expect(text).toContain('200 OK');
      expect(text.endsWith('0\r\n\r\n')).toBe(false);
    }
    await until(() => sample.lines().filter(({ msg }) => msg === 'answer cut').length === 2);
    await expect(sendRequest(sample.url, '/api/v1/breaks/40')).rejects.toThrow();
  });

  it('HTTP/1.0, which has no chunks, is told by a reset', async () => {
    let go: () => void = () => undefined;
    sample.store.gate = new Promise((resolve) => (go = resolve));
    const socket = connect(sample.port, '127.0.0.1');
    socket.write('GET /api/v1/breaks/40 HTTP/1.0\r\n\r\n');
    socket.resume();
    await until(() => socket.bytesRead > 40 * 8191);
    go();
    const [error] = (await once(socket, 'error')) as [NodeJS.ErrnoException];
    expect(error.code).toBe('ECONNRESET');
  });

  it('a client that goes away stops the source', async () => {
    const answer = await open('/api/v1/endless');
    await once(answer, 'data');
    answer.destroy();
    await until(() => sample.store.stopped === 1 && sample.door.inWork === 0);
    const [line] = sample.lines().filter(({ route }) => route === '/api/v1/endless');
    expect(line).toMatchObject({ level: 'info', aborted: true });
    expect(sample.lines().filter(({ level }) => level !== 'info')).toEqual([]);
  });

  it('a client that goes away stops the sources of the answers that wait behind the first, too', async () => {
    const socket = connect(sample.port, '127.0.0.1');
    const request = 'GET /api/v1/endless HTTP/1.1\r\nHost: x\r\n\r\n';
    socket.write(request.repeat(20));
    await once(socket, 'readable');
    await until(() => sample.door.inWork === 0);
    expect(sample.store.stopped).toBe(0);
    socket.destroy();
    await until(() => sample.store.stopped === 20);
    await until(() => sample.lines().filter(({ route }) => route === '/api/v1/endless').length === 20);
  });

  it('a reader that stands still does not count as work, and is cut', async () => {
    const hasty = await startSample({ limits: { stallMs: 400 } });
    const socket = connect(hasty.port, '127.0.0.1');
    socket.write('GET /api/v1/endless HTTP/1.1\r\nHost: x\r\n\r\n');
    socket.on('error', () => undefined);
    await once(socket, 'readable');
    await until(() => hasty.door.inWork === 0);
    await until(() => hasty.store.stopped === 1);
    socket.destroy();
    await hasty.app.close();
  });

  it('a reader of a kept answer that stands still is cut', async () => {
    const huge = await startSample({ limits: { stallMs: 300 } });
    huge.store.items = Array.from({ length: 60_000 }, (_, index) => ({ id: index, name: 'x'.repeat(200) }));
    const path = '/api/v1/List?page_size=10000';
    await sendRequest(huge.url, path, { headers: { Connection: 'close' } });
    const socket = connect(huge.port, '127.0.0.1');
    const closed = once(socket, 'close');
    socket.on('error', () => undefined);
    for (let index = 0; index < 5; index++)
      socket.write(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${huge.port}\r\n\r\n`);
    await until(() => huge.lines().some(({ cached }) => cached === true));
    const server = huge.app.getHttpServer() as Server;
    let open = 1;
    await until(() => {
      server.getConnections((_, count) => (open = count));
      return open === 0;
    });
    // Nothing was read until now; what was on its way is read to see that it ends too early.
    socket.resume();
    await closed;
    expect(socket.bytesRead).toBeLessThan(5 * 2_000_000);
    await huge.app.close();
  });

  it('a source that stands still is cut', async () => {
    const hasty = await startSample({ limits: { stallMs: 200 } });
    const text = await exchangeRaw(hasty.port, ['GET /api/v1/stalls HTTP/1.1\r\nHost: x\r\n\r\n']);
    expect(text).toContain('200 OK');
    expect(text.endsWith('0\r\n\r\n')).toBe(false);
    expect(hasty.door.inWork).toBe(0);
    await hasty.app.close();
  });

  it('a client that goes away before its answer is no fault', async () => {
    let go: () => void = () => undefined;
    sample.store.gate = new Promise((resolve) => (go = resolve));
    const request = get(`${sample.url}/api/v1/slow`);
    request.on('error', () => undefined);
    await until(() => sample.door.inWork === 1);
    request.destroy();
    await until(() => sample.door.inWork === 0);
    go();
    await until(() => sample.lines().some(({ aborted }) => aborted === true));
    expect(sample.lines().filter(({ level }) => level !== 'info')).toEqual([]);
  });
});

describe('F11: at the end', () => {
  it('answers close their connections', async () => {
    const path = '/api/v1/List?page_size=5';
    await sendRequest(sample.url, path);
    sample.door.drain();
    for (const asked of [path, '/api/v1/Thing/5', '/nothing', '/api/v1/big']) {
      expect((await sendRequest(sample.url, asked)).headers.connection).toBe('close');
    }
  });
});
