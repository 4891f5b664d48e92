import { jest } from '@jest/globals';
import { once } from 'node:events';
import { request, type ClientRequest, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { ImportLock } from '../../src/ledger/import-lock/import-lock.js';
import { httpLimits } from '../../src/platform/http/options.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { someImport } from '../support/change-set.js';

const HEADER =
  'uuid,iso3_country_code,commodity,price_type,market,source,currency,measure_unit,date,periodicity,price_value';
const UUID = '2d1f1b7e-41d5-4b7c-9a61-0f3f5c9f3a10';
const row = (date: string, price: string) =>
  `${UUID},KEN,Maize,RETAIL,Kitui,Ministry,KES,90 kg,${date},monthly,${price}`;
const csv = (...rows: string[]) => [HEADER, ...rows, ''].join('\r\n');

describe('POST Import/', () => {
  let service: TestApp;
  let auth: { Authorization: string };
  beforeEach(async () => {
    service = await startTestApp({ IMPORT_MAX_BYTES: '4000' });
    auth = await service.authHeader();
  });
  afterEach(() => service.close());

  const post = (query: string, body: string | Buffer, type = 'text/csv') =>
    service
      .http()
      .post(`/api/v1/Import/${query}`)
      .set(auth)
      .set('Content-Type', type)
      .serialize((data) => data as string)
      .send(body);
  const points = async () => {
    const { body } = await service.http().get(`/api/v1/PriceSeriePrice/${UUID}/`);
    return (body as { datapoints?: { date: string; price_value: number }[] }).datapoints?.map(
      ({ date, price_value }) => [date, price_value],
    );
  };

  it('tells formats apart that differ in case alone, and otherwise ignores the case', async () => {
    const body = 'iso3_country_code,date,value,base_period\r\nKEN,2021-01-01,99.5,2019\r\n';
    const formatOf = async (format: string) => {
      const response = await post(`?format=${format}&dry_run=true`, body).expect(200);
      return (response.body as { format: string }).format;
    };
    expect([await formatOf('Cpi'), await formatOf('cpi'), await formatOf('CPI')]).toEqual([
      'Cpi',
      'cpi',
      'cpi',
    ]);
  });

  it('stores a body and returns the report', async () => {
    const { body } = await post(
      '?format=prices',
      csv(row('2026-01-01', '50'), row('2026-02-01', '0'), row('2026-03-01', '52.5')),
    ).expect(200);
    expect(body).toEqual({
      format: 'prices',
      input: '',
      change_set_id: 2,
      convention: { decimal: { is: 'point', line: 4 }, dates: { is: 'ymd', line: 2 } },
      notes: [],
      digest: expect.stringMatching(/^[0-9a-f]{64}$/),
      bytes: expect.any(Number),
      dry_run: false,
      error: null,
      read: 3,
      new: 2,
      changed: 0,
      unchanged: 0,
      skipped: {},
      rejected: 1,
      rejected_by_reason: expect.any(Object),
      rejects: [{ line: 3, field: 'price_value', reason: expect.any(String), detail: expect.any(String) }],
      countries: { KEN: 1 },
      series: 1,
      records: { Commodity: 1, Market: 1, MeasureUnit: 1, Source: 1 },
      created_records: expect.any(Array),
      rounded: 0,
      inverted: 0,
      replaced: 0,
      replaced_values: [],
      hs_codes_kept: 0,
      filled: 0,
      attribute_conflicts: 0,
      conflicting_attributes: [],
      corrections_kept: 0,
      corrections_confirmed: 0,
      corrections_superseded: 0,
      superseded_corrections: [],
      kept_other_source: 0,
      older_than_stored: 0,
      backdated: null,
      findings: {},
      first_findings: [],
      first_rows: [
        ['2', '2026-01-01', '50'],
        ['4', '2026-03-01', '52.5'],
      ].map(([line, date, price_value]) => ({
        line: Number(line),
        table: null,
        values: {
          iso3_country_code: 'KEN',
          country_name: 'Kenya',
          market: 'Kitui',
          commodity: 'Maize',
          price_type: 'RETAIL',
          source: 'Ministry',
          currency: 'KES',
          measure_unit: '90 kg',
          date,
          periodicity: 'monthly',
          price_value,
        },
      })),
      seconds: expect.any(Number),
      rows_per_second: expect.any(Number),
    });
    expect(await points()).toEqual([
      ['2026-03-01', 52.5],
      ['2026-01-01', 50],
    ]);
  });

  it('W9: writes one audit row, with the account and the counts', async () => {
    await post('?format=prices', csv(row('2026-01-01', '50'))).expect(200);
    const { body } = await service.http().get('/api/v1/AuditLog/?action=import').set(auth).expect(200);
    expect(body).toMatchObject({
      count: 1,
      results: [{ account_id: 1, action: 'import', after: { format: 'prices', new: 1, rejected: 0 } }],
    });
  });

  it('accepts gzip, detected or as Content-Encoding, and JSON', async () => {
    const gzipped = gzipSync(csv(row('2026-01-01', '50')));
    await post('?format=prices', gzipped, 'application/gzip').expect(200);
    await post('?format=prices', gzipped).set('Content-Encoding', 'gzip').expect(200);
    expect(await points()).toEqual([['2026-01-01', 50]]);
    const prices = [
      { uuid: UUID, datapoints: [{ date: '2026-02-01', periodicity: 'monthly', price_value: 61 }] },
    ];
    const { body } = await post('?format=fpma', JSON.stringify(prices), 'application/json').expect(200);
    expect(body).toMatchObject({ new: 1, rejected: 0 });
    expect(await points()).toEqual([
      ['2026-02-01', 61],
      ['2026-01-01', 50],
    ]);
  });

  it('stores nothing in a dry run, and reports what it would do', async () => {
    const { body } = await post('?format=prices&dry_run=true', csv(row('2026-01-01', '50'))).expect(200);
    expect(body).toMatchObject({ dry_run: true, new: 1, series: 1 });
    expect(await points()).toBeUndefined();
  });

  it('changes nothing the second time', async () => {
    await post('?format=prices', csv(row('2026-01-01', '50'))).expect(200);
    const { body } = await post('?format=prices', csv(row('2026-01-01', '50'))).expect(200);
    expect(body).toMatchObject({ new: 0, changed: 0, unchanged: 1 });
  });

  it('shows its points and the new periodicity in the next response', async () => {
    await post('?format=prices', csv(row('2026-01-01', '50'))).expect(200);
    const list = () => service.http().get(`/api/v1/PriceSerie/${UUID}/`);
    expect((await list()).body).toMatchObject({ last_price_date: '2026-01-01' });
    await post('?format=prices', csv(row('2026-04-01', '50'))).expect(200);
    expect((await list()).body).toMatchObject({
      last_price_date: '2026-04-01',
      periodicity: [{ period: 'monthly', start_date: '2026-01-01', end_date: '2026-04-01' }],
    });
  });

  it('B6: rejects a body over the limit, compressed or not, and names the command', async () => {
    const long = csv(
      ...Array.from({ length: 60 }, (_, index) =>
        row(`20${10 + Math.floor(index / 12)}-${String((index % 12) + 1).padStart(2, '0')}-01`, '50'),
      ),
    );
    const rejected = [
      [long, 'text/csv', 'The body'],
      [gzipSync(long), 'application/gzip', 'The decompressed body'],
    ] as const;
    for (const [body, type, what] of rejected) {
      const { body: problem } = await post('?format=prices', body, type).expect(413);
      expect(problem).toMatchObject({
        code: 'too_large',
        detail: `${what} must be at most 4000 bytes long. Import larger files with the command npm run import -- FORMAT FILE.`,
        max: 4000,
      });
    }
    expect(await points()).toBeUndefined();
    // The lock is free again.
    await post('?format=prices', csv(row('2026-01-01', '50'))).expect(200);
  });

  it('rejects a concurrent import', async () => {
    const held = await service.app.get(ImportLock).acquire(someImport);
    const { body } = await post('?format=prices', csv(row('2026-01-01', '50'))).expect(409);
    expect(body).toMatchObject({ code: 'import_running' });
    await service.unitOfWork.run((transaction) => held.release(transaction));
    held.stopHeartbeat();
    await post('?format=prices', csv(row('2026-01-01', '50'))).expect(200);
  });

  describe('while another upload is received', () => {
    const started: ClientRequest[] = [];
    afterEach(() => started.splice(0).forEach((upload) => upload.destroy()));
    /** Starts an upload and sends only its head. */
    function startUpload(query: string) {
      const { port } = service.app.getHttpServer().address() as AddressInfo;
      const upload = request({
        port,
        method: 'POST',
        path: `/api/v1/Import/${query}`,
        headers: { ...auth, 'Content-Type': 'text/csv', Expect: '100-continue' },
      });
      upload.on('error', () => undefined);
      upload.flushHeaders();
      started.push(upload);
      return upload;
    }
    const statusOf = async (upload: ClientRequest) => {
      const [response] = (await once(upload, 'response')) as [IncomingMessage];
      response.resume();
      return response.statusCode;
    };

    it('stores the next one, however slowly the first is sent', async () => {
      const first = startUpload('?format=prices');
      await once(first, 'continue');
      first.write(HEADER);
      await post('?format=prices', csv(row('2026-01-01', '50'))).expect(200);
      first.end(`\r\n${row('2026-02-01', '51')}\r\n`);
      expect(await statusOf(first)).toBe(200);
      expect(await points()).toEqual([
        ['2026-02-01', 51],
        ['2026-01-01', 50],
      ]);
    });

    it('receives two at a time, and rejects others unread', async () => {
      const [first, second] = [startUpload('?format=prices'), startUpload('?format=prices&dry_run=true')];
      await Promise.all([once(first, 'continue'), once(second, 'continue')]);
      for (const query of ['?format=prices', '?format=prices&dry_run=true']) {
        const third = startUpload(query);
        let continued = false;
        third.on('continue', () => (continued = true));
        expect([await statusOf(third), continued]).toEqual([409, false]);
      }
      const { body } = await post('?format=prices', csv(row('2026-01-01', '50'))).expect(409);
      expect(body).toMatchObject({ code: 'import_running' });
      for (const upload of [first, second]) {
        upload.end(csv(row('2026-01-01', '50')));
        expect(await statusOf(upload)).toBe(200);
      }
      await post('?format=prices', csv(row('2026-01-01', '50'))).expect(200);
    });

    it('rejects one that is received while another is stored', async () => {
      const upload = startUpload('?format=prices');
      await once(upload, 'continue');
      const held = await service.app.get(ImportLock).acquire(someImport);
      upload.end(csv(row('2026-01-01', '50')));
      expect(await statusOf(upload)).toBe(409);
      expect(await points()).toBeUndefined();
      await service.unitOfWork.run((transaction) => held.release(transaction));
      held.stopHeartbeat();
    });

    it('B6: rejects one that takes too long, though it never stands still, and accepts the next', async () => {
      jest.replaceProperty(httpLimits, 'uploadMs', 1000);
      const uploads = [startUpload('?format=prices'), startUpload('?format=prices')];
      await Promise.all(uploads.map((upload) => once(upload, 'continue')));
      const sending = setInterval(() => uploads.forEach((upload) => upload.write('u')), 100);
      expect(await Promise.all(uploads.map(statusOf))).toEqual([408, 408]);
      clearInterval(sending);
      jest.restoreAllMocks();
      await post('?format=prices', csv(row('2026-01-01', '50'))).expect(200);
    });

    it('accepts the next one once the client of the first has disconnected', async () => {
      const [first, second] = [startUpload('?format=prices'), startUpload('?format=prices')];
      await Promise.all([once(first, 'continue'), once(second, 'continue')]);
      first.destroy();
      let status = 409;
      while (status === 409) ({ status } = await post('?format=prices', csv(row('2026-01-01', '50'))));
      expect(status).toBe(200);
    });
  });

  it('reports every violation of the request', async () => {
    const violationsOf = async (query: string, body: string, type?: string) =>
      ((await post(query, body, type)).body as { errors: { name?: string; code: string }[] }).errors.map(
        ({ name, code }) => [name, code],
      );
    expect(await violationsOf('', csv())).toEqual([['format', 'required']]);
    expect(await violationsOf('?format=x.lsx&dry_run=perhaps&fromat=x', csv())).toEqual([
      ['fromat', 'unknown_parameter'],
      ['format', 'invalid_choice'],
      ['dry_run', 'invalid_boolean'],
    ]);
    expect(await violationsOf('?format=xlsx', csv())).toEqual([['format', 'invalid_choice']]);
    expect(await violationsOf('?format=wfp', 'a,b,c\r\n1,2,3\r\n')).toEqual([[undefined, 'invalid_format']]);
    expect(await violationsOf('?format=fpma', '{"x":', 'application/json')).toEqual([
      [undefined, 'invalid_format'],
    ]);
    await post('?format=prices', csv(), 'application/xml').expect(415);
    await service
      .http()
      .post('/api/v1/Import/?format=prices')
      .set('Content-Type', 'text/csv')
      .send(csv())
      .expect(401);
  });
});
