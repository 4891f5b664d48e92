import fc from 'fast-check';
import { anyOf, countryCode } from '../../src/price-series/filters/conditions.js';
import { Criteria } from '../../src/price-series/filters/criteria.js';
import { SeriesCatalogue } from '../../src/price-series/catalogue/catalogue.js';
import { catalogueStatements } from '../../src/price-series/catalogue/catalogue-reader.js';
import type { CatalogueSnapshot } from '../../src/price-series/catalogue/catalogue-snapshot.js';
import { entryJson, entryOf } from '../../src/price-series/price-serie.view.js';
import { selectSeries } from '../../src/price-series/catalogue/selection.js';
import { type Factory, createRecords, priceTypes } from '../support/factories.js';
import { openDatabase } from '../support/open-database.js';
import { plainEntries } from '../support/plain-series.js';
import { assertProperty } from '../support/property.js';
import { statementsOf } from '../support/statements.js';
import { testChange } from '../support/change-set.js';

type Opened = Awaited<ReturnType<typeof openDatabase>>;

const all = (catalogue: CatalogueSnapshot) => [...selectSeries(catalogue, Criteria.none).slice()];
const entries = (catalogue: CatalogueSnapshot) => all(catalogue).map((row) => entryOf(catalogue, row));

describe('series catalogue', () => {
  let opened: Opened;
  let catalogue: SeriesCatalogue;
  beforeEach(async () => {
    opened = await openDatabase();
    catalogue = new SeriesCatalogue(opened.database, opened.revision);
  });
  afterEach(() => opened.close());

  it('is empty where there are no series', async () => {
    const snapshot = await catalogue.current();
    expect(snapshot.size).toBe(0);
    expect(snapshot.find('00000000-0000-4000-8000-000000000000')).toBeNull();
  });

  it('follows any sequence of writes', async () => {
    const created = new CreatedIds();
    await assertProperty(
      'a refreshed catalogue equals the database',
      fc.asyncProperty(fc.array(anyWrite, { minLength: 1, maxLength: 4 }), async (writes) => {
        await createRecords(opened.unitOfWork, async (factory) => {
          for (const write of writes) await write(factory, created);
        });
        const snapshot = await catalogue.current();
        const expected = await plainEntries(opened.database);
        expect(entries(snapshot)).toEqual(expected);
        expect(all(snapshot).map((row) => JSON.parse(entryJson(snapshot, row)))).toEqual(expected);
        expect(all(snapshot).map((row) => snapshot.find(snapshot.uuidAt(row)))).toEqual(all(snapshot));
        const stored = await opened.database.rows<{ id: number; uuid: string; revision: number }>(
          'SELECT id, uuid, revision FROM price_serie',
        );
        const rows = stored.map(({ uuid }) => snapshot.find(uuid)!);
        expect(rows.map((row) => [snapshot.idAt(row), snapshot.revisionAt(row)])).toEqual(
          stored.map(({ id, revision }) => [id, Number(revision)]),
        );
        const reloaded = await new SeriesCatalogue(opened.database, opened.revision).current();
        expect(entries(reloaded)).toEqual(expected);
        for (const country of COUNTRIES) {
          const criteria = Criteria.none.and('country', [country], anyOf(countryCode));
          expect([...selectSeries(snapshot, criteria).slice()].map((row) => snapshot.uuidAt(row))).toEqual(
            expected.filter((entry) => entry.iso3_country_code === country).map((entry) => entry.uuid),
          );
        }
      }),
      { numRuns: 100, endOnFailure: true },
    );
  }, 120_000);

  it('leaves an earlier snapshot unchanged', async () => {
    const id = await createRecords(opened.unitOfWork, (factory) => factory.series());
    const before = await catalogue.current();
    const [entry] = entries(before);
    await createRecords(opened.unitOfWork, async (factory) => {
      await factory.periodicity(id, [{ period: 'daily', start_date: '2020-01-01', end_date: '2020-01-02' }]);
      await factory.series();
    });
    const after = await catalogue.current();
    expect(entries(before)).toEqual([entry]);
    expect(after.size).toBe(2);
  });

  it('reads series whose new reference record was stored without a revision', async () => {
    await createRecords(opened.unitOfWork, (factory) => factory.series());
    await catalogue.current();
    const { references } = opened.revision.current()!;
    await opened.unitOfWork.change(testChange, async (transaction) => {
      const market = await transaction.execute(
        "INSERT INTO market (name, iso3_country_code) VALUES ('New', 'AFG')",
      );
      const [serie] = await transaction.rows<{ id: number }>('SELECT id FROM price_serie');
      await transaction.execute('UPDATE price_serie SET market_id = ? WHERE id = ?', [
        market.insertId,
        serie!.id,
      ]);
      transaction.markSeriesModified([serie!.id]);
    });
    expect(opened.revision.current()!.references).toBe(references);
    expect(entries(await catalogue.current())).toEqual(await plainEntries(opened.database));
  });

  it('finds series that were stored without a revision by their count', async () => {
    await createRecords(opened.unitOfWork, (factory) => factory.series());
    await catalogue.current();
    await opened.unitOfWork.change(testChange, async (transaction) => {
      const columns = 'commodity_id, price_type_id, market_id, source_id, measure_unit_id, currency';
      await transaction.execute(
        `INSERT INTO price_serie (uuid, ${columns}) SELECT '01234567-89ab-4def-8123-456789abcdef', ${columns} FROM price_serie`,
      );
      transaction.markModified('series');
    });
    expect(entries(await catalogue.current())).toEqual(await plainEntries(opened.database));
    expect((await catalogue.current()).size).toBe(2);
  });

  it('returns to each caller the writes seen at its call, and reads them once for all callers', async () => {
    const id = await createRecords(opened.unitOfWork, (factory) => factory.series());
    await catalogue.current();
    const last = async () => (await catalogue.current()).seriesAt(0).lastDay;
    for (let day = 1; day <= 9; day++) {
      await createRecords(opened.unitOfWork, (factory) =>
        factory.periodicity(id, [{ period: 'daily', start_date: '2020-01-01', end_date: `2020-01-0${day}` }]),
      );
      const statements = await statementsOf(opened.database, async () => {
        const days = await Promise.all(Array.from({ length: 20 }, last));
        expect(new Set(days)).toEqual(new Set([737_424 + day]));
      });
      expect(statements).toHaveLength(5);
    }
    expect(await statementsOf(opened.database, last)).toEqual([]);
  });

  it('rejects while the database is unavailable, and recovers', async () => {
    await createRecords(opened.unitOfWork, (factory) => factory.series());
    const { readSnapshot } = opened.database;
    opened.database.readSnapshot = () =>
      Promise.reject(Object.assign(new Error('unavailable'), { code: 'ECONNREFUSED' }));
    await expect(catalogue.current()).rejects.toThrow('unavailable');
    opened.database.readSnapshot = readSnapshot;
    expect((await catalogue.current()).size).toBe(1);
  });

  it('reads changed series through the index of revisions (R2)', async () => {
    await createRecords(opened.unitOfWork, async (factory) => {
      const { transaction } = factory;
      const first = await factory.series();
      const columns = 'commodity_id, price_type_id, market_id, source_id, measure_unit_id, currency';
      const uuid = transaction.embedded
        ? "lower(hex(randomblob(4)) || '-0000-4000-8000-' || hex(randomblob(6)))"
        : "concat(substr(md5(rand()), 1, 8), '-0000-4000-8000-', substr(md5(rand()), 1, 12))";
      for (let size = 1; size < 4000; size *= 2) {
        await transaction.execute(
          `INSERT INTO price_serie (uuid, ${columns}) SELECT ${uuid}, ${columns} FROM price_serie`,
        );
      }
      transaction.markSeriesModified([first]);
    });
    await opened.unitOfWork.change(testChange, (transaction) =>
      transaction.execute(transaction.embedded ? 'ANALYZE' : 'ANALYZE TABLE price_serie'),
    );
    const { series } = opened.revision.current()!;
    const plan = await opened.database.rows<Record<string, string>>(
      `${opened.database.embedded ? 'EXPLAIN QUERY PLAN' : 'EXPLAIN'} ${catalogueStatements.observed.changed}`,
      [series, series, 0],
    );
    if (opened.database.embedded) {
      const text = plan.map(({ detail }) => detail).join('\n');
      expect(text).toContain('SEARCH s USING INDEX ix_price_serie_revision');
      expect(text.match(/SEARCH [dwm] USING PRIMARY KEY/g)).toHaveLength(3);
      expect(text).not.toContain('SCAN');
    } else {
      expect(plan.map(({ table, key }) => [table, key])).toEqual([
        ['s', 'ix_price_serie_revision'],
        ['d', 'PRIMARY'],
        ['w', 'PRIMARY'],
        ['m', 'PRIMARY'],
      ]);
    }
  });
});

