import { startTestApp, type TestApp } from '../support/test-app.js';

describe('sources of rates and indices', () => {
  let service: TestApp;
  let admin: { Authorization: string };
  beforeEach(async () => {
    service = await startTestApp();
    admin = await service.authHeader();
  });
  afterEach(() => service?.close());

  const upload = async (format: string, lines: readonly string[], query = '') => {
    const { body } = await service
      .http()
      .post(`/api/v1/Import/?format=${format}${query}`)
      .set({ ...admin, 'Content-Type': 'text/csv' })
      .send([...lines, ''].join('\n'))
      .expect(200);
    const report = body as Record<string, number>;
    return [report.new, report.changed, report.unchanged, report.kept_other_source];
  };
  const stored = async (table = 'FxRate', column = 'rate') => {
    const { body } = await service.http().get(`/api/v1/${table}/`).expect(200);
    return (body as Record<string, unknown>[]).map(
      (row) => `${String(row.date)} ${String(row[column])} ${String(row.source)}`,
    );
  };
  const imf = (rate: number) => ['Date,Rate,Currency,Frequency', `2024-01-31,${rate},KES,M`];
  const own = (rate: number, source?: string) => [
    `currency,date,period,rate${source === undefined ? '' : ',source'}`,
    `KES,2024-01-31,daily,${rate}${source === undefined ? '' : `,${source}`}`,
  ];
  const IMF = 'International Monetary Fund (IMF)';

  it('are those of the files, last in the read form', async () => {
    expect(await upload('fx', imf(150))).toEqual([1, 0, 0, 0]);
    await upload('fx', ['Date,Country,Exchange rate', '2024-02-01,Kenya,151', '2024-02-01,South Africa,19']);
    await upload('fx', [
      'countryISO3,name,date,value,isOfficial,frequency',
      'AFG,AFN,2024-02-01,70,True,Daily',
    ]);
    await upload(
      'fx',
      own(1, 'Central Bank').map((line) => line.replace('KES', 'UGX')),
    );
    await upload('cpi', [
      'iso3,m49,area,item_code,item,date,value',
      'KEN,404,Kenya,23012,"Consumer Prices, General Indices (2015 = 100)",2024-01-01,190',
    ]);
    expect(await stored()).toEqual([
      `2024-01-31 150 ${IMF}`,
      '2024-02-01 19 Federal Reserve H.10',
      '2024-02-01 70 World Food Programme (WFP)',
      '2024-01-31 1 Central Bank',
    ]);
    expect(await stored('Cpi', 'value')).toEqual(['2024-01-01 190 FAOSTAT']);
    const { body } = await service.http().get('/api/v1/FxRate/?currency=KES').expect(200);
    expect(Object.keys((body as object[])[0]!)).toEqual([
      'id',
      'currency',
      'date',
      'period',
      'rate',
      'rate_type',
      'source',
    ]);
  });

  it('keep rows from being changed by files of other sources, unless these replace them', async () => {
    await upload('fx', imf(150));
    expect(await upload('fx', own(151, 'Central Bank'))).toEqual([0, 0, 1, 1]);
    expect(await upload('fx', own(150, 'Central Bank'))).toEqual([0, 0, 1, 0]);
    expect(await upload('fx', own(152))).toEqual([0, 0, 1, 1]);
    expect(await stored()).toEqual([`2024-01-31 150 ${IMF}`]);
    expect(await upload('fx', own(152), `&source=${encodeURIComponent(IMF)}`)).toEqual([0, 1, 0, 0]);
    expect(await upload('fx', imf(153))).toEqual([0, 1, 0, 0]);
    expect(await stored()).toEqual([`2024-01-31 153 ${IMF}`]);
    expect(await upload('fx', own(151, 'Central Bank'), '&replace=true&dry_run=true')).toEqual([0, 1, 0, 0]);
    expect(await upload('fx', own(151, 'Central Bank'), '&replace=true')).toEqual([0, 1, 0, 0]);
    expect(await upload('fx', imf(153))).toEqual([0, 0, 1, 1]);
    expect(await stored()).toEqual(['2024-01-31 151 Central Bank']);
  });

  it('are taken from the first file that names one, where there is none', async () => {
    await upload('fx', own(150));
    expect(await stored()).toEqual(['2024-01-31 150 ']);
    expect(await upload('fx', own(149))).toEqual([0, 1, 0, 0]);
    expect(await upload('fx', imf(149), '&fill_only=true')).toEqual([0, 0, 0, 0]);
    expect(await upload('fx', imf(149))).toEqual([0, 1, 0, 0]);
    expect(await upload('fx', imf(149))).toEqual([0, 0, 1, 0]);
    expect(await stored()).toEqual([`2024-01-31 149 ${IMF}`]);
  });

  it('leave the corrections of maintainers to the source that they correct', async () => {
    await upload('fx', imf(150));
    const { body } = await service.http().get('/api/v1/FxRate/').expect(200);
    const [{ id }] = body as [{ id: number }];
    await service.http().patch(`/api/v1/FxRate/${id}/`).set(admin).send({ fx_rate_rate: 140 }).expect(200);
    expect(await upload('fx', own(145, 'Central Bank'))).toEqual([0, 0, 1, 1]);
    expect(await upload('fx', imf(150))).toEqual([0, 0, 1, 0]);
    expect(await stored()).toEqual([`2024-01-31 140 ${IMF}`]);
    expect(await upload('fx', imf(151))).toEqual([0, 1, 0, 0]);
    expect(await stored()).toEqual([`2024-01-31 151 ${IMF}`]);
  });
});
