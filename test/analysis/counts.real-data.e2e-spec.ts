import { IndicatorCalculation } from '../../src/analysis/indicators/indicator-calculation.js';
import { DEFAULT_SETTINGS } from '../../src/analysis/indicators/indicator-settings.js';
import { ALL_MONTHS } from '../../src/analysis/indicators/indicators.service.js';
import { isValue } from '../../src/analysis/methods/reason.js';
import {
  columnsSerializer,
  priceColumns,
  type MonthlyPriceColumns,
} from '../../src/analysis/price-columns.js';
import { ImportService } from '../../src/import/import.service.js';
import { openInput } from '../../src/import/pipeline/input.js';
import { SeriesCatalogue } from '../../src/price-series/catalogue/catalogue.js';
import { isFood } from '../../src/price-series/commodity-kinds.js';
import { PriceLoader } from '../../src/prices/read/price-loader.js';
import { describeWithRealData, realData } from '../support/real-data.js';
import { plainWarnings, type PlainSeries } from './plain-warnings.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

/*
 * Counts the indicators of the large WFP file: IFPA of each series at its last month with a real
 * price, the others at its last month. The numbers were computed independently, from the files.
 */

const LARGE = 'wfp/large/wfp_food_prices_58countries_2023-08.csv.gz';
const INDICES = 'cpi/fao_cpi_monthly_long_2000_2024.csv.gz';
/** A country with few series, of markets and of an average. */
const PLAIN_COUNTRY = 'BTN';
const SERIES_PER_LOAD = 200;

describeWithRealData('the indicators of the large WFP file', () => {
  let service: TestApp;
  beforeAll(async () => {
    service = await startTestApp();
    for (const [format, path] of [
      ['cpi', INDICES],
      ['wfp', LARGE],
    ] as const) {
      const request = { format, options: {}, dryRun: false, caller: null, requestId: null };
      await service.app.get(ImportService).import(request, await openInput(realData(path)));
    }
  }, 600_000);
  afterAll(() => service?.close());

  /** The monthly prices of all series. */
  async function* allColumns(): AsyncGenerator<MonthlyPriceColumns> {
    const { size } = await service.app.get(SeriesCatalogue).current();
    const loader = service.app.get(PriceLoader);
    const { signal } = new AbortController();
    for (let from = 0; from < size; from += SERIES_PER_LOAD) {
      const rows = Array.from({ length: Math.min(SERIES_PER_LOAD, size - from) }, (_, at) => from + at);
      const load = loader.start(ALL_MONTHS, columnsSerializer, signal);
      const loaded = await loader.consistently(signal, null, (snapshot) => load.loadSeries(snapshot, rows));
      for (const index of rows.keys()) yield priceColumns(loaded.points(index), 'nominal', 'unit');
    }
  }

  it('are as many as were counted independently', async () => {
    const counts: Record<string, number> = {};
    const count = (name: string) => (counts[name] = (counts[name] ?? 0) + 1);
    for await (const columns of allColumns()) {
      const calculation = new IndicatorCalculation(columns, DEFAULT_SETTINGS);
      const month = columns.real.lastValue();
      const ifpa = month === null ? ('no_cpi' as const) : calculation.ifpa(month);
      count(isValue(ifpa) ? (ifpa.provisional ? 'provisional' : 'whole') : ifpa);
      // Which of the values that are left out as flat are of which kind.
      if (ifpa === 'flat') {
        const moving = new IndicatorCalculation({ ...columns, nominal: columns.real }, DEFAULT_SETTINGS);
        const unflattened = moving.ifpa(month!);
        if (isValue(unflattened)) count(unflattened.provisional ? 'flat, provisional' : 'flat, whole');
      }
      const newest = columns.nominal.lastValue()!;
      if (isValue(calculation.alps(newest))) count('alps');
      const { mean_5y, seasonal_index } = calculation.observation(newest, ['mean_5y', 'seasonal_index']);
      if (mean_5y !== null) count('mean_5y');
      if (seasonal_index !== null) count('seasonal_index');
    }
    expect(counts).toEqual({
      // 2,169 before those that are flat, of which 1,667 are not provisional.
      whole: 1667 - 56,
      provisional: 502 - 14,
      flat: 70,
      'flat, whole': 56,
      'flat, provisional': 14,
      no_price_3m_ago: 2860,
      no_price_12m_ago: 2431,
      // 475 of them have a short history, too: the gap comes first.
      gap_gt_3: 1029,
      short_history: 1310,
      no_cpi: 7,
      alps: 2970,
      mean_5y: 3608,
      seasonal_index: 1520,
    });
  }, 200_000);

  it('are counted by country as by plain loops, and by category in parts of these', async () => {
    const get = async <T>(path: string) =>
      (await service.http().get(`/api/v1/${path}`).expect(200)).body as T;
    interface Row {
      iso3_country_code: string;
      month: string;
      series: number;
      fresh: number;
      ifpa: Record<string, number>;
      alps: Record<string, number>;
    }
    const list = async (query: string) =>
      (await get<{ results: Row[] }>(`PriceWarning/?page_size=1000&${query}`)).results;
    const countries = await list('');
    // Of 58 countries; the only series of Venezuela is an exchange rate.
    expect(countries.length).toBe(57);
    const sumOf = (counts: Record<string, number>) => Object.values(counts).reduce((sum, n) => sum + n, 0);
    for (const { month, series, fresh, ifpa, alps } of countries) {
      expect(month <= '2023-08').toBe(true);
      expect([sumOf(ifpa), sumOf(alps)]).toEqual([fresh, fresh]);
      expect(fresh > 0 && fresh <= series).toBe(true);
    }
    const parts = await list('by=country,category');
    for (const { iso3_country_code: country, fresh, ifpa } of countries) {
      const own = parts.filter((part) => part.iso3_country_code === country);
      expect(own.reduce((sum, part) => sum + part.fresh, 0)).toBe(fresh);
      expect(own.reduce((sum, part) => sum + part.ifpa.high!, 0)).toBe(ifpa.high);
    }
    const { results } = await get<{ results: { uuid: string }[] }>(
      `PriceSerie/?page_size=1000&iso3_country_codes=${PLAIN_COUNTRY}`,
    );
    const series: PlainSeries[] = [];
    for (const { uuid } of results)
      series.push(await get<PlainSeries>(`PriceSerieIndicator/${uuid}/?indicators=ifpa,alps`));
    const food = series.filter((each) => isFood(each.series.commodity, each.series.category));
    expect(await list(`iso3_country_codes=${PLAIN_COUNTRY}&start_date=2022-01-01`)).toEqual(
      plainWarnings(food, { by: 'country', from: '2022-01' }),
    );
  }, 200_000);
});