const COUNTRIES = ['AFG', 'KEN', 'MLI', 'YEM'];

/** The ids of the records created so far. */
class CreatedIds {
  readonly series: number[] = [];
  readonly markets: number[] = [];
  readonly commodities: number[] = [];
}

type Write = (factory: Factory, created: CreatedIds) => Promise<void>;

const index = fc.nat(1_000_000);
const country = fc.constantFrom(...COUNTRIES);
const of = <T>(list: readonly T[], at: number): T => list[at % list.length]!;
const date = (day: number, later = 0) =>
  new Date(Date.UTC(2020, 0, 1 + (day % 2000) + later)).toISOString().slice(0, 10);

/** Several at a time, so that unused records precede used ones. */
const addMarkets = fc
  .tuple(country, index)
  .map(([iso3_country_code, at]): Write => async (factory, created) => {
    for (let number = 0; number < 4; number++) {
      const type = of(['', 'Urban', 'Rural'], at + number);
      created.markets.push(
        await factory.market({ iso3_country_code, type, latitude: at / 1e5, longitude: -at / 1e4 }),
      );
    }
  });
const addCommodities = fc.constant<Write>(async (factory, created) => {
  for (const hs_code of ['10', '1006', null]) created.commodities.push(await factory.commodity({ hs_code }));
});
const addSeries = fc
  .tuple(index, index, country)
  .map(([at, day, iso3]): Write => async (factory, created) => {
    if (created.markets.length === 0) created.markets.push(await factory.market({ iso3_country_code: iso3 }));
    if (created.commodities.length === 0) created.commodities.push(await factory.commodity());
    created.series.push(
      await factory.series({
        market_id: of(created.markets, at),
        commodity_id: of(created.commodities, day),
        price_type_id: of(Object.values(priceTypes), at),
        currency: of(['USD', 'KES', 'AFN'], day),
        periodicity:
          at % 4 === 0 ? [] : [{ period: 'weekly', start_date: date(day), end_date: date(day, at % 100) }],
      }),
    );
  });
