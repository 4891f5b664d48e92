import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { dayFromIso, isoFromDay } from '../../src/lib/dates/calendar-date.js';
import { importFormats } from '../../src/import/formats/index.js';
import { seriesUuid } from '../../src/import/pipeline/series-uuid.js';
import { fixture } from '../support/import-input.js';
import { reportCounts, openImports } from '../support/imports.js';
import { testChange } from '../support/change-set.js';

const HEADER =
  'date,admin1,admin2,market,latitude,longitude,category,commodity,unit,priceflag,pricetype,currency,price,usdprice';

interface Line {
  date: string;
  price: string | number;
  market?: string;
  commodity?: string;
  flag?: string;
}
const wfp = (...lines: Line[]) => wfpOf(lines);
const wfpOf = (lines: Line[]) =>
  [
    HEADER,
    ...lines.map(
      ({ date, price, market = 'Kitui', commodity = 'Maize', flag = 'actual' }) =>
        `${date},Eastern,,${market},,,food,${commodity},90 KG,${flag},Retail,KES,${price},`,
    ),
  ].join('\n');
const country = 'KEN';
const maizeUuid = seriesUuid([
  'KEN',
  'Eastern',
  '',
  'Kitui',
  'Maize',
  'RETAIL',
  'World Food Programme (WFP)',
  '90 KG',
  'KES',
]);

