import { checkEverything } from '../support/check-everything.js';
import { testChange } from '../support/change-set.js';
import { openImports } from '../support/imports.js';
import { describeWithRealData, realData } from '../support/real-data.js';
import { plainSeriesFindings, type PlainSerie, type PlainSeriesFindings } from './plain-series-rules.js';
import { followed } from '../support/followed.js';

const LARGE_FILE = 'wfp/large/wfp_food_prices_58countries_2023-08.csv.gz';

/**
 * Of the specification, which has "some 36" twins: SOS is within the span of SLS in 36 series, but
 * two of these, of Ceerigaabo (vegetable oil, diesel), fit at neither end.
 */
const COUNTS = {
  foreign_currency: 3,
  identical_series: 17,
  not_a_commodity: 107,
  off_peers: 19,
  split_series: 94,
  twin_currency: 34,
};
const RULES = Object.keys(COUNTS);

describeWithRealData('findings about published series', () => {
  let imports: Awaited<ReturnType<typeof openImports>>;
  beforeAll(async () => {
    imports = await openImports();
    followed(imports.unitOfWork);
    await imports.importFile('wfp', realData(LARGE_FILE));
  }, 600_000);
  afterAll(() => imports?.close());

  /** What the service has found, as plain rules tell it. */
  async function served(): Promise<PlainSeriesFindings> {
    const found: PlainSeriesFindings = {};
    const rows = await imports.rows<{ rule: string; uuid: string | null; members: string | null }>(
      'SELECT f.rule, s.uuid, f.members FROM finding f LEFT JOIN price_serie s ON s.id = f.serie_id' +
        ` WHERE f.state = 'open' AND f.rule IN (${RULES.map((rule) => `'${rule}'`).join(',')})`,
    );
    for (const { rule, uuid, members } of rows) {
      const about =
        members === null ? [{ uuid: uuid! }] : (JSON.parse(members) as { uuid: string; date?: string }[]);
      const names = about.map((one) => ('date' in one ? `${one.uuid} ${one.date}` : one.uuid));
      (found[rule] ??= []).push(names.sort().join(', '));
    }
    for (const list of Object.values(found)) list.sort();
    return found;
  }

  async function plainSeries(): Promise<PlainSerie[]> {
    const rows = await imports.rows<Omit<PlainSerie, 'points'> & { id: number }>(
      'SELECT s.id, s.uuid, m.iso3_country_code AS country, m.id AS market, c.name AS commodity, t.name AS type,' +
        ' s.currency, u.name AS unit, u.conversion_factor AS factor FROM price_serie s' +
        ' JOIN market m ON m.id = s.market_id JOIN commodity c ON c.id = s.commodity_id' +
        ' JOIN price_type t ON t.id = s.price_type_id JOIN measure_unit u ON u.id = s.measure_unit_id',
    );
    const byId = new Map(rows.map((row) => [row.id, { ...row, points: [] as PlainSerie['points'] }]));
    const points = await imports.rows<{ serie_id: number; day: number; value: number }>(
      'SELECT serie_id, day, value FROM observation WHERE period = 3 AND calculated = 0 ORDER BY serie_id, day',
    );
    for (const { serie_id, day, value } of points) {
      // Day 719,163 was 1970-01-01.
      const month = new Date((day - 719_163) * 86_400_000).toISOString().slice(0, 7);
      byId.get(serie_id)!.points.push({ month, value });
    }
    return [...byId.values()];
  }

  it('are those of the specification, and those that plain rules find', async () => {
    const found = await served();
    const { testable, ...plain } = plainSeriesFindings(await plainSeries());
    expect(Object.fromEntries(RULES.map((rule) => [rule, found[rule]?.length]))).toEqual(COUNTS);
    expect(found).toEqual(plain);
    expect(testable).toHaveLength(6459);
  }, 120_000);

  it('are split by unit in 51 places, and by currency in 43', async () => {
    const places = await imports.rows<{ units: number; currencies: number; places: number }>(
      'SELECT units, currencies, COUNT(*) AS places FROM (' +
        'SELECT f.id, COUNT(DISTINCT s.measure_unit_id) > 1 AS units, COUNT(DISTINCT s.currency) > 1 AS currencies' +
        ' FROM finding f JOIN finding_member m ON m.finding_id = f.id JOIN price_serie s ON s.id = m.serie_id' +
        " WHERE f.rule = 'split_series' GROUP BY f.id) p GROUP BY units, currencies ORDER BY units",
    );
    expect(places.map((row) => Object.values(row).map(Number))).toEqual([
      [0, 1, 43],
      [1, 0, 51],
    ]);
  });

  it('are the same when they are computed anew', async () => {
    const before = await imports.rows('SELECT * FROM finding ORDER BY id');
    await imports.unitOfWork.change(testChange, (transaction) => checkEverything(transaction));
    expect(await imports.rows('SELECT * FROM finding ORDER BY id')).toEqual(before);
  }, 120_000);
});