const onSeries = (
  work: (factory: Factory, id: number, at: number, other: number, created: CreatedIds) => Promise<unknown>,
) =>
  fc.tuple(index, index).map(([at, other]): Write => async (factory, created) => {
    if (created.series.length > 0) await work(factory, of(created.series, at), at, other, created);
  });
const setPeriodicity = onSeries((factory, id, at, day) =>
  factory.periodicity(id, [
    { period: 'daily', start_date: date(day), end_date: date(day, 1) },
    ...(at % 3 === 0
      ? [
          {
            period: 'monthly' as const,
            start_date: date(day),
            end_date: date(day, 9),
            calculated: true as const,
          },
        ]
      : []),
  ]),
);
const clearPeriodicity = onSeries((factory, id) => factory.periodicity(id, []));
const moveSeries = onSeries(async ({ transaction }, id, _, other, { markets }) => {
  await transaction.execute('UPDATE price_serie SET market_id = ? WHERE id = ?', [of(markets, other), id]);
  transaction.markSeriesModified([id]);
});
const deleteSeries = onSeries(async (factory, id, _at, _other, created) => {
  await factory.deleteSeries(id);
  created.series.splice(created.series.indexOf(id), 1);
});
const replaceSeries = fc
  .tuple(deleteSeries, addSeries)
  .map(([remove, add]): Write => async (factory, created) => {
    await remove(factory, created);
    await add(factory, created);
  });
const rename = (table: string, ids: (created: CreatedIds) => number[]) =>
  fc.tuple(index, index).map(([at, number]): Write => async ({ transaction }, created) => {
    if (ids(created).length === 0) return;
    await transaction.execute(`UPDATE ${table} SET name = ?, version = version + 1 WHERE id = ?`, [
      `${table} "${number}"\u00e9 ${Math.random()}`,
      of(ids(created), at),
    ]);
    transaction.markModified('references');
  });
const moveMarket = fc
  .tuple(index, country)
  .map(([at, iso3]): Write => async ({ transaction }, { markets }) => {
    if (markets.length === 0) return;
    await transaction.execute('UPDATE market SET iso3_country_code = ?, version = version + 1 WHERE id = ?', [
      iso3,
      of(markets, at),
    ]);
    transaction.markModified('references');
  });
/** Deletes unused records, so that the dictionary indexes of later records change. */
const deleteUnused = fc.constant<Write>(async ({ transaction }, created) => {
  for (const [table, ids] of [
    ['market', created.markets],
    ['commodity', created.commodities],
  ] as const) {
    const unused = await transaction.rows<{ id: number }>(
      `SELECT id FROM ${table} WHERE id NOT IN (SELECT ${table}_id FROM price_serie) ORDER BY id LIMIT 1`,
    );
    for (const { id } of unused) {
      await transaction.execute(`DELETE FROM ${table} WHERE id = ?`, [id]);
      ids.splice(ids.indexOf(id), 1);
    }
  }
  transaction.markModified('references');
});
const modifyRates = fc.constant<Write>(async ({ transaction }) => transaction.markModified('rates'));

const anyWrite = fc.oneof(
  { arbitrary: addSeries, weight: 5 },
  { arbitrary: setPeriodicity, weight: 3 },
  addMarkets,
  addCommodities,
  clearPeriodicity,
  moveSeries,
  deleteSeries,
  replaceSeries,
  rename('market', (created) => created.markets),
  rename('commodity', (created) => created.commodities),
  moveMarket,
  { arbitrary: deleteUnused, weight: 2 },
  modifyRates,
);
