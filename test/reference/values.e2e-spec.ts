import fc from 'fast-check';
import { expectProblem, fieldViolation } from '../support/problems.js';
import { assertProperty } from '../support/property.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { referenceTableCases } from './reference-tables.js';
import { TableClient, type Headers } from './table-client.js';

describe('values of reference records', () => {
  let service: TestApp;
  let auth: Headers;
  let clients: Record<string, TableClient>;
  beforeAll(async () => {
    service = await startTestApp();
    auth = await service.authHeader();
    clients = Object.fromEntries(
      referenceTableCases.map((table) => [table.name, new TableClient(service, table, auth)]),
    );
  });
  afterAll(() => service?.close());
  beforeEach(async () => {
    for (const client of Object.values(clients)) await client.clear();
  });

  it('W10: distinguishes texts that differ in case or accents, and trims surrounding whitespace', async () => {
    const { Commodity } = clients as { Commodity: TableClient };
    const names = ['cafe', 'CAFE', 'café', 'cafè', 'caf e', 'ＣＡＦＥ', 'кафе', 'ﬁg', 'fig'];
    for (const name of names) await Commodity.create({ name });
    for (const name of ['cafe ', '  cafe', 'cafe\u0301', '\u00a0cafe'])
      expectProblem(await Commodity.post({ name }), {
        status: 409,
        code: 'duplicate',
        extra: { existing: expect.any(String) },
      });
    const { body } = await Commodity.get();
    expect((body as { name: string }[]).map(({ name }) => name)).toEqual(names);
    const found = async (query: string) =>
      ((await Commodity.get(query)).body as { name: string }[]).map(({ name }) => name);
    expect(await found(`?name=${encodeURIComponent('Café')}`)).toEqual(['café']);
    expect(await found('?name=cafe')).toEqual(['cafe', 'CAFE']);
    expect(await found('?search=cafe')).toEqual(['cafe', 'CAFE', 'café', 'cafè']);
  });

  it('B14: returns texts code point for code point', async () => {
    const { Source } = clients as { Source: TableClient };
    const texts = fc
      .string({ unit: 'binary', minLength: 1, maxLength: 60 })
      .map((text) => text.normalize('NFC').trim())
      .filter((text) => text !== '' && !/[\p{Cc}\p{Surrogate}]/u.test(text));
    let n = 0;
    await assertProperty(
      'texts are returned as they were sent',
      fc.asyncProperty(texts, async (url) => {
        const { body } = await Source.post({ name: `Source ${n++}`, url });
        expect(body).toMatchObject({ url });
        expect((await Source.get((body as { id: number }).id)).body).toEqual(body);
      }),
      { numRuns: 100 },
    );
  }, 60_000);

  it('B15: returns numbers of up to 15 digits exactly', async () => {
    const { FxRate } = clients as { FxRate: TableClient };
    const numbers = fc
      .tuple(fc.bigInt({ min: 1n, max: 999_999_999_999_999n }), fc.integer({ min: -40, max: 40 }))
      .map(([digits, power]) => `${digits}e${power}`);
    let n = 0;
    await assertProperty(
      'numbers are returned as they were sent',
      fc.asyncProperty(numbers, async (rate) => {
        const date = new Date(Date.UTC(1900, n++, 1)).toISOString().slice(0, 10);
        const created = await FxRate.post(`{"currency":"KES","date":"${date}","rate":${rate}}`);
        const record = created.body as { id: number; rate: number };
        expect([rate, record.rate]).toEqual([rate, Number(rate)]);
        expect((await FxRate.get(record.id)).body).toEqual(record);
        const [found] = (await FxRate.get(`?rate=${encodeURIComponent(String(record.rate))}`))
          .body as object[];
        expect(found).toMatchObject({ rate: record.rate });
      }),
      { numRuns: 100 },
    );
  }, 60_000);

  it('sets the country name of ISO 3166 if it is empty, or left out and the country has none yet', async () => {
    const { Market } = clients as { Market: TableClient };
    const named = async (fields: object) =>
      ((await Market.post({ name: 'A', ...fields })).body as { country_name: string }).country_name;
    expect(await named({ iso3_country_code: 'CIV' })).toBe("Côte d'Ivoire");
    expect(await named({ iso3_country_code: 'ken' })).toBe('Kenya');
    expect(await named({ iso3_country_code: 'IPS' })).toBe('');
    expect(await named({ iso3_country_code: 'MLI', country_name: 'Soudan' })).toBe('Soudan');
    expect(await named({ iso3_country_code: 'TGO', country_name: '' })).toBe('Togo');
    const id = await Market.create({ name: 'B', iso3_country_code: 'MLI' });
    expect((await Market.patch(id, { iso3_country_code: 'KEN' })).body).toMatchObject({
      country_name: 'Kenya',
    });
    expect((await Market.put(id, { name: 'B', iso3_country_code: 'KEN' })).body).toMatchObject({
      country_name: 'Kenya',
    });
  });

  it('stores codes without decimals of zero, and takes no numbers for them', async () => {
    const { Market, Cpi } = clients as { Market: TableClient; Cpi: TableClient };
    const index = { iso3_country_code: 'MOZ', date: '2024-01-01', value: 130 };
    const id = await Cpi.create({ ...index, base_period: ' 2016.0 ' });
    expect((await Cpi.get(id)).body).toMatchObject({ base_period: '2016' });
    const again = await Cpi.post({ ...index, base_period: '2016.00' });
    expectProblem(again, {
      status: 409,
      code: 'duplicate',
      extra: { existing: expect.stringMatching(new RegExp(`/Cpi/${id}/$`)) },
    });
    for (const base_period of ['2016.5', '2016-12', 'Dec 2016.0'])
      expect((await Cpi.patch(id, { base_period })).body).toMatchObject({ base_period });
    const market = { name: 'Xai-Xai', iso3_country_code: 'MOZ' };
    const place = await Market.create({ ...market, code: '0614.0' });
    expect((await Market.get(place)).body).toMatchObject({ code: '0614' });
    expect((await Market.put(place, { ...market, market_code: '615.000' })).body).toMatchObject({
      code: '615',
    });
    for (const [client, name, body] of [
      [Market, 'code', { ...market, name: 'Chokwe', code: 7001 }],
      [Cpi, 'base_period', { ...index, base_period: 2019 }],
    ] as const) {
      const errors = [fieldViolation(name, 'invalid_type')];
      expectProblem(await client.post(body), { status: 400, code: 'invalid', errors });
    }
  });

  it('requires the first day of the month for monthly exchange rates', async () => {
    const { FxRate } = clients as { FxRate: TableClient };
    const daily = { currency: 'KES', date: '2024-02-29', rate: 140.5, period: 'daily' };
    const invalidDate = (name: string) => ({
      status: 400,
      code: 'invalid',
      errors: [fieldViolation(name, 'invalid_date')],
    });
    expectProblem(await FxRate.post({ ...daily, period: undefined }), invalidDate('date'));
    expectProblem(
      await FxRate.post({ ...FxRate.prefixed(daily), period: 'monthly', fx_rate_period: undefined }),
      invalidDate('fx_rate_date'),
    );
    const id = await FxRate.create(daily);
    expectProblem(await FxRate.patch(id, { period: 'monthly' }), invalidDate('fx_rate_date'));
    expectProblem(await FxRate.put(id, { ...daily, period: 'monthly' }), invalidDate('date'));
    expect((await FxRate.patch(id, { period: 'monthly', date: '2024-02-01' })).body).toEqual({
      id,
      ...daily,
      period: 'monthly',
      date: '2024-02-01',
      rate_type: 'official',
      source: '',
    });
  });

  it('PriceType has the well-known price types, assigns ids from 18 on, and does not change the case of names', async () => {
    const { PriceType } = clients as { PriceType: TableClient };
    const { body } = await PriceType.post({ name: 'Farm Gate' });
    expect(body).toMatchObject({ name: 'Farm Gate' });
    expect((body as { id: number }).id).toBeGreaterThanOrEqual(18);
    expect((await PriceType.get(12)).body).toEqual({ id: 12, name: 'RETAIL', description: '' });
    await PriceType.post({ name: 'retail' }).expect(201);
  });

  it('accepts an index of 0, as published where it is too small for its decimals', async () => {
    const { Cpi } = clients as { Cpi: TableClient };
    const cpi = { iso3_country_code: 'VEN', date: '2024-01-01', value: 0, base_period: '2015' };
    expect((await Cpi.post(cpi)).body).toMatchObject({ value: 0 });
    for (const value of [-1, 1e-101]) await Cpi.post({ ...cpi, date: '2024-02-01', value }).expect(400);
  });

  it('accepts codes in any case and stores them in upper case', async () => {
    const { Cpi, FxRate } = clients as { Cpi: TableClient; FxRate: TableClient };
    const cpi = { iso3_country_code: 'ken', date: '2024-01-01', value: 1, base_period: '2015' };
    expect((await Cpi.post(cpi)).body).toMatchObject({ iso3_country_code: 'KEN' });
    expect((await FxRate.post({ currency: 'ves', date: '2024-01-01', rate: 1 })).body).toMatchObject({
      currency: 'VES',
    });
    expect((await Cpi.get('?search=kenya')).body).toHaveLength(1);
    expect((await Cpi.get('?search=KEN')).body).toHaveLength(1);
    expect((await Cpi.get('?iso3_country_code=ken,UGA')).body).toHaveLength(1);
    expect((await FxRate.get('?search=ve')).body).toHaveLength(1);
    expectProblem(await Cpi.get('?iso3_country_code=KE&date=2024-02-30&item=fuel'), {
      status: 400,
      code: 'invalid',
      errors: [
        { in: 'query', name: 'iso3_country_code', code: 'invalid_item', index: 0 },
        { in: 'query', name: 'date', code: 'invalid_date', index: 0 },
        { in: 'query', name: 'item', code: 'invalid_choice', index: 0, allowed: ['general', 'food'] },
      ],
    });
  });
});

describe('HS codes of commodities', () => {
  let service: TestApp;
  beforeAll(async () => (service = await startTestApp()));
  afterAll(() => service.close());

  it('of 3 or 5 digits are rejected, because they have lost a zero', async () => {
    const auth = await service.authHeader();
    const post = (hs_code: string) =>
      service
        .http()
        .post('/api/v1/Commodity/')
        .set(auth)
        .send({ commodity_name: `HS ${hs_code}`, hs_code });
    for (const code of ['10', '1006', '100630', '1006301', '100630100']) await post(code).expect(201);
    for (const code of ['713', '40221']) {
      const { body } = await post(code).expect(400);
      expect((body as { errors: unknown }).errors).toEqual([
        {
          in: 'body',
          name: 'hs_code',
          pointer: '/hs_code',
          code: 'invalid_format',
          detail: `hs_code must consist of 2 to 12 digits, an even number of them up to 6: ${code} may have lost its leading zero.`,
        },
      ]);
    }
  });
});
