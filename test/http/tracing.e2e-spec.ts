import { Writable } from 'node:stream';
import { LineSink } from '../../src/platform/logging/line-sink.js';
import { ServiceLog } from '../../src/platform/logging/service-log.js';
import { sendRequest } from '../support/http.js';
import { startTestApp } from '../support/test-app.js';
import { type SampleApp, startSampleApp, warmCache } from './sample-app.js';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const traceparent = `00-${TRACE}-00f067aa0ba902b7-01`;
const time = expect.any(String);

describe('The log lines of a request with traceparent', () => {
  let sample: SampleApp;
  beforeAll(async () => (sample = await startSampleApp()));
  afterAll(() => sample.app.close());

  /** Sends a GET with the headers; the lines of the log with its id. */
  async function linesOf(path: string, id: string, headers: Record<string, string>) {
    const response = await sendRequest(sample.url, path, { headers: { ...headers, 'X-Request-Id': id } });
    return { response, lines: sample.logLines().filter((line) => line.id === id) };
  }
  const line = { level: 'info', time, msg: 'request', ms: expect.any(Number), network: '127.0.0.0/24' };

  it('have its trace_id, from the page cache and from Express', async () => {
    const path = '/api/v1/List/?page=2&page_size=3';
    await warmCache(sample, path);
    const cached = await linesOf(path, 'traced-cached', { traceparent });
    sample.store.revision = '2';
    const fresh = await linesOf(path, 'traced-fresh', { traceparent });
    const read = { ...line, trace_id: TRACE, method: 'GET', route: '/api/v1/List', status: 200 };
    const bytes = cached.response.bytes.length;
    expect(cached.lines).toEqual([{ ...read, id: 'traced-cached', bytes, cached: true }]);
    expect(fresh.lines).toEqual([{ ...read, id: 'traced-fresh', bytes }]);
  });

  it('have its trace_id, of an internal error too', async () => {
    const { response, lines } = await linesOf('/api/v1/failure', 'traced-error', { traceparent });
    expect(lines).toEqual([
      {
        level: 'error',
        time,
        msg: 'request failed',
        id: 'traced-error',
        trace_id: TRACE,
        code: 'error',
        err: expect.objectContaining({ message: 'SELECT secret FROM account' }),
      },
      {
        ...line,
        id: 'traced-error',
        trace_id: TRACE,
        method: 'GET',
        route: '/api/v1/failure',
        status: 500,
        bytes: response.bytes.length,
      },
    ]);
  });

  it('have no trace_id where traceparent is absent or invalid', async () => {
    const invalid: Record<string, string>[] = [
      {},
      { traceparent: 'x' },
      { traceparent: traceparent.replace(TRACE, '0'.repeat(32)) },
    ];
    for (const [index, headers] of invalid.entries()) {
      const id = `untraced-${index}`;
      const { response, lines } = await linesOf('/api/v1/nothing', id, headers);
      const bytes = response.bytes.length;
      expect(lines).toEqual([{ ...line, id, method: 'GET', route: null, status: 404, bytes }]);
    }
  });
});

it("The service's own log lines during a request have its trace_id", async () => {
  let logged = '';
  const target = new Writable({
    write(chunk: Buffer, _, done) {
      logged += chunk.toString();
      done();
    },
  });
  const log = new ServiceLog('info', new LineSink(target));
  const service = await startTestApp({}, [], (app) => app.useLogger(log));
  try {
    const login = (headers: Record<string, string>) =>
      service.http().post('/api/auth/login/').set(headers).send({ username: 'nobody', password: 'x' });
    await login({ traceparent, 'X-Request-Id': 'traced' }).expect(401);
    await login({ 'X-Request-Id': 'untraced' }).expect(401);
    log.sink.flush();
    const lines = logged
      .split('\n')
      .filter((text) => text.includes('login_failed'))
      .map((text) => JSON.parse(text) as Record<string, unknown>);
    const event = {
      level: 'warn',
      time,
      context: 'Security',
      event: 'login_failed',
      address: '127.0.0.1',
      nameDigest: expect.any(String),
    };
    expect(lines).toEqual([
      { ...event, requestId: 'traced', trace_id: TRACE },
      { ...event, requestId: 'untraced' },
    ]);
  } finally {
    await service.close();
  }
});
