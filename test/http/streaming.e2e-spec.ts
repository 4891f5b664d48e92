import { once } from 'node:events';
import { get, type IncomingMessage, type Server } from 'node:http';
import { connect } from 'node:net';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { sendRequest, exchangeRaw, expectRawProblem } from '../support/http.js';
import { type SampleApp, startSampleApp, warmCache } from './sample-app.js';

let sample: SampleApp;
beforeEach(async () => (sample = await startSampleApp()));
afterEach(() => sample.app.close());

/** Polls until a condition is met. @throws Error when it is not within 4 seconds */
async function until(condition: () => boolean): Promise<void> {
  for (let attempts = 800; !condition(); attempts--) {
    if (attempts === 0) throw new Error('The condition has not been met in time.');
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** Sends a GET request and returns the response without reading its body. */
async function open(path: string): Promise<IncomingMessage> {
  const request = get(`${sample.url}${path}`, { headers: { Connection: 'close' } });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  request.on('error', () => undefined);
  response.on('error', () => undefined);
  return response;
}

/** Bytes of `/api/v1/big`. */
const BIG = 64 * 8191 + 1;

describe('a long response', () => {
  it('is streamed, stored, and from then on sent whole from the page cache', async () => {
    const streamed = await warmCache(sample, '/api/v1/big');
    expect(streamed.bytes.length).toBe(BIG);
    expect(JSON.parse(streamed.text)).toHaveLength(64);
    expect(streamed.headers).toMatchObject({ 'transfer-encoding': 'chunked', etag: expect.any(String) });
    const cached = await sendRequest(sample.url, '/api/v1/big');
    expect(sample.store.calls).toBe(2);
    expect(cached.text).toBe(streamed.text);
    const own = { date: '', 'x-request-id': '', 'transfer-encoding': '', 'content-length': '' };
    expect({ ...cached.headers, ...own }).toEqual({ ...streamed.headers, ...own });
    expect(cached.headers['content-length']).toBe(String(cached.bytes.length));
  });

  it('is a 304 with a matching If-None-Match until the data change', async () => {
    const { etag } = (await sendRequest(sample.url, '/api/v1/big')).headers;
    const revalidate = () =>
      sendRequest(sample.url, '/api/v1/big', { headers: { 'If-None-Match': String(etag) } });
    expect([(await revalidate()).status, sample.cache.size]).toEqual([304, 0]);
    await sendRequest(sample.url, '/api/v1/big');
    const { calls } = sample.store;
    expect([(await revalidate()).status, sample.cache.size]).toEqual([304, 1]);
    expect(sample.store.calls).toBe(calls);
    sample.store.revision = '2';
    expect((await revalidate()).status).toBe(200);
  });

  it.each([
    ['br', brotliDecompressSync],
    ['gzip', gunzipSync],
  ])('is compressed with %s, on a miss and on a hit', async (encoding, decode) => {
    const plain = await warmCache(sample, '/api/v1/big');
    sample.store.revision = '2';
    for (let round = 0; round < 2; round++) {
      const compressed = await sendRequest(sample.url, '/api/v1/big', {
        headers: { 'Accept-Encoding': encoding },
      });
      expect(compressed.headers['content-encoding']).toBe(encoding);
      expect(compressed.headers.etag).toMatch(new RegExp(`-${encoding}"$`));
      expect(decode(compressed.bytes).toString()).toBe(plain.text);
    }
    expect(sample.store.calls).toBe(3);
  });

  it('is not stored when it is too large', async () => {
    const small = await startSampleApp({ limits: { cachedReplyBytes: 100_000 } });
    await warmCache(small, '/api/v1/big');
    await sendRequest(small.url, '/api/v1/big');
    expect([small.store.calls, small.cache.size]).toEqual([3, 0]);
    await small.app.close();
  });

  it('is complete, but not stored, when too much is being collected for the cache', async () => {
    const small = await startSampleApp({ limits: { collectingBytes: 100_000 } });
    expect(JSON.parse((await warmCache(small, '/api/v1/big')).text)).toHaveLength(64);
    expect([small.store.calls, small.cache.size]).toEqual([2, 0]);
    await small.app.close();
  });

  it('has a Content-Length when the stream turns out to be short', async () => {
    const response = await sendRequest(sample.url, '/api/v1/List?format=csv');
    expect(response.headers['content-length']).toBe(String(response.bytes.length));
    expect(response.text.split('\r\n').slice(0, 2)).toEqual(['id,name', '1,item 1']);
  });
});

describe('F3, F12, F13: streams that fail, stall or are aborted', () => {
  it('a source that fails before the first byte is sent is an ordinary error response', async () => {
    expectRawProblem(await sendRequest(sample.url, '/api/v1/fails/0'), 'error');
    expectRawProblem(await sendRequest(sample.url, '/api/v1/fails/1'), 'error');
    expect(sample.limits.requests.size).toBe(0);
  });

  it('a source that fails later aborts the connection, so that the body does not look complete', async () => {
    for (const encoding of ['identity', 'gzip']) {
      const head = `GET /api/v1/fails/40 HTTP/1.1\r\nHost: x\r\nAccept-Encoding: ${encoding}\r\n\r\n`;
      const text = await exchangeRaw(sample.port, [head]);
      expect(text).toContain('200 OK');
      expect(text.endsWith('0\r\n\r\n')).toBe(false);
    }
    await until(() => sample.logLines().filter(({ msg }) => msg === 'response aborted').length === 2);
    await expect(sendRequest(sample.url, '/api/v1/fails/40')).rejects.toThrow();
  });

  it('with HTTP/1.0, which has no chunks, a source that fails resets the connection', async () => {
    let release: () => void = () => undefined;
    sample.store.gate = new Promise((resolve) => (release = resolve));
    const socket = connect(sample.port, '127.0.0.1');
    socket.write('GET /api/v1/fails/40 HTTP/1.0\r\n\r\n');
    socket.resume();
    await until(() => socket.bytesRead > 40 * 8191);
    release();
    const [error] = (await once(socket, 'error')) as [NodeJS.ErrnoException];
    expect(error.code).toBe('ECONNRESET');
  });

  it('a client that disconnects stops the source', async () => {
    const response = await open('/api/v1/endless');
    await once(response, 'data');
    response.destroy();
    await until(() => sample.store.stopped === 1 && sample.limits.requests.size === 0);
    const [line] = sample.logLines().filter(({ route }) => route === '/api/v1/endless');
    expect(line).toMatchObject({ level: 'info', aborted: true });
    expect(sample.logLines().filter(({ level }) => level !== 'info')).toEqual([]);
  });

  it('a client that disconnects also stops the sources of its pipelined requests', async () => {
    const socket = connect(sample.port, '127.0.0.1');
    const request = 'GET /api/v1/endless HTTP/1.1\r\nHost: x\r\n\r\n';
    socket.write(request.repeat(20));
    await once(socket, 'readable');
    await until(() => sample.limits.requests.size === 0);
    expect(sample.store.stopped).toBe(0);
    socket.destroy();
    await until(() => sample.store.stopped === 20);
    await until(() => sample.logLines().filter(({ route }) => route === '/api/v1/endless').length === 20);
  });

  it('a client that stops reading does not count as a request in work, and is disconnected', async () => {
    const service = await startSampleApp({ limits: { stallMs: 400 } });
    const socket = connect(service.port, '127.0.0.1');
    socket.write('GET /api/v1/endless HTTP/1.1\r\nHost: x\r\n\r\n');
    socket.on('error', () => undefined);
    await once(socket, 'readable');
    await until(() => service.limits.requests.size === 0);
    await until(() => service.store.stopped === 1);
    socket.destroy();
    await service.app.close();
  });

  it('a client that stops reading cached responses is disconnected', async () => {
    const service = await startSampleApp({ limits: { stallMs: 300 } });
    service.store.items = Array.from({ length: 60_000 }, (_, index) => ({
      id: index,
      name: 'x'.repeat(200),
    }));
    const path = '/api/v1/List?page_size=10000';
    await warmCache(service, path, { headers: { Connection: 'close' } });
    const socket = connect(service.port, '127.0.0.1');
    const closed = once(socket, 'close');
    socket.on('error', () => undefined);
    for (let index = 0; index < 5; index++)
      socket.write(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${service.port}\r\n\r\n`);
    await until(() => service.logLines().some(({ cached }) => cached === true));
    const server = service.app.getHttpServer() as Server;
    let connections = 1;
    await until(() => {
      server.getConnections((_, count) => (connections = count));
      return connections === 0;
    });
    // Nothing was read until now; what the kernel has buffered ends before the last response does.
    socket.resume();
    await closed;
    expect(socket.bytesRead).toBeLessThan(5 * 2_000_000);
    await service.app.close();
  });

  it('a source that stalls aborts the connection', async () => {
    const service = await startSampleApp({ limits: { stallMs: 200 } });
    const text = await exchangeRaw(service.port, ['GET /api/v1/stalls HTTP/1.1\r\nHost: x\r\n\r\n']);
    expect(text).toContain('200 OK');
    expect(text.endsWith('0\r\n\r\n')).toBe(false);
    // On Node 22 the client sees the end first.
    await until(() => service.limits.requests.size === 0);
    await service.app.close();
  });

  it('a client that disconnects before the response is not logged as an error', async () => {
    let release: () => void = () => undefined;
    sample.store.gate = new Promise((resolve) => (release = resolve));
    const request = get(`${sample.url}/api/v1/slow`);
    request.on('error', () => undefined);
    await until(() => sample.limits.requests.size === 1);
    request.destroy();
    await until(() => sample.limits.requests.size === 0);
    release();
    await until(() => sample.logLines().some(({ aborted }) => aborted === true));
    expect(sample.logLines().filter(({ level }) => level !== 'info')).toEqual([]);
  });
});

describe('F11: graceful shutdown', () => {
  it('closes each connection after its response, cached or not', async () => {
    const path = '/api/v1/List?page_size=5';
    await warmCache(sample, path);
    const { calls } = sample.store;
    sample.drain();
    expect((await sendRequest(sample.url, path)).headers.connection).toBe('close');
    expect(sample.store.calls).toBe(calls);
    for (const other of ['/api/v1/Thing/5', '/nothing', '/api/v1/big']) {
      expect((await sendRequest(sample.url, other)).headers.connection).toBe('close');
    }
  });
});
