import { openImports } from '../support/imports.js';
import { describeWithRealData, realData } from '../support/real-data.js';
import { plainFindings, type PlainFindings, type PlainSeries } from './plain-rules.js';
import { followed } from '../support/followed.js';

const LARGE_FILE = 'wfp/large/wfp_food_prices_58countries_2023-08.csv.gz';

/** Of the specification: findings, and the series or points that they are about. */
const COUNTS = {
  batch: [21, 101],
  decimal_slip: [45, 42],
  edge_spike: [27, 27],
  flat: [20, 20],
  level_shift: [100, 87],
  month_suspect: [5, 95],
  spike: [150, 140],
  spike_possible: [159, 146],
  swapped: [2, 4],
};
const RULES = [...Object.keys(COUNTS), 'redenomination', 'future_date'];

describeWithRealData('findings about published prices', () => {
  let imports: Awaited<ReturnType<typeof openImports>>;
  beforeAll(async () => {
    imports = await openImports();
    followed(imports.unitOfWork);
    await imports.importFile('wfp', realData(LARGE_FILE));
  }, 600_000);
  afterAll(() => imports?.close());

  const stored = (where: string) =>
    imports.rows<{ rule: string; uuid: string | null; date: string; members: string | null; detail: string }>(
      'SELECT f.rule, s.uuid, f.members, f.detail,' +
        ` ${imports.database.embedded ? "date((f.day - 719163) * 86400, 'unixepoch')" : "DATE_FORMAT(DATE_ADD('1970-01-01', INTERVAL f.day - 719163 DAY), '%Y-%m-%d')"} AS date` +
        ` FROM finding f LEFT JOIN price_serie s ON s.id = f.serie_id WHERE f.state = 'open' AND ${where} ORDER BY f.id`,
    );

  /** What the service has found, as plain rules tell it. */
  async function served(): Promise<PlainFindings> {
    const found: PlainFindings = {};
    for (const { rule, uuid, date, members } of await stored(
      `f.rule IN (${RULES.map((rule) => `'${rule}'`).join(',')})`,
    )) {
      const points =
        members === null ? [{ uuid, date }] : (JSON.parse(members) as { uuid: string; date: string }[]);
      const names = points.map((point) => `${point.uuid} ${point.date}`);
      (found[rule] ??= []).push(names.sort().join(', '));
    }
    for (const list of Object.values(found)) list.sort();
    return found;
  }

  async function plainSeries(): Promise<PlainSeries[]> {
    const rows = await imports.rows<Omit<PlainSeries, 'points'> & { id: number }>(
      'SELECT s.id, s.uuid, m.iso3_country_code AS country, m.id AS market, c.name AS commodity, c.category, s.currency' +
        ' FROM price_serie s JOIN market m ON m.id = s.market_id JOIN commodity c ON c.id = s.commodity_id',
    );
    const byId = new Map(rows.map((row) => [row.id, { ...row, points: [] as PlainSeries['points'] }]));
    const points = await imports.rows<{ serie_id: number; day: number; value: number }>(
      'SELECT serie_id, day, value FROM observation WHERE period = 3 AND calculated = 0 ORDER BY serie_id, day',
    );
    for (const { serie_id, day, value } of points) {
      // Day 719,163 was 1970-01-01.
      const date = new Date((day - 719_163) * 86_400_000).toISOString().slice(0, 10);
      byId.get(serie_id)!.points.push({ date, value });
    }
    return [...byId.values()];
  }

  it('are those of the specification', async () => {
    const found = await served();
    const counts = Object.entries(found).map(([rule, findings]) => {
      const points = findings.flatMap((names) => names.split(', '));
      const about = new Set(
        ['batch', 'month_suspect', 'swapped'].includes(rule)
          ? points
          : points.map((name) => name.slice(0, 36)),
      );
      return [rule, [findings.length, about.size]] as const;
    });
    expect(Object.fromEntries(counts)).toEqual(COUNTS);
  });

  it('are those of a second, plain implementation', async () => {
    expect(await served()).toEqual(plainFindings(await plainSeries()));
  });

  it('tell the examples of the specification', async () => {
    const group = async (rule: string, country: string, date: string) =>
      (await stored(`f.rule = '${rule}' AND f.iso3_country_code = '${country}'`))
        .filter((finding) => finding.date === date)
        .map(({ detail }) => detail);
    expect(await group('batch', 'CAF', '2019-11-01')).toEqual([
      '24 prices of Oil (palm) in 2019-11 are 0.08391 to 0.3846 times the medians of the prices around them.',
    ]);
    expect(await group('month_suspect', 'TUR', '2020-10-01')).toEqual([
      expect.stringMatching(/^21 of 150 prices in 2020-10 are /),
    ]);
    expect(await group('swapped', 'CAF', '2022-03-01')).toEqual([
      'Cassava (cossette) is at 788 and Oil (palm) at 102 in Yaloké in 2022-03, the medians of the prices around' +
        ' these are 98 and 800: the two may be swapped.',
    ]);
  });
});
