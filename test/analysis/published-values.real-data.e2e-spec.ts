import { parse } from 'csv-parse/sync';
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { ImportService } from '../../src/import/import.service.js';
import { createInput } from '../../src/import/pipeline/input.js';
import { storeSeries, type SeriesSpec } from '../support/price-fixture.js';
import { describeWithRealData, realData } from '../support/real-data.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

/*
 * Compares what the service calculates from published prices with what others have published:
 * national offices of statistics (SDG 2.c.1), WFP (ALPS), and R (a classical decomposition).
 */

const LARGE = 'wfp/large/wfp_food_prices_58countries_2023-08.csv.gz';
const INDICES = 'cpi/fao_cpi_monthly_long_2000_2024.csv.gz';

type Row = Record<string, string>;

const bytesOf = (path: string) => {
  const bytes = readFileSync(realData(path));
  return path.endsWith('.gz') ? gunzipSync(bytes) : bytes;
};
const rowsOf = (path: string): Row[] => parse<Row>(bytesOf(path), { columns: true, bom: true });

const request = (format: string) => ({ format, options: {}, dryRun: false, caller: null, requestId: null });

/** The lines of a file that begin with one of these texts, and its first one. */
function linesOf(path: string, ...beginnings: string[]): string {
  const [header, ...lines] = bytesOf(path).toString().split('\n');
  return [header, ...lines.filter((line) => beginnings.some((text) => line.startsWith(text)))].join('\n');
}

async function importText(service: TestApp, format: string, text: string): Promise<void> {
  const bytes = (async function* () {
    await Promise.resolve();
    yield Buffer.from(text);
  })();
  await service.app.get(ImportService).import(request(format), createInput(bytes, 'part.csv', null));
}

const uuidOf = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;

async function indicators<T>(service: TestApp, uuid: string, query: string) {
  const { body } = await service.http().get(`/api/v1/PriceSerieIndicator/${uuid}/?${query}`).expect(200);
  return body as { seasonal: { index: number[] }; observations: T[] };
}

describeWithRealData('published indicators', () => {
  let service: TestApp;
  beforeAll(async () => {
    service = await startTestApp();
  });
  afterAll(() => service?.close());

  it('of food price anomalies (SDG 2.c.1) of Canada and Montenegro', async () => {
    await importText(service, 'cpi', linesOf(INDICES, 'CAN,', 'MNE,'));
    const food = rowsOf(INDICES).filter((row) => row.item_code === '23013' && row.value !== '');
    const countries = ['CAN', 'MNE'];
    await storeSeries(
      service.unitOfWork,
      countries.map((country, index): SeriesSpec => ({
        uuid: uuidOf(index + 1),
        market: { iso3_country_code: country, country_name: country, name: country },
        points: {
          monthly: food
            .filter(({ iso3 }) => iso3 === country)
            .map(({ date, value }) => [date!, Number(value)] as const),
        },
      })),
    );
    const found: Record<string, string> = {};
    for (const [index, country] of countries.entries()) {
      const published = rowsOf('vectors/ifpa_sdg_2c1.csv').filter((row) => row.iso3_country_code === country);
      const query = `annual=true&ifpa_mode=fpma&history_from=${published[0]!.history_from}`;
      const { observations } = await indicators<{ year: number; n_months: number; ifpa: number }>(
        service,
        uuidOf(index + 1),
        query,
      );
      const years = new Map(observations.map((year) => [year.year, year]));
      const whole = published.filter(({ year }) => years.get(Number(year))?.n_months === 12);
      const met = whole.filter(
        ({ year, ifpa }) => Math.abs(years.get(Number(year))!.ifpa - Number(ifpa)) <= 0.0101,
      );
      found[country] = `${met.length} of ${whole.length}`;
    }
    expect(found).toEqual({ CAN: '9 of 9', MNE: '12 of 13' });
  });

  it("of price spikes of Kenya and Egypt in WFP's feed", async () => {
    await importText(service, 'wfp', linesOf(LARGE, 'KEN,', 'EGY,'));
    const published = [...rowsOf('vectors/alps_wfp_ken.csv'), ...rowsOf('vectors/alps_wfp_egy.csv')];
    const { body } = await service
      .http()
      .get('/api/v1/PriceSerie/?iso3_country_codes=KEN,EGY&page_size=5000')
      .expect(200);
    const series = new Map(
      (body as { results: Record<string, string>[] }).results.map((entry) => [
        [entry.iso3_country_code, entry.market, entry.commodity, entry.measure_unit, entry.price_type].join(
          '|',
        ),
        entry.uuid!,
      ]),
    );
    const differences: number[] = [];
    for (const { iso3, market, commodity, unit, price_type: type, date, pewi } of published) {
      const uuid = series.get([iso3, market, commodity, unit, type!.toUpperCase()].join('|'));
      const month = `${date!.slice(0, 7)}-01`;
      const { observations } = await indicators<{ alps: { value: number } }>(
        service,
        uuid!,
        `start_date=${month}&end_date=${month}&indicators=alps`,
      );
      differences.push(Math.abs(observations[0]!.alps.value - Number(pewi)));
    }
    expect({
      values: differences.length,
      within: differences.filter((difference) => difference <= 0.001).length,
      all: Math.max(...differences) <= 0.005,
    }).toEqual({ values: 105, within: 99, all: true });
  });

  it('of the season, as R decomposes AirPassengers', async () => {
    const rows = rowsOf('vectors/airpassengers.csv');
    const [date, value] = Object.keys(rows[0]!);
    await storeSeries(service.unitOfWork, [
      {
        uuid: uuidOf(9),
        points: {
          monthly: rows.map((row) => [`${row[date!]!.slice(0, 7)}-01`, Number(row[value!])] as const),
        },
      },
    ]);
    const { seasonal } = await indicators(service, uuidOf(9), 'latest=1');
    const figure = [
      0.9102303674, 0.8836253207, 1.0073662876, 0.9759060123, 0.9813780275, 1.1127758267, 1.2265555429,
      1.2199109694, 1.0604919326, 0.9217572404, 0.8011780824, 0.89882439,
    ];
    expect(Math.max(...figure.map((each, month) => Math.abs(each - seasonal.index[month]!)))).toBeLessThan(
      1e-7,
    );
  });
});