describe('import', () => {
  let imports: Awaited<ReturnType<typeof openImports>>;
  beforeAll(async () => (imports = await openImports()));
  afterEach(() => imports.empty());
  afterAll(() => imports.close());

  const points = () =>
    imports.rows(
      'SELECT s.uuid, o.period, o.day, o.value, o.comment FROM observation o JOIN price_serie s ON s.id = o.serie_id ORDER BY o.serie_id, o.day',
    );

  it('creates series, records and points, and reports them', async () => {
    const report = await imports.importFile('wfp', 'ok/wfp_food_prices_ken.csv');
    expect(report).toEqual({
      format: 'wfp',
      input: 'wfp_food_prices_ken.csv',
      change_set_id: 2,
      digest: expect.stringMatching(/^[0-9a-f]{64}$/),
      bytes: 645,
      dry_run: false,
      convention: { decimal: { is: 'point', line: 2 }, dates: { is: 'ymd', line: 2 } },
      notes: [expect.stringMatching(/^usdprice is not read\. Dollars are /)],
      error: null,
      read: 4,
      new: 3,
      changed: 0,
      unchanged: 0,
      skipped: { forecast: 1 },
      rejected: 0,
      rejected_by_reason: {},
      rejects: [],
      countries: { KEN: 2 },
      series: 2,
      records: { Commodity: 2, Market: 2, Source: 1, MeasureUnit: 2 },
      created_records: [
        { table: 'Commodity', name: 'Rice (mixed, low quality)', near: [] },
        { table: 'Commodity', name: 'Fuel (diesel)', near: [] },
        { table: 'Market', name: 'Ouenzé', near: [] },
        { table: 'Market', name: 'National Average', near: [] },
        { table: 'Source', name: 'World Food Programme (WFP)', near: [] },
        { table: 'MeasureUnit', name: '46 KG', near: [] },
        { table: 'MeasureUnit', name: 'L', near: [] },
      ],
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
      first_rows: expect.any(Array),
      seconds: expect.any(Number),
      rows_per_second: expect.any(Number),
    });
    const stored = await imports.contents();
    expect(stored.market!.map((row) => row.slice(1))).toEqual([
      ['Ouenzé', '', '9001', 'KEN', 'Kenya', 'Eastern', 'Kitui', -1.25, 38.5, '', 0, 1],
      ['National Average', '', '9002', 'KEN', 'Kenya', '', '', null, null, '', 1, 1],
    ]);
    expect(stored.commodity!.map((row) => row.slice(1))).toEqual([
      ['Rice (mixed, low quality)', '100630', 'cereals and tubers', 1],
      ['Fuel (diesel)', null, 'non-food', 1],
    ]);
    expect(stored.measure_unit!.map((row) => row.slice(1))).toEqual([
      ['46 KG', 'mass', 0.0217391304347826, 1],
      ['L', 'volume', 1, 1],
    ]);
    expect(stored.source!.map((row) => row.slice(1))).toEqual([
      [
        'World Food Programme (WFP)',
        'https://data.humdata.org/dataset/global-wfp-food-prices',
        'CC BY-IGO',
        1,
      ],
    ]);
    expect(stored.price_serie).toHaveLength(2);
    const [rice, fuel] = stored.price_serie!.map(([id]) => id);
    const [january, february] = [dayFromIso('2021-01-01'), dayFromIso('2021-02-01')];
    expect(stored.observation).toEqual([
      [rice, 3, january, 635, 0, null, 0],
      [rice, 3, february, 640.5, 0, null, 0],
      [fuel, 3, january, 101.25, 0, null, 0],
    ]);
    expect(stored.series_period).toEqual([
      [rice, 3, january, february, 0, 2],
      [fuel, 3, january, january, 0, 1],
    ]);
  });

  it('changes nothing when it runs again, and reports that', async () => {
    await imports.importFile('wfp', 'ok/wfp_food_prices_ken.csv');
    const before = await imports.contents();
    const [stamped] = await imports.rows('SELECT MAX(revision) AS revision FROM price_serie');
    const report = await imports.importFile('wfp', 'ok/wfp_food_prices_ken.csv');
    expect(reportCounts(report)).toEqual({
      read: 4,
      new: 0,
      changed: 0,
      unchanged: 3,
      skipped: { forecast: 1 },
      rejected: {},
      series: 0,
      records: {},
      rounded: 0,
      hs_codes_kept: 0,
    });
    expect(await imports.contents()).toEqual(before);
    expect(await imports.rows('SELECT MAX(revision) AS revision FROM price_serie')).toEqual([stamped]);
  });

  it('changes a price that differs', async () => {
    await imports.importText('wfp', wfp({ date: '2021-01-15', price: 5 }, { date: '2021-02-15', price: 6 }), {
      country,
    });
    const report = await imports.importText(
      'wfp',
      wfp({ date: '2021-01-15', price: 5 }, { date: '2021-02-15', price: 7 }),
      {
        country,
      },
    );
    expect([report.new, report.changed, report.unchanged]).toEqual([0, 1, 1]);
    expect((await points()).map(({ value }) => value)).toEqual([5, 7]);
  });

  it('derives the uuid of a series from its natural key', async () => {
    await imports.importText('wfp', wfp({ date: '2021-01-15', price: 5 }), { country });
    expect(await imports.rows('SELECT uuid FROM price_serie')).toEqual([{ uuid: maizeUuid }]);
  });

  it('finds a series by its uuid after its records were renamed', async () => {
    await imports.importText('wfp', wfp({ date: '2021-01-15', price: 5 }), { country });
    await imports.unitOfWork.run(async (transaction) => {
      await transaction.execute("UPDATE market SET name = 'Kitui Central'");
      await transaction.execute("UPDATE commodity SET name = 'Corn', hs_code = '1005'");
    });
    const report = await imports.importText('wfp', wfp({ date: '2021-02-15', price: 6 }), { country });
    expect([report.new, report.series, report.records]).toEqual([1, 0, {}]);
    expect(
      (await imports.rows('SELECT name FROM market')).concat(
        await imports.rows('SELECT name FROM commodity'),
      ),
    ).toEqual([{ name: 'Kitui Central' }, { name: 'Corn' }]);
  });

  it('uses existing records, and keeps their HS codes', async () => {
    await imports.unitOfWork.change(testChange, async (transaction) => {
      await transaction.execute(
        "INSERT INTO commodity (name, hs_code, category) VALUES ('Maize', '100510', 'mine'), ('Millet', NULL, '')",
      );
      await transaction.execute(
        "INSERT INTO market (name, iso3_country_code, admin_unit) VALUES ('Kitui', 'KEN', 'Eastern')",
      );
    });
    const text = wfp({ date: '2021-01-15', price: 5 }, { date: '2021-01-15', price: 6, commodity: 'Millet' });
    const report = await imports.importText('wfp', text, { country });
    expect([report.series, report.records, report.hs_codes_kept]).toEqual([
      2,
      { Source: 1, MeasureUnit: 1 },
      1,
    ]);
    expect(await imports.rows('SELECT name, hs_code, category FROM commodity ORDER BY id')).toEqual([
      { name: 'Maize', hs_code: '100510', category: 'mine' },
      { name: 'Millet', hs_code: '100829', category: 'food' },
    ]);
  });

  it('distinguishes names by case and accents, on every engine', async () => {
    const names = ['cafe', 'CAFE', 'café', 'Café'];
    const report = await imports.importText(
      'wfp',
      wfp(...names.map((market) => ({ date: '2021-01-15', price: 5, market }))),
      {
        country,
      },
    );
    expect([report.series, report.records.Market]).toEqual([4, 4]);
    expect((await imports.rows('SELECT name FROM market ORDER BY id')).map(({ name }) => name)).toEqual(
      names,
    );
  });

  it('counts a repeated row as unchanged, and rejects a conflicting one', async () => {
    const lines = [5, 5, 6].map((price) => ({ date: '2021-01-15', price }));
    // The last row is of the same series, but with whitespace around the name.
    const report = await imports.importText(
      'wfp',
      wfp(...lines, { date: '2021-01-15', price: 8, market: ' Kitui ' }),
      { country },
    );
    expect(reportCounts(report)).toMatchObject({
      read: 4,
      new: 1,
      unchanged: 1,
      rejected: { conflict: 2 },
      series: 1,
    });
    expect(report.rejects).toEqual(
      [4, 5].map((line) => ({
        line,
        field: 'price',
        reason: 'conflict',
        detail: 'An earlier line has 5 for the same series and date.',
      })),
    );
    expect((await points()).map(({ value }) => value)).toEqual([5]);
  });

  describe('forecasts', () => {
    const forecast = (date: string, price: number) => ({ date, price, flag: 'forecast' });

    it('are skipped and counted', async () => {
      const report = await imports.importText(
        'wfp',
        wfp(forecast('2021-01-15', 5), { date: '2021-02-15', price: 5 }),
        { country },
      );
      expect(reportCounts(report)).toMatchObject({ new: 1, skipped: { forecast: 1 } });
    });

    it('are stored on request in a series of their own, beside the prices of the same months', async () => {
      const options = { country, includeForecast: true };
      await imports.importText('wfp', wfp({ date: '2021-01-15', price: 5 }), options);
      const text = wfp(
        forecast('2021-01-15', 50),
        forecast('2021-02-15', 60),
        { date: '2021-02-15', price: 6 },
        forecast('2021-03-15', 70),
        forecast('2021-03-15', 71),
      );
      const report = await imports.importText('wfp', text, options);
      expect(reportCounts(report)).toMatchObject({ read: 5, new: 4, changed: 0, rejected: { conflict: 1 } });
      expect(report).toMatchObject({ series: 1 });
      const stored = async () =>
        imports.database.arrays(
          'SELECT s.status, o.value, o.comment FROM observation o JOIN price_serie s ON s.id = o.serie_id' +
            ' ORDER BY s.status, o.day',
        );
      const prices = [
        [0, 5, null],
        [0, 6, null],
        [2, 50, null],
        [2, 60, null],
        [2, 70, null],
      ];
      expect(await stored()).toEqual(prices);
      const before = await imports.contents();
      await imports.importText('wfp', text, options);
      expect(await imports.contents()).toEqual(before);
      // The forecast of a month stays when its price comes.
      await imports.importText('wfp', wfp({ date: '2021-03-15', price: 8 }), { country });
      expect(await stored()).toEqual([...prices.slice(0, 2), [0, 8, null], ...prices.slice(2)]);
    });
  });

  it('reports in a dry run what it would do, and stores nothing', async () => {
    await imports.importText('wfp', wfp({ date: '2021-01-15', price: 5 }), { country });
    const before = await imports.contents();
    const text = wfp(
      { date: '2021-01-15', price: 6 },
      { date: '2021-02-15', price: 6 },
      { date: '2021-02-15', price: 6, market: 'Embu' },
      { date: '2021-02-15', price: 0 },
    );
    const dry = await imports.importText('wfp', text, { country, dryRun: true });
    expect(await imports.contents()).toEqual(before);
    expect(await imports.rows("SELECT id FROM audit_log WHERE action = 'import'")).toHaveLength(1);
    const real = await imports.importText('wfp', text, { country });
    expect(reportCounts(dry)).toEqual(reportCounts(real));
    expect(reportCounts(real)).toMatchObject({
      new: 2,
      changed: 1,
      rejected: { not_positive: 1 },
      series: 1,
      records: { Market: 1 },
    });
  });

  it('counts what a dry run would create once, over all its transactions', async () => {
    const lines = Array.from({ length: 25_000 }, (_, at) => ({
      date: `${1900 + Math.floor(at / 12 / 25)}-${String((at % 12) + 1).padStart(2, '0')}-15`,
      price: 1 + at,
      market: `M${Math.floor(at / 12) % 25}`,
    }));
    const dry = await imports.importText('wfp', wfpOf(lines), { country, dryRun: true });
    expect(reportCounts(dry)).toMatchObject({
      read: 25_000,
      new: 25_000,
      series: 25,
      records: { Market: 25, Commodity: 1 },
    });
    const real = await imports.importText('wfp', wfpOf(lines), { country });
    expect(reportCounts(real)).toEqual(reportCounts(dry));
    expect(await imports.rows('SELECT COUNT(*) AS points FROM observation')).toEqual([{ points: 25_000 }]);
    const [total] = await imports.rows('SELECT SUM(points) AS points FROM series_period');
    expect(Number(total!.points)).toBe(25_000);
  });

  it('writes one audit row', async () => {
    const report = await imports.importFile('wfp', 'not-ok/wfp_food_prices_ken.csv');
    const trail = await imports.rows<Record<string, unknown>>('SELECT * FROM audit_log ORDER BY id');
    expect(trail).toHaveLength(1);
    const { after, ...row } = trail[0]!;
    expect(row).toEqual({
      id: expect.any(Number),
      at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      account_id: null,
      change_set_id: expect.any(Number),
      token_id: '',
      issuer: '',
      subject: '',
      request_id: '',
      table_name: 'import',
      record_id: null,
      action: 'import',
      before: null,
    });
    expect(JSON.parse(after as string)).toEqual({
      format: 'wfp',
      input: 'wfp_food_prices_ken.csv',
      digest: report.digest,
      bytes: report.bytes,
      convention: report.convention,
      notes: report.notes,
      error: null,
      read: 12,
      new: 1,
      changed: 0,
      unchanged: 0,
      skipped: {},
      rejected: 11,
      rejected_by_reason: report.rejected_by_reason,
      countries: { KEN: 1 },
      series: 1,
      records: { Commodity: 1, Market: 1, Source: 1, MeasureUnit: 1 },
      rounded: 0,
      inverted: 0,
      replaced: 0,
      hs_codes_kept: 0,
      filled: 0,
      attribute_conflicts: 0,
      corrections_kept: 0,
      corrections_confirmed: 0,
      corrections_superseded: 0,
      kept_other_source: 0,
      older_than_stored: 0,
      findings: {},
      seconds: report.seconds,
    });
  });

  it('ends early if the input is rejected, and reports why', async () => {
    const report = await imports.importFile('wfp', 'not-ok/wfp_other_layout.csv');
    expect(report.error).toMatch(/^The input is not in the format wfp\. Accepted: /);
    expect((await imports.importText('csv', 'a,b')).error).toBe(
      `Unknown format "csv". It must be one of ${Object.keys(importFormats).join(', ')}.`,
    );
    // The lock is released.
    expect((await imports.importFile('wfp', 'ok/wfp_food_prices_ken.csv')).error).toBeNull();
  });

  it('keeps what was stored before the input failed', async () => {
    const rates = Array.from(
      { length: 30_000 },
      (_, at) => `KES,${isoFromDay(700_000 + at)},daily,${1 + at}`,
    );
    const gzipped = gzipSync(['currency,date,period,rate', ...rates].join('\n'));
    const report = await imports.importBytes('fx', gzipped.subarray(0, gzipped.length * 0.9));
    expect(report.error).toBe('The gzip input is damaged or truncated.');
    expect([report.new >= 20_000, report.new < 30_000]).toEqual([true, true]);
    expect(await imports.rows('SELECT COUNT(*) AS rates FROM fx_rate')).toEqual([{ rates: report.new }]);
  });

  describe('in one transaction', () => {
    it('stores everything with one revision', async () => {
      const [before] = await imports.rows<{ revision: number }>('SELECT revision FROM data_revision');
      const lines = Array.from({ length: 12_000 }, (_, at) => ({
        date: `${1000 + Math.floor(at / 12)}-${String((at % 12) + 1).padStart(2, '0')}-15`,
        price: 5,
      }));
      const report = await imports.importAtomically('wfp', wfpOf(lines), { country });
      expect(reportCounts(report)).toMatchObject({ read: 12_000, new: 12_000, series: 1 });
      const [after] = await imports.rows<{ revision: number }>('SELECT revision FROM data_revision');
      expect(Number(after!.revision) - Number(before!.revision)).toBe(1);
    });

    it('stores nothing of an input that is rejected at its end', async () => {
      const text = wfp(
        { date: '2021-01-15', price: 5 },
        { date: '2021-02-15', price: 5 },
        { date: '2021-02-16', price: 5 },
      );
      await expect(imports.importAtomically('wfp', text, { country })).rejects.toThrow(
        'A price is dated 2021-02-16',
      );
      expect(await points()).toEqual([]);
    });
  });

  describe('reference tables', () => {
    it('adds records, changes the fields of the input, and counts the rest as unchanged', async () => {
      expect(reportCounts(await imports.importFile('Market', 'ok/Market.csv'))).toMatchObject({
        read: 2,
        new: 2,
        changed: 0,
      });
      await imports.unitOfWork.run((transaction) =>
        transaction.execute("UPDATE market SET country_name = 'Kenia' WHERE name = 'Kitui'"),
      );
      const report = await imports.importText(
        'Market',
        'name,iso3_country_code,admin_unit,latitude\nKitui,KEN,Eastern,-1.5\nKenya,KEN,,\nKenya,KEN,Coast,\n',
      );
      expect(reportCounts(report)).toMatchObject({ read: 3, new: 1, changed: 1, unchanged: 1 });
      const { market } = await imports.contents();
      expect(market!.map((row) => row.slice(1))).toEqual([
        [
          'Kitui',
          'Wholesale market',
          'M-1',
          'KEN',
          'Kenia',
          'Eastern',
          '',
          -1.5,
          38.5,
          'Sells grain, mostly',
          0,
          2,
        ],
        ['Kenya', '', '', 'KEN', 'Kenya', '', '', null, null, '', 1, 1],
        ['Kenya', '', '', 'KEN', 'Kenia', 'Coast', '', null, null, '', 0, 1],
      ]);
    });

    it('keeps HS codes, and sets missing ones', async () => {
      await imports.importText('Commodity', 'name,hs_code,category\nMaize,1005,a\nMillet,,b\n');
      const report = await imports.importText(
        'Commodity',
        'name,hs_code,category\nMaize,100590,c\nMillet,1008,b\n',
      );
      expect(reportCounts(report)).toMatchObject({ new: 0, changed: 2, unchanged: 0, hs_codes_kept: 1 });
      expect(
        await imports.rows('SELECT name, hs_code, category, version FROM commodity ORDER BY id'),
      ).toEqual([
        { name: 'Maize', hs_code: '1005', category: 'c', version: 2 },
        { name: 'Millet', hs_code: '1008', category: 'b', version: 2 },
      ]);
    });

    it('assigns price types ids after the fixed ones', async () => {
      await imports.importText('PriceType', 'name\nRetail\nFarm Gate\n');
      const types = await imports.rows<{ id: number; name: string }>(
        'SELECT id, name FROM price_type ORDER BY id',
      );
      expect(types).toEqual([
        { id: 11, name: 'EXPORT' },
        { id: 12, name: 'RETAIL' },
        { id: 13, name: 'WHOLESALE' },
        { id: 17, name: 'IMPORT' },
        { id: expect.any(Number), name: 'FARM GATE' },
      ]);
      expect(types.at(-1)!.id).toBeGreaterThan(17);
    });

    it('rejects a record that differs from an earlier line', async () => {
      const report = await imports.importText(
        'fx',
        'currency,date,rate\nKES,2021-01-01,109\nKES,2021-01-01,109\nKES,2021-01-01,110\n',
      );
      expect(reportCounts(report)).toMatchObject({
        read: 3,
        new: 1,
        unchanged: 1,
        rejected: { conflict: 1 },
      });
      expect(report.rejects).toEqual([
        {
          line: 4,
          field: 'rate',
          reason: 'conflict',
          detail: 'Line 2 has a different rate for the same record.',
        },
      ]);
    });

    it.each(['fx_imf.csv', 'fx_fed.csv', 'fx_wfp_daily.csv', 'fx_own.csv'])(
      'stores %s, and changes nothing the second time',
      async (name) => {
        const first = await imports.importFile('fx', `ok/${name}`);
        const before = await imports.contents();
        expect(before.fx_rate).toHaveLength(first.new);
        const second = await imports.importFile('fx', `ok/${name}`);
        expect([second.new, second.changed, second.unchanged]).toEqual([0, 0, first.new]);
        expect(await imports.contents()).toEqual(before);
      },
    );
  });

  describe('fpma', () => {
    it('keeps the uuids, and the calculated periods of the source', async () => {
      expect(reportCounts(await imports.importFile('fpma', 'ok/fpma_markets.json'))).toMatchObject({
        read: 2,
        new: 2,
      });
      expect(reportCounts(await imports.importFile('fpma', 'ok/fpma_series.json'))).toMatchObject({
        read: 2,
        new: 2,
        series: 2,
        records: { Commodity: 2, Market: 1, Source: 1, MeasureUnit: 2 },
      });
      expect(reportCounts(await imports.importFile('fpma', 'ok/fpma_prices.ndjson'))).toMatchObject({
        read: 4,
        new: 3,
        skipped: { no_value: 1 },
        rounded: 1,
      });
      const uuid = '3beeeab4-2bad-4c56-a50f-16eeadab281b';
      const stored =
        'SELECT s.uuid, o.period, o.day, o.value, o.calculated, o.comment FROM observation o JOIN price_serie s ON s.id = o.serie_id ORDER BY o.period, o.day';
      expect(await imports.rows(stored)).toEqual([
        {
          uuid,
          period: 2,
          day: dayFromIso('2021-01-29'),
          value: 210.123456789012,
          calculated: 0,
          comment: null,
        },
        {
          uuid,
          period: 2,
          day: dayFromIso('2021-02-05'),
          value: 219.9,
          calculated: 0,
          comment: 'provisional',
        },
        { uuid, period: 3, day: dayFromIso('2021-01-01'), value: 215, calculated: 1, comment: null },
      ]);
      // The coordinates are those of the list of markets.
      expect(
        await imports.rows(
          'SELECT m.latitude FROM price_serie s JOIN market m ON m.id = s.market_id ORDER BY s.id',
        ),
      ).toEqual([{ latitude: 40.18 }, { latitude: null }]);
    });

    it('changes nothing the second time', async () => {
      const files = ['ok/fpma_markets.json', 'ok/fpma_series.json', 'ok/fpma_prices.ndjson'];
      for (const file of files) await imports.importFile('fpma', file);
      const before = await imports.contents();
      for (const file of files) {
        expect(reportCounts(await imports.importFile('fpma', file))).toMatchObject({
          new: 0,
          changed: 0,
          series: 0,
          records: {},
        });
      }
      expect(await imports.contents()).toEqual(before);
    });

    it('updates the calculated periods of existing series', async () => {
      await imports.importFile('fpma', 'ok/fpma_series.json');
      await imports.unitOfWork.change(testChange, (transaction) =>
        transaction.execute('UPDATE price_serie SET marked_periods = 0'),
      );
      const dry = await imports.importFile('fpma', 'ok/fpma_series.json', { dryRun: true });
      expect(reportCounts(dry)).toMatchObject({ new: 0, changed: 1, unchanged: 1 });
      expect(reportCounts(await imports.importFile('fpma', 'ok/fpma_series.json'))).toEqual(
        reportCounts(dry),
      );
      expect(await imports.rows('SELECT marked_periods FROM price_serie ORDER BY id')).toEqual([
        { marked_periods: 8 },
        { marked_periods: 0 },
      ]);
    });

    it('reads a series and its prices from one input, in either order', async () => {
      const { results } = JSON.parse(readFileSync(fixture('ok/fpma_series.json'), 'utf8')) as {
        results: unknown[];
      };
      const series = JSON.stringify(results[0]);
      const [prices] = readFileSync(fixture('ok/fpma_prices.ndjson'), 'utf8').split('\n');
      const stored: unknown[] = [];
      for (const lines of [
        [series, prices],
        [prices, series],
      ]) {
        await imports.empty();
        const report = await imports.importText('fpma', lines.join('\n'));
        expect(reportCounts(report)).toMatchObject({ read: 4, new: 4, rejected: {}, series: 1 });
        stored.push((await imports.contents()).observation!.map(([, ...point]) => point));
      }
      expect(stored[0]).toHaveLength(3);
      expect(stored[1]).toEqual(stored[0]);
    });

    it('rejects prices of unknown series', async () => {
      const report = await imports.importFile('fpma', 'ok/fpma_prices.ndjson');
      expect(reportCounts(report)).toMatchObject({
        read: 4,
        new: 0,
        rejected: { unknown_uuid: 3 },
        series: 0,
      });
      expect(report.rejects[0]).toEqual({
        line: 1,
        field: 'uuid',
        reason: 'unknown_uuid',
        detail: 'There is no series 3beeeab4-2bad-4c56-a50f-16eeadab281b: import the list of series first.',
      });
    });
  });

  it('stores its own CSV of prices, and changes nothing the second time', async () => {
    const first = await imports.importFile('prices', 'ok/prices_all_columns.csv');
    expect(reportCounts(first)).toMatchObject({ read: 3, new: 2, skipped: { calculated: 1 }, series: 1 });
    const before = await imports.contents();
    expect(before.price_serie!.map(([, uuid]) => uuid)).toEqual(['6f0d2c1e-7a3b-4c5d-8e9f-0a1b2c3d4e5f']);
    const second = await imports.importFile('prices', 'ok/prices_all_columns.csv');
    expect(reportCounts(second)).toMatchObject({ new: 0, changed: 0, unchanged: 2, series: 0, records: {} });
    expect(await imports.contents()).toEqual(before);
  });

  it('increments the revisions of the changed data only', async () => {
    const revision = async () =>
      (await imports.rows<Record<string, number>>('SELECT * FROM data_revision'))[0]!;
    const changedBy = async (work: () => Promise<unknown>) => {
      const before = await revision();
      await work();
      const after = await revision();
      return ['reference_revision', 'series_revision', 'rates_revision'].filter(
        (area) => before[area] !== after[area],
      );
    };
    expect(await changedBy(() => imports.importFile('wfp', 'ok/wfp_food_prices_ken.csv'))).toEqual([
      'reference_revision',
      'series_revision',
    ]);
    expect(await changedBy(() => imports.importFile('wfp', 'ok/wfp_food_prices_ken.csv'))).toEqual([]);
    expect(await changedBy(() => imports.importFile('fx', 'ok/fx_own.csv'))).toEqual(['rates_revision']);
    expect(await changedBy(() => imports.importFile('cpi', 'ok/cpi_own.csv'))).toEqual(['rates_revision']);
    expect(await changedBy(() => imports.importFile('Market', 'ok/Market.csv'))).toEqual([
      'reference_revision',
    ]);
  });
});
