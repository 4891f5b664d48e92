import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readDocuments } from '../support/api-documents.js';
import { storeSeries } from '../support/price-fixture.js';
import { expectProblem } from '../support/problems.js';
import { SAMPLE_NOTICE } from '../../src/price-series/sample-source.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { makeEditions } from './make-editions.js';

const UUID = 'aaaaaaaa-0000-4000-8000-000000000001';

describe('files of editions', () => {
  const folder = mkdtempSync(join(tmpdir(), 'pds-editions-'));
  let service: TestApp;
  let bytes: Buffer;
  let tag: string;
  beforeAll(async () => {
    service = await startTestApp({ EDITIONS_DIR: folder });
    await storeSeries(service.unitOfWork, [{ uuid: UUID, points: { monthly: [['2024-01-01', 10.5]] } }]);
    await makeEditions(service).make('2026-11');
    bytes = readFileSync(join(folder, '1', 'prices.parquet'));
    tag = `"${createHash('sha256').update(bytes).digest('hex')}"`;
  });
  afterAll(async () => {
    await service.close();
    rmSync(folder, { recursive: true });
  });

  const get = (headers: object = {}, name = 'prices.parquet') =>
    service
      .http()
      .get(`/editions/1/${name}`)
      .set(headers as Record<string, string>)
      .buffer(true)
      .parse((response, done) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(Buffer.from(chunk)));
        response.on('end', () => done(null, Buffer.concat(chunks)));
      });
  const body = (reply: { body: unknown }) => reply.body as Buffer;

  it('never change: clients may keep them', async () => {
    const reply = await get();
    expect([reply.status, body(reply).equals(bytes)]).toEqual([200, true]);
    expect(reply.headers).toMatchObject({
      'cache-control': 'public, max-age=31536000, immutable',
      'content-type': 'application/vnd.apache.parquet',
      'content-length': String(bytes.length),
      'accept-ranges': 'bytes',
      'access-control-allow-origin': '*',
      etag: tag,
    });
    expect(reply.headers).not.toHaveProperty('last-modified');
    expect((await get({ 'If-None-Match': tag })).status).toBe(304);
  });

  it('have their length with HEAD', async () => {
    const { status, headers } = await service.http().head('/editions/1/prices.parquet');
    expect([status, headers['content-length'], headers.etag]).toEqual([200, String(bytes.length), tag]);
  });

  it.each([
    ['bytes=0-3', 0, 4],
    ['bytes=4-', 4, Infinity],
    ['bytes=-8', -8, Infinity],
    ['bytes=0-99999999', 0, Infinity],
    ['bytes=-99999999', 0, Infinity],
  ])('are sent in part with Range: %s', async (range, from, to) => {
    const part = bytes.subarray(from, to);
    const first = bytes.length - bytes.subarray(from).length;
    for (const headers of [{ Range: range }, { Range: range, 'If-Range': tag }]) {
      const reply = await get(headers);
      expect([reply.status, body(reply).equals(part)]).toEqual([206, true]);
      expect(reply.headers).toMatchObject({
        'content-range': `bytes ${first}-${first + part.length - 1}/${bytes.length}`,
        'content-length': String(part.length),
        etag: tag,
      });
    }
  });

  it.each([
    ['of another state', { Range: 'bytes=0-3', 'If-Range': '"other"' }],
    ['of a weak tag', { Range: 'bytes=0-3', 'If-Range': 'W/TAG' }],
    ['of a part of a tag', { Range: 'bytes=0-3', 'If-Range': 'xTAG' }],
    ['of a tag among others', { Range: 'bytes=0-3', 'If-Range': '"other", TAG' }],
    ['of a date', { Range: 'bytes=0-3', 'If-Range': 'Thu, 26 Nov 2026 10:00:00 GMT' }],
    ['several', { Range: 'bytes=0-3,8-11' }],
    ['of another unit', { Range: 'rows=0-3' }],
    ['malformed', { Range: 'bytes=3-0' }],
  ])('are sent whole where ranges are %s', async (_, headers) => {
    const entries = Object.entries(headers).map(([name, value]) => [name, value.replace('TAG', tag)]);
    const reply = await get(Object.fromEntries(entries) as Record<string, string>);
    expect([reply.status, body(reply).equals(bytes)]).toEqual([200, true]);
  });

  it('are 416 past the end', async () => {
    const reply = await service
      .http()
      .get('/editions/1/prices.parquet')
      .set('Range', `bytes=${bytes.length}-`);
    expectProblem(reply, { status: 416, code: 'range_not_satisfiable' });
    expect(reply.headers['content-range']).toBe(`bytes */${bytes.length}`);
  });

  it.each([
    '/editions/1/absent.txt',
    '/editions/1/..%2F..%2Fprices.sqlite',
    '/editions/2/prices.parquet',
    '/editions/x/prices.parquet',
    '/editions/1',
  ])('are 404 at %s', async (address) =>
    expectProblem(await service.http().get(address), { status: 404, code: 'not_found' }),
  );

  it('have the digests of their record, also after a backup was restored', async () => {
    const path = join(folder, '1', 'README.txt');
    const tagOf = async () => {
      const { headers } = await service.http().get('/editions/1/README.txt').expect(200);
      return headers.etag as string;
    };
    const before = await tagOf();
    const text = readFileSync(path);
    const record = 'SELECT contents FROM edition WHERE number = 1';
    const [{ contents }] = (await service.database.rows<{ contents: string }>(record)) as [
      { contents: string },
    ];
    const restore = (file: Buffer | string, of: string) => {
      writeFileSync(path, file);
      return service.unitOfWork.run((transaction) =>
        transaction.execute('UPDATE edition SET contents = ? WHERE number = 1', [of]),
      );
    };
    await restore('another', contents.replace(before.slice(1, -1), '0'.repeat(64)));
    expect(await tagOf()).toBe(`"${'0'.repeat(64)}"`);
    await restore(text, contents);
    expect(await tagOf()).toBe(before);
  });

  it('are 404 once the edition is withdrawn, and the page about the data no longer lists it', async () => {
    const page = async () => (await service.http().get('/data').set('Accept', 'text/html').expect(200)).text;
    expect(await page()).toContain('/editions/1/prices.parquet');
    renameSync(join(folder, '1'), join(folder, 'withdrawn'));
    try {
      expect(await page()).not.toContain('/editions/1/');
      const reply = await service.http().get('/editions/1/prices.parquet');
      expectProblem(reply, { status: 404, code: 'not_found' });
    } finally {
      renameSync(join(folder, 'withdrawn'), join(folder, '1'));
    }
  });

  it('have the statuses and media types of the API description', async () => {
    const { responses, parameters } = (await readDocuments(service)).paths!['/editions/{number}/{file}']!
      .get!;
    expect(Array.from(parameters!, ({ name }) => name)).toEqual(['number', 'file', 'Range', 'If-Range']);
    const described = Object.keys(responses!).flatMap((status) =>
      Object.keys(responses![status]!.content ?? { '': {} }).map((type) => `${status} ${type}`),
    );
    const seen = new Set<string>();
    for (const name of ['prices.parquet', 'prices.csv.gz', 'datapackage.json', 'README.txt', 'SHA256SUMS']) {
      for (const headers of [
        {},
        { Range: 'bytes=0-3' },
        { Range: 'bytes=99999999-' },
        { 'If-None-Match': '*' },
        { 'If-Match': '"other"' },
      ]) {
        const reply = await get(headers, name);
        const type = reply.headers['content-type'] ?? '';
        seen.add(`${reply.status} ${type.split(';')[0]}`);
      }
    }
    expect(described).toEqual(expect.arrayContaining([...seen]));
    const success = (one: string) => /^[23]/.test(one);
    expect([...seen].filter(success).sort()).toEqual(described.filter(success).sort());
  });

  it('are described, and have the digests that are listed', async () => {
    const text = async (name: string) => {
      const reply = await service.http().get(`/editions/1/${name}`).buffer(true);
      return [reply.headers['content-type'], reply.text] as const;
    };
    const [type, sums] = await text('SHA256SUMS');
    expect(type).toBe('text/plain; charset=utf-8');
    for (const line of sums.trimEnd().split('\n')) {
      const [digest, name] = line.split('  ');
      const file = readFileSync(join(folder, '1', name!));
      expect([name, createHash('sha256').update(file).digest('hex')]).toEqual([name, digest]);
    }
    const [, readme] = await text('README.txt');
    expect(readme).toContain(`SHA-256 ${tag.slice(1, -1)}.`);
    // Said of the sample alone.
    expect(readme).not.toContain(SAMPLE_NOTICE);
    const [json, described] = await text('datapackage.json');
    expect(json).toBe('application/json; charset=utf-8');
    expect(JSON.parse(described)).toMatchObject({
      name: 'food-prices-2026-11',
      sources: [{ title: 'Ministry' }],
      resources: [
        { path: 'prices.parquet', bytes: bytes.length, hash: `sha256:${tag.slice(1, -1)}` },
        { path: 'prices.csv.gz', compression: 'gz' },
        { path: 'series.parquet' },
        { path: 'rates.parquet' },
      ],
    });
  });
});
