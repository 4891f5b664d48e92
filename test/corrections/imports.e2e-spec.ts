import { startTestApp, type TestApp } from '../support/test-app.js';

const HEADER =
  'date,admin1,admin2,market,latitude,longitude,category,commodity,unit,priceflag,pricetype,currency,price,usdprice';
type Row = readonly [date: string, price: number, flag?: 'actual' | 'forecast'];
const lineOf = ([date, price, flag = 'actual']: Row) =>
  `${date},Coast,Mombasa,Mombasa,-4.05,39.67,cereals and tubers,Maize,90 KG,${flag},Wholesale,KES,${price},1`;

interface Point {
  id: number;
  date: string;
  price_value: number;
  comment: string;
}

interface Report {
  [field: string]: unknown;
}

describe('H3: imports and corrections', () => {
  let service: TestApp;
  let admin: { Authorization: string };
  beforeEach(async () => {
    service = await startTestApp();
    admin = await service.authHeader();
  });
  afterEach(() => service?.close());

  const upload = async (rows: readonly Row[], query = ''): Promise<Report> => {
    const { body } = await service
      .http()
      .post(`/api/v1/Import/?format=wfp&country=KEN&include_forecast=true${query}`)
      .set({ ...admin, 'Content-Type': 'text/csv' })
      .send([HEADER, ...rows.map(lineOf), ''].join('\n'))
      .expect(200);
    return body as Report;
  };
  const series = async () => {
    const { body } = await service.http().get('/api/v1/PriceSeriePrice/').expect(200);
    const [found] = (body as { results: { uuid: string; datapoints: Point[] }[] }).results;
    return found ?? { uuid: '', datapoints: [] };
  };
  const stored = async () =>
    (await series()).datapoints
      .map(({ date, price_value, comment }) => `${date} ${price_value} ${comment}`.trim())
      .reverse();
  const addressOf = async (date: string) => {
    const { uuid, datapoints } = await series();
    return `/api/v1/PriceSeriePrice/${uuid}/${datapoints.find((point) => point.date === date)!.id}/`;
  };
  const patch = async (date: string, body: object) =>
    service
      .http()
      .patch(await addressOf(date))
      .set(admin)
      .send(body)
      .expect(200);
  const remove = async (date: string) =>
    service
      .http()
      .delete(await addressOf(date))
      .set(admin)
      .expect(204);
  const states = async () => {
    const rows = await service.database.rows<{ day: number; state: string; value: number; base: number }>(
      'SELECT state, value, base_value AS base FROM correction ORDER BY id',
    );
    return rows.map(({ state, value, base }) => `${state} ${base} -> ${value}`);
  };
  const counts = (report: Report) => ({
    new: report.new,
    changed: report.changed,
    unchanged: report.unchanged,
    skipped: report.skipped,
    kept: report.corrections_kept,
    confirmed: report.corrections_confirmed,
    superseded: report.corrections_superseded,
  });
  const none = { new: 0, changed: 0, unchanged: 0, skipped: {}, kept: 0, confirmed: 0, superseded: 0 };

  const file: Row[] = [
    ['2024-01-15', 10],
    ['2024-02-15', 20],
    ['2024-03-15', 30],
  ];

  it('stay when the file is imported again, removed points too', async () => {
    await upload(file);
    await patch('2024-01-01', { price_value: 12, comment: 'checked' });
    await remove('2024-02-01');
    const report = await upload(file);
    expect(counts(report)).toEqual({ ...none, unchanged: 3, kept: 2 });
    expect(report.superseded_corrections).toEqual([]);
    expect(await stored()).toEqual(['2024-01-01 12 checked', '2024-03-01 30']);
    expect(await states()).toEqual(['standing 10 -> 12', 'standing 20 -> null']);
    // A third time, with a new month.
    expect(counts(await upload([...file, ['2024-04-15', 40]]))).toEqual({
      ...none,
      new: 1,
      unchanged: 3,
      kept: 2,
    });
  });

  it('stand, are confirmed and superseded as the page on history shows', async () => {
    const months = (...prices: number[]) =>
      prices.map((price, index): Row => [`2024-0${index + 1}-15`, price]);
    await upload(months(420, 4150, 4300));
    const { uuid } = await series();
    const items = [
      ['2024-01-01', 4200],
      ['2024-02-01', null],
      ['2024-04-01', 4400],
    ].map(([date, price_value]) => ({ uuid, periodicity: 'monthly', date, price_value }));
    const made = await service.http().post('/api/v1/Correction/').set(admin).send(items).expect(200);
    expect((made.body as { counts: object }).counts).toEqual({
      added: 1,
      changed: 1,
      removed: 1,
      unchanged: 0,
      withdrawn: 0,
    });
    const april = await upload(months(420, 4150, 4300, 4400));
    expect(counts(april)).toEqual({ ...none, unchanged: 4, kept: 2, confirmed: 1 });
    expect(await stored()).toEqual(['2024-01-01 4200', '2024-03-01 4300', '2024-04-01 4400']);
    const may = await upload(months(4250, 4150, 4300, 4400, 4500));
    expect(counts(may)).toEqual({ ...none, new: 1, changed: 1, unchanged: 3, kept: 1, superseded: 1 });
    expect(may.superseded_corrections).toMatchObject([{ id: 1, value: 4200, base: 420, source_value: 4250 }]);
    expect([april.older_than_stored, may.older_than_stored]).toEqual([0, 0]);
    await service.http().delete('/api/v1/Correction/2/').set(admin).expect(204);
    expect((await stored()).slice(0, 2)).toEqual(['2024-01-01 4250', '2024-02-01 4150']);
    expect(counts(await upload(months(4250, 4100, 4300, 4400, 4500)))).toMatchObject({ changed: 1, kept: 0 });
  });

  it('end as confirmed where the source has the same value, which loses the comment', async () => {
    await upload(file);
    await patch('2024-01-01', { price_value: 12, comment: 'checked' });
    await patch('2024-02-01', { price_value: 22 });
    const report = await upload([
      ['2024-01-15', 12],
      ['2024-02-15', 22],
      ['2024-03-15', 30],
    ]);
    expect(counts(report)).toEqual({ ...none, changed: 1, unchanged: 2, confirmed: 2 });
    expect(await stored()).toEqual(['2024-01-01 12', '2024-02-01 22', '2024-03-01 30']);
    expect(await states()).toEqual(['confirmed 10 -> 12', 'confirmed 20 -> 22']);
    expect(counts(await upload(file))).toEqual({ ...none, changed: 2, unchanged: 1 });
  });

  it('end as superseded where the source has a new value, and are listed', async () => {
    await upload(file);
    await patch('2024-01-01', { price_value: 12 });
    await remove('2024-02-01');
    const { uuid } = await series();
    const changed: Row[] = [
      ['2024-01-15', 11],
      ['2024-02-15', 21],
      ['2024-03-15', 30],
    ];
    const dry = await upload(changed, '&dry_run=true');
    expect(await states()).toEqual(['standing 10 -> 12', 'standing 20 -> null']);
    const report = await upload(changed);
    for (const each of [dry, report]) {
      expect(counts(each)).toEqual({ ...none, new: 1, changed: 1, unchanged: 1, superseded: 2 });
      const listed = { uuid, periodicity: 'monthly', table: null, record_id: null };
      expect(each.superseded_corrections).toEqual([
        { ...listed, id: 1, date: '2024-01-01', value: 12, base: 10, source_value: 11 },
        { ...listed, id: 2, date: '2024-02-01', value: null, base: 20, source_value: 21 },
      ]);
    }
    expect(await stored()).toEqual(['2024-01-01 11', '2024-02-01 21', '2024-03-01 30']);
    expect(await states()).toEqual(['superseded 10 -> 12', 'superseded 20 -> null']);
    expect(counts(await upload(changed))).toEqual({ ...none, unchanged: 3 });
  });

  it('keep the first base when they are corrected, and are withdrawn by the base itself', async () => {
    await upload(file);
    await patch('2024-01-01', { price_value: 12, comment: 'first' });
    await patch('2024-01-01', { price_value: 13 });
    expect(await stored()).toContain('2024-01-01 13 first');
    await patch('2024-01-01', { comment: 'second' });
    expect(await states()).toEqual(['withdrawn 10 -> 12', 'withdrawn 10 -> 13', 'standing 10 -> 13']);
    await patch('2024-01-01', { price_value: 10 });
    expect(await states()).toEqual(['withdrawn 10 -> 12', 'withdrawn 10 -> 13', 'withdrawn 10 -> 13']);
    expect(await stored()).toContain('2024-01-01 10');
    expect(counts(await upload([['2024-01-15', 11]]))).toEqual({ ...none, changed: 1 });
  });

  it('hold a comment without a price, as long as the source repeats its price', async () => {
    await upload(file);
    await patch('2024-01-01', { comment: 'checked' });
    expect(counts(await upload(file))).toMatchObject({ changed: 0, kept: 1 });
    expect(await stored()).toContain('2024-01-01 10 checked');
    expect(counts(await upload([['2024-01-15', 11]]))).toEqual({ ...none, changed: 1, superseded: 1 });
    expect(await stored()).toContain('2024-01-01 11');
  });

  it('are not affected by forecasts, which are of another series', async () => {
    await upload(file);
    await patch('2024-01-01', { price_value: 12 });
    await remove('2024-02-01');
    const report = await upload([
      ['2024-01-15', 99, 'forecast'],
      ['2024-02-15', 99, 'forecast'],
    ]);
    expect(counts(report)).toEqual({ ...none, new: 2 });
    expect(await stored()).toEqual(['2024-01-01 12', '2024-03-01 30']);
  });
  it('count the first row of a point in a file', async () => {
    await upload(file);
    await patch('2024-01-01', { price_value: 12 });
    const report = await upload([
      ['2024-01-15', 10],
      ['2024-01-15', 11],
    ]);
    expect(counts(report)).toEqual({ ...none, unchanged: 1, kept: 1 });
    expect(report.rejected_by_reason).toEqual({ conflict: 1 });
    expect(await stored()).toContain('2024-01-01 12');
  });

  it('are set aside if the import is told so', async () => {
    await upload(file);
    await patch('2024-01-01', { price_value: 12 });
    await remove('2024-02-01');
    expect(counts(await upload(file, '&overrule_corrections=true'))).toEqual({
      ...none,
      new: 1,
      changed: 1,
      unchanged: 1,
      superseded: 2,
    });
    expect(await stored()).toEqual(['2024-01-01 10', '2024-02-01 20', '2024-03-01 30']);
  });

  it('stay, as every stored point, where an import only adds', async () => {
    await upload(file);
    await patch('2024-01-01', { price_value: 12 });
    await remove('2024-02-01');
    const report = await upload(
      [
        ['2024-01-15', 11],
        ['2024-02-15', 21],
        ['2024-03-15', 31],
        ['2024-04-15', 40],
      ],
      '&fill_only=true',
    );
    expect(counts(report)).toEqual({
      ...none,
      new: 1,
      unchanged: 2,
      skipped: { already_stored: 1 },
      kept: 2,
    });
    expect(await stored()).toEqual(['2024-01-01 12', '2024-03-01 30', '2024-04-01 40']);
    expect(counts(await upload(file, '&fill_only=true'))).toMatchObject({ new: 0, unchanged: 3 });
    const both = await service
      .http()
      .post('/api/v1/Import/?format=wfp&fill_only=true&overrule_corrections=true')
      .set({ ...admin, 'Content-Type': 'text/csv' })
      .send(HEADER);
    expect(both.status).toBe(400);
    expect((both.body as { errors: { name: string }[] }).errors.map(({ name }) => name)).toEqual([
      'overrule_corrections',
      'fill_only',
    ]);
  });

  describe('of a price that its source has calculated', () => {
    const uuid = '3beeeab4-2bad-4c56-a50f-16eeadab281b';
    const MONTH = '2021-01-01';
    const send = async (format: string, type: string, text: string): Promise<Report> => {
      const { body } = await service
        .http()
        .post(`/api/v1/Import/?format=${format}`)
        .set({ ...admin, 'Content-Type': type })
        .send(text)
        .expect(200);
      return body as Report;
    };
    const price = (price_value: number) =>
      send(
        'fpma',
        'application/json',
        JSON.stringify([
          { uuid, datapoints: [{ date: MONTH, periodicity: 'monthly', price_value, comment: '' }] },
        ]),
      );
    /** Says of the series whether its source calculates its months. */
    const describeSeries = (calculated: boolean) =>
      send(
        'fpma',
        'application/json',
        JSON.stringify([
          {
            uuid,
            iso3_country_code: 'ARM',
            country_name: 'Armenia',
            periodicity: [
              { period: 'monthly', end_date: MONTH, start_date: MONTH, ...(calculated && { calculated }) },
            ],
            market: 7,
            market_name: 'Yerevan',
            market_info: '',
            market_type: '',
            admin_unit: '',
            admin_unit2: '',
            commodity: 5,
            commodity_name: 'Wheat flour',
            commodity_info: '',
            commodity_image: null,
            commodity_code: 'C_5',
            commodity_start_date: 1,
            alternative_code: '',
            alternative_name: '',
            source: 3,
            source_name: 'Office',
            source_url: '',
            price_type_id: 12,
            price_type: 'Retail',
            currency: 'AMD',
            measure_unit: 2,
            measure_unit_label: 'Kg',
            conversion_factor: 1,
          },
        ]),
      );
    beforeEach(async () => {
      await describeSeries(true);
      await price(215);
      await patch(MONTH, { price_value: 220 });
    });

    it('stays when the source repeats it, and ends when the source calculates another', async () => {
      expect(counts(await price(215))).toEqual({ ...none, unchanged: 1, kept: 1 });
      expect(counts(await price(216))).toEqual({ ...none, changed: 1, superseded: 1 });
      expect(await stored()).toEqual([`${MONTH} 216`]);
      expect(await states()).toEqual(['superseded 215 -> 220']);
    });

    it('ends when the source has an original price, though of the same value', async () => {
      await describeSeries(false);
      expect(counts(await price(215))).toEqual({ ...none, changed: 1, superseded: 1 });
      expect(await stored()).toEqual([`${MONTH} 215`]);
      expect(await states()).toEqual(['superseded 215 -> 220']);
    });
  });
});
