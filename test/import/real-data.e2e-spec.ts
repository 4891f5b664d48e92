import { jest } from '@jest/globals';
import { parse } from 'csv-parse';
import { createReadStream, statSync } from 'node:fs';
import { createGunzip } from 'node:zlib';
import { hsCodeOf } from '../../src/import/crosswalks/hs-codes.js';
import { reportCounts, openImports } from '../support/imports.js';
import { describeWithRealData, proof, realData, realDataFiles } from '../support/real-data.js';

jest.setTimeout(180_000);

/**
 * The records of a file below its header, read by csv-parse alone: independent of the readers under
 * test.
 */
async function recordsOf(file: string): Promise<string[][]> {
  const bytes = createReadStream(realData(file));
  const text = file.endsWith('.gz') ? bytes.pipe(createGunzip()) : bytes;
  const records: string[][] = [];
  for await (const record of text.pipe(parse({ bom: true, relax_column_count: true })))
    records.push(record as string[]);
  return records.slice(1);
}

const sum = (numbers: Record<string, number>) =>
  Object.values(numbers).reduce((total, number) => total + number, 0);

describeWithRealData('import of published data', () => {
  let imports: Awaited<ReturnType<typeof openImports>>;
  beforeAll(async () => (imports = await openImports()));
  afterEach(() => imports.empty());
  afterAll(() => imports.close());

  /** Sums over all points that any change to a point affects. */
  const checksum = () =>
    imports.rows(
      'SELECT COUNT(*) AS points, SUM(o.day) AS days, SUM(o.value) AS total, MAX(s.revision) AS revision' +
        ' FROM price_serie s JOIN observation o ON o.serie_id = s.id',
    );
  /** Stored periods that do not match the stored points. */
  const wrongPeriods = () =>
    imports.rows(
      'SELECT * FROM (SELECT serie_id, period, MIN(day) AS first, MAX(day) AS last, COUNT(*) AS number FROM observation' +
        ' GROUP BY serie_id, period) o LEFT JOIN series_period p ON p.serie_id = o.serie_id AND p.period = o.period' +
        ' WHERE p.points IS NULL OR p.points <> o.number OR p.start_day <> o.first OR p.end_day <> o.last',
    );

  proof(
    'imports the large WFP file with the counts of an independent reader, and changes nothing the second time',
    async () => {
      const file = 'wfp/large/wfp_food_prices_58countries_2023-08.csv.gz';
      const series = new Map<string, Set<string>>();
      const points = new Map<string, number>();
      const rowsOfFood = new Map<string, number>();
      for (const record of await recordsOf(file)) {
        const [
          country,
          ,
          admin1,
          admin2,
          market,
          ,
          ,
          category,
          commodity,
          unit,
          flag,
          type,
          currency,
          price,
        ] = record;
        if (category !== 'non-food') rowsOfFood.set(commodity!, (rowsOfFood.get(commodity!) ?? 0) + 1);
        if (flag === 'forecast' || Number(price) <= 0) continue;
        points.set(country!, (points.get(country!) ?? 0) + 1);
        const keys = series.get(country!) ?? new Set();
        series.set(country!, keys.add([admin1, admin2, market, commodity, unit, type, currency].join('|')));
      }
      const first = await imports.importFile('wfp', realData(file));
      expect(reportCounts(first)).toEqual({
        read: 489_710,
        new: 413_229,
        changed: 0,
        unchanged: 0,
        skipped: { forecast: 76_421 },
        rejected: { not_positive: 60 },
        series: 9806,
        records: { Commodity: 426, PriceType: 1, Market: 921, Source: 1, MeasureUnit: 88 },
        rounded: 250,
        hs_codes_kept: 0,
      });
      const byCountry = await imports.rows<{ country: string; series: number; points: number }>(
        'SELECT m.iso3_country_code AS country, COUNT(DISTINCT s.id) AS series, COUNT(*) AS points FROM observation o' +
          ' JOIN price_serie s ON s.id = o.serie_id JOIN market m ON m.id = s.market_id GROUP BY m.iso3_country_code ORDER BY 1',
      );
      expect(byCountry).toEqual(
        [...points.keys()].sort().map((country) => ({
          country,
          series: series.get(country)!.size,
          points: points.get(country),
        })),
      );
      const byType =
        'SELECT t.name, COUNT(*) AS points FROM observation o JOIN price_serie s ON s.id = o.serie_id';
      expect(
        await imports.rows(
          `${byType} JOIN price_type t ON t.id = s.price_type_id GROUP BY t.name ORDER BY 1`,
        ),
      ).toEqual([
        { name: 'PRODUCER', points: 248 },
        { name: 'RETAIL', points: 348_797 },
        { name: 'WHOLESALE', points: 64_184 },
      ]);
      expect(await wrongPeriods()).toEqual([]);
      const coded = [...rowsOfFood].filter(([commodity]) => hsCodeOf(commodity) !== null);
      const total = (rows: Iterable<[string, number]>) =>
        [...rows].reduce((count, [, number]) => count + number, 0);
      expect(total(coded) / total(rowsOfFood)).toBeGreaterThan(0.9);

      const before = await checksum();
      const second = await imports.importFile('wfp', realData(file));
      expect(reportCounts(second)).toMatchObject({
        new: 0,
        changed: 0,
        unchanged: 413_229,
        series: 0,
        records: {},
      });
      expect(await checksum()).toEqual(before);
    },
  );

  const daily = realDataFiles('daily').filter((file) => file.includes('_long_'));
  const prices = [
    ...realDataFiles('wfp/new_format').filter((file) => /wfp_food_prices/.test(file)),
    ...realDataFiles('wfp/new_format_yearly'),
    ...realDataFiles('wfp/old_format_hxl'),
    ...realDataFiles('wfp/legacy_vam_format'),
    ...daily.filter((file) => file.includes('4metros')),
  ];
  const importsAll = async (files: readonly string[]) => {
    for (const file of files) {
      const records = (await recordsOf(file)).length;
      const options = daily.includes(file) ? { country: 'IND', period: 'daily' as const } : {};
      const report = await imports.importFile('wfp', realData(file), options);
      expect({
        file,
        error: report.error,
        read: report.read,
        rounded: report.rounded,
        reasons: report.rejected_by_reason,
      }).toEqual({
        file,
        error: null,
        read: records,
        rounded: expect.any(Number),
        reasons: file.endsWith('wfp_food_prices_ven.csv') ? { not_positive: 60 } : {},
      });
      expect(report.new + report.changed + report.unchanged + sum(report.skipped) + report.rejected).toBe(
        records,
      );
      const again = await imports.importFile('wfp', realData(file), options);
      expect([file, again.new, again.changed, again.unchanged]).toEqual([
        file,
        0,
        0,
        report.new + report.unchanged,
      ]);
    }
    expect(await wrongPeriods()).toEqual([]);
  };
  const small = prices.filter((file) => statSync(realData(file)).size < 125_000);
  it('imports the small price files of WFP, of all layouts, with a report that adds up', () =>
    importsAll(small));
  proof('imports every price file of WFP, with a report that adds up', async () => {
    expect(prices).toHaveLength(36);
    await importsAll(prices);
  });

  proof('imports 1,232,425 daily prices, and changes nothing the second time', async () => {
    const file = realData('daily/ind_doca_daily_long_2018.csv.gz');
    const first = await imports.importFile('wfp', file, { country: 'IND', period: 'daily' });
    expect(reportCounts(first)).toMatchObject({
      read: 1_232_425,
      new: 1_232_425,
      skipped: {},
      rejected: {},
      series: 4530,
    });
    expect(await wrongPeriods()).toEqual([]);
    const before = await checksum();
    const second = await imports.importFile('wfp', file, { country: 'IND', period: 'daily' });
    expect(reportCounts(second)).toMatchObject({ new: 0, changed: 0, unchanged: 1_232_425 });
    expect(await checksum()).toEqual(before);
  });

  const others = [...realDataFiles('wfp'), ...realDataFiles('daily')].filter(
    (file) => !prices.includes(file) && !daily.includes(file) && !file.startsWith('wfp/large'),
  );
  it.each(others)('rejects %s with one line', async (file) => {
    const report = await imports.importFile('wfp', realData(file));
    expect([report.new, report.error]).toEqual([
      0,
      expect.stringMatching(/^The input is not in the format wfp(\. Accepted)?: [^\n]*\.$/),
    ]);
  });

  it.each([
    [
      'fx',
      'fx/fx_monthly_imf_2015_2020.csv',
      { new: 10_520, skipped: { no_currency_code: 144 }, rejected: { conflict: 2870 } },
    ],
    ['fx', 'fx/fx_monthly_fed_h10.csv', { new: 17_237, skipped: {}, rejected: {} }],
    ['fx', 'fx/fx_daily_wfp_afn_1999_2024.csv', { new: 8082, skipped: {}, rejected: {} }],
    ['fx', 'fx/fx_annual_imf_period_average.csv', { new: 0, skipped: { annual: 14_107 }, rejected: {} }],
  ])('imports %s from %s, and changes nothing the second time', async (format, file, expected) => {
    expect(reportCounts(await imports.importFile(format, realData(file)))).toMatchObject(expected);
    const again = await imports.importFile(format, realData(file));
    expect(reportCounts(again)).toMatchObject({ new: 0, changed: 0, unchanged: expected.new });
  });

  it('reads the same indices from both tables of FAO', async () => {
    await imports.importFile('cpi', realData('cpi/fao_cpi_monthly_wide_2000_2024.csv.gz'));
    const long = await imports.importFile('cpi', realData('cpi/fao_cpi_monthly_long_2000_2024.csv.gz'));
    expect(reportCounts(long)).toMatchObject({
      new: 0,
      changed: 0,
      unchanged: 117_556,
      skipped: { other_item: 55_877, no_country_code: 50_130 },
      rejected: {},
    });
  });

  it.each([
    ['fx', 'fx/fx_monthly_implied_from_wfp.csv'],
    ['cpi', 'cpi/worldbank_cpi_annual.csv'],
    ['prices', 'fpma/fpma_datapoints_excerpt.csv'],
    ['fpma', 'wfp/api_json/Commodities_List_1.json'],
    ['fpma', 'wfp/api_json/wfp_api_price_monthly_to_2021.ndjson.gz'],
  ])('%s rejects %s', async (format, file) => {
    const report = await imports.importFile(format, realData(file));
    expect(report.error).toMatch(
      new RegExp(`^The input is not in the format ${format}(\\. Accepted)?: [^\\n]+\\.$`),
    );
  });

  it("imports FPMA's lists of markets, series and prices", async () => {
    const of = async (name: string) =>
      reportCounts(await imports.importFile('fpma', realData(`fpma-sample/${name}.json`)));
    expect(await of('markets')).toMatchObject({ read: 18, new: 18 });
    expect(await of('series')).toMatchObject({ read: 42, new: 42, series: 42 });
    expect(await of('prices-excerpts')).toMatchObject({ read: 25, new: 25 });
  });
});
