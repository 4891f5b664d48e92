import type { INestApplication } from '@nestjs/common';
import { METHODS } from 'node:http';
import supertest from 'supertest';
import { createManagementApp } from '../../src/management-app.js';
import { RequestMetrics } from '../../src/operations/metrics/request-metrics.js';
import { Draining } from '../../src/platform/shutdown/draining.js';
import { WorkerPeers } from '../../src/platform/workers/worker-peers.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

let service: TestApp;
let app: INestApplication;
beforeEach(async () => {
  service = await startTestApp();
  app = await createManagementApp(service.app);
  await app.listen(0, '127.0.0.1');
});
afterEach(async () => {
  await app.close();
  await service.close();
});

const management = () => supertest(app.getHttpServer());
const scrape = async () => (await management().get('/metrics').expect(200)).text;
/** The first value of a metric. */
const valueOf = (name: string, text: string) =>
  Number(new RegExp(`^${name}(?:\\{[^}]*\\})? (.+)$`, 'm').exec(text)?.[1]);
const problem = (status: number, code: string, title: string, detail: string) => ({
  type: `/problems/${code}`,
  title,
  status,
  code,
  detail,
  instance: expect.stringMatching(/^urn:uuid:/),
});

describe('management port', () => {
  it('has health and metrics, and nothing else', async () => {
    expect((await management().get('/health/live').expect(200)).body).toEqual({ status: 'ok' });
    expect((await management().get('/health/ready').expect(200)).body).toEqual({ status: 'ok' });
    await management().head('/metrics').expect(200);
    for (const path of ['/', '/api/v1/Commodity/', '/docs', '/openapi.json']) {
      const { body } = await management().get(path).expect(404);
      expect(body).toEqual(problem(404, 'not_found', 'Not found', 'There is nothing at this address.'));
    }
    await management().post('/metrics').expect(405).expect('Allow', 'GET, HEAD, OPTIONS');
  });

  it('reports that the service is shutting down', async () => {
    service.app.get(Draining).begin();
    const { body } = await management().get('/health/ready').expect(503);
    expect(body).toEqual(problem(503, 'unavailable', 'Unavailable', 'The service is not ready.'));
    await management().get('/health/live').expect(200);
  });

  it('is the only one with metrics', async () => {
    for (const method of ['get', 'head', 'post', 'options'] as const) {
      const unknown = await service.http()[method]('/unknown');
      const metrics = await service.http()[method]('/metrics');
      expect([method, metrics.status, metrics.headers['allow']]).toEqual([method, 404, undefined]);
      expect({ ...metrics.body, instance: '' }).toEqual({ ...unknown.body, instance: '' });
    }
    const { body } = await service.http().get('/openapi.json').expect(200);
    expect(Object.keys((body as { paths: object }).paths)).not.toContain('/metrics');
  });
});

describe('metrics', () => {
  it('count requests of the public port by route pattern, method and status', async () => {
    for (const path of ['/health/live', '/health/live/', '/api/v1/Nothing/1/', '/api/v1/Nothing/2/'])
      await service.http().get(path);
    await management().get('/health/live').expect(200);
    const { text, headers } = await management().get('/metrics').expect(200);
    expect(headers['content-type']).toBe('text/plain; version=0.0.4; charset=utf-8');
    const lines = text.split('\n').filter((line) => line.startsWith('http_request_duration_seconds_count'));
    expect(lines.sort()).toEqual([
      'http_request_duration_seconds_count{method="GET",route="/health/live",status="200"} 2',
      'http_request_duration_seconds_count{method="GET",route="none",status="404"} 2',
    ]);
    const bucket =
      /^http_request_duration_seconds_bucket\{le="\+Inf",method="GET",route="none",status="404"\} 2$/m;
    expect(text).toMatch(bucket);
  });

  it('stay short whatever is requested', async () => {
    const metrics = service.app.get(RequestMetrics);
    for (const method of METHODS) {
      if (method === 'CONNECT') continue;
      for (const path of ['/api/v1/Commodity/', '/api/v1/Commodity/7/', '/%zz', '/unknown', '/?x=1'])
        await fetch(new URL(path, await service.app.getUrl()), { method }).catch(() => null);
    }
    expect(metrics.total).toBeGreaterThan(100);
    const text = await scrape();
    const lines = text.split('\n').map((line) => line.replace(/ \S+$/, ''));
    expect(lines.filter((line, at) => line.includes('{') && lines.indexOf(line) !== at)).toEqual([]);
    const methods = new Set([...text.matchAll(/method="([^"]*)"/g)].map(([, method]) => method));
    expect([...methods].sort()).toEqual([
      'DELETE',
      'GET',
      'HEAD',
      'OPTIONS',
      'PATCH',
      'POST',
      'PUT',
      'other',
    ]);
  });

  it('include the database, the page cache, the log and the process', async () => {
    const text = await scrape();
    const value = (name: string) => valueOf(name, text);
    expect(value('pds_database_connected')).toBe(1);
    expect(value('pds_data_revision')).toBe((await service.revision.fresh()).all);
    expect(value('pds_page_cache_bytes')).toBeGreaterThanOrEqual(0);
    expect(value('pds_log_lines_dropped_total')).toBe(0);
    expect(value('process_resident_memory_bytes')).toBeGreaterThan(10_000_000);
    if (service.database.embedded) expect(value('pds_writes_waiting')).toBe(0);
    else expect(value('pds_database_pool_open')).toBeGreaterThan(0);
    expect(value('pds_catalogue_series')).toBe(0);
    expect(value('pds_imports_total')).toBe(0);
  });

  it('are computed once a second, however often they are scraped', async () => {
    const peers = service.app.get(WorkerPeers);
    let computed = 0;
    const request = peers.request.bind(peers);
    peers.request = (...args) => (computed++, request(...args));
    const texts = await Promise.all(Array.from({ length: 20 }, scrape));
    expect(new Set(texts).size).toBe(1);
    expect(computed).toBe(1);
  });

  it('of several workers are aggregated by the worker that is scraped', async () => {
    await service.http().get('/health/live').expect(200);
    const peers = service.app.get(WorkerPeers);
    const handlers = (peers as unknown as { handlers: Map<string, (question: unknown) => unknown> }).handlers;
    const own = (await handlers.get('metrics')!(null)) as object[];
    peers.request = async () => [own, null];
    const text = await scrape();
    expect(valueOf('http_request_duration_seconds_count', text)).toBe(2);
    expect(valueOf('pds_database_connected', text)).toBe(2);
    expect(valueOf('pds_data_revision', text)).toBe((await service.revision.fresh()).all);
  });
});
