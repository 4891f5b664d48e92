import fc from 'fast-check';
import { anyOf, countryCode } from '../../src/price-series/conditions.js';
import { Criteria } from '../../src/price-series/criteria.js';
import { SeriesCatalogue } from '../../src/price-series/catalogue.js';
import { catalogueStatements } from '../../src/price-series/catalogue-reader.js';
import type { CatalogueSnapshot } from '../../src/price-series/catalogue-snapshot.js';
import { entriesJson, entryOf } from '../../src/price-series/price-serie.view.js';
import { select } from '../../src/price-series/selection.js';
import { type Factory, make, priceTypes } from '../support/factories.js';
import { openDatabase } from '../support/open-database.js';
import { plainEntries } from '../support/plain-series.js';
import { holds } from '../support/property.js';
import { statementsOf } from '../support/statements.js';

type Opened = Awaited<ReturnType<typeof openDatabase>>;

const all = (catalogue: CatalogueSnapshot) => [...select(catalogue, Criteria.none).slice()];
const entries = (catalogue: CatalogueSnapshot) => all(catalogue).map((place) => entryOf(catalogue, place));

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
    expect([snapshot.size, entriesJson(snapshot, [])]).toEqual([0, '[]']);
    expect(snapshot.find('00000000-0000-4000-8000-000000000000')).toBeNull();
  });

  it('follows any sequence of writes', async () => {
    const known = new Known();
    await holds(
      'a refreshed catalogue is the data as they are',
      fc.asyncProperty(fc.array(anyWrite, { minLength: 1, maxLength: 4 }), async (writes) => {
        await make(opened.unitOfWork, async (factory) => {
          for (const write of writes) await write(factory, known);
        });
        const snapshot = await catalogue.current();
        const expected = await plainEntries(opened.database);
        expect(entries(snapshot)).toEqual(expected);
        expect(JSON.parse(entriesJson(snapshot, all(snapshot)))).toEqual(expected);
        expect(all(snapshot).map((place) => snapshot.find(snapshot.uuidAt(place)))).toEqual(all(snapshot));
        const stored = await opened.database.rows<{ id: number; uuid: string; revision: number }>(
          'SELECT id, uuid, revision FROM price_serie',
        );
        const places = stored.map(({ uuid }) => snapshot.find(uuid)!);
        expect(places.map((place) => [snapshot.idAt(place), snapshot.revisionAt(place)])).toEqual(
          stored.map(({ id, revision }) => [id, Number(revision)]),
        );
        const reloaded = await new SeriesCatalogue(opened.database, opened.revision).current();
        expect(entries(reloaded)).toEqual(expected);
        for (const country of COUNTRIES) {
          const criteria = Criteria.none.and('country', [country], anyOf(countryCode));
          expect([...select(snapshot, criteria).slice()].map((place) => snapshot.uuidAt(place))).toEqual(
            expected.filter((entry) => entry.iso3_country_code === country).map((entry) => entry.uuid),
          );
        }
      }),
      { numRuns: 100, endOnFailure: true },
    );
  }, 120_000);

  it('keeps what a snapshot holds while others take its place', async () => {
    const id = await make(opened.unitOfWork, (factory) => factory.series());
    const before = await catalogue.current();
    const [entry] = entries(before);
    await make(opened.unitOfWork, async (factory) => {
      await factory.periodicity(id, [{ period: 'daily', start_date: '2020-01-01', end_date: '2020-01-02' }]);
      await factory.series();
    });
    const after = await catalogue.current();
    expect(entries(before)).toEqual([entry]);
    expect(after.size).toBe(2);
  });

  it('reads series that were stored under a record nobody told of', async () => {
    await make(opened.unitOfWork, (factory) => factory.series());
    await catalogue.current();
    const { references } = opened.revision.current()!;
    await opened.unitOfWork.run(async (tx) => {
      const market = await tx.execute("INSERT INTO market (name, iso3_country_code) VALUES ('New', 'AFG')");
      const [serie] = await tx.rows<{ id: number }>('SELECT id FROM price_serie');
      await tx.execute('UPDATE price_serie SET market_id = ? WHERE id = ?', [market.insertId, serie!.id]);
      tx.touchSeries([serie!.id]);
    });
    expect(opened.revision.current()!.references).toBe(references);
    expect(entries(await catalogue.current())).toEqual(await plainEntries(opened.database));
  });

  it('reads new series that nobody told of by their number', async () => {
    await make(opened.unitOfWork, (factory) => factory.series());
    await catalogue.current();
    await opened.unitOfWork.run(async (tx) => {
      const columns = 'commodity_id, price_type_id, market_id, source_id, measure_unit_id, currency';
      await tx.execute(
        `INSERT INTO price_serie (uuid, ${columns}) SELECT '01234567-89ab-4def-8123-456789abcdef', ${columns} FROM price_serie`,
      );
      tx.touch('series');
    });
    expect(entries(await catalogue.current())).toEqual(await plainEntries(opened.database));
    expect((await catalogue.current()).size).toBe(2);
  });

  it('gives every reader the writes that were known when it asked, and reads them once for all', async () => {
    const id = await make(opened.unitOfWork, (factory) => factory.series());
    await catalogue.current();
    const last = async () => (await catalogue.current()).factsAt(0).lastDay;
    for (let day = 1; day <= 9; day++) {
      await make(opened.unitOfWork, (factory) =>
        factory.periodicity(id, [{ period: 'daily', start_date: '2020-01-01', end_date: `2020-01-0${day}` }]),
      );
      const statements = await statementsOf(opened.database, async () => {
        const days = await Promise.all(Array.from({ length: 20 }, last));
        expect(new Set(days)).toEqual(new Set([737_424 + day]));
      });
      expect(statements).toHaveLength(3);
    }
    expect(await statementsOf(opened.database, last)).toEqual([]);
  });

  it('shows no state while the database is away, and one again after it', async () => {
    await make(opened.unitOfWork, (factory) => factory.series());
    const { view } = opened.database;
    opened.database.view = () => Promise.reject(Object.assign(new Error('gone'), { code: 'ECONNREFUSED' }));
    await expect(catalogue.current()).rejects.toThrow('gone');
    opened.database.view = view;
    expect((await catalogue.current()).size).toBe(1);
  });

  it('reads changed series by the index of revisions (R2)', async () => {
    await make(opened.unitOfWork, async (factory) => {
      const { tx } = factory;
      const first = await factory.series();
      const columns = 'commodity_id, price_type_id, market_id, source_id, measure_unit_id, currency';
      const uuid = tx.embedded
        ? "lower(hex(randomblob(4)) || '-0000-4000-8000-' || hex(randomblob(6)))"
        : "concat(substr(md5(rand()), 1, 8), '-0000-4000-8000-', substr(md5(rand()), 1, 12))";
      for (let size = 1; size < 4000; size *= 2) {
        await tx.execute(
          `INSERT INTO price_serie (uuid, ${columns}) SELECT ${uuid}, ${columns} FROM price_serie`,
        );
      }
      tx.touchSeries([first]);
    });
    await opened.unitOfWork.run((tx) => tx.execute(tx.embedded ? 'ANALYZE' : 'ANALYZE TABLE price_serie'));
    const { series } = opened.revision.current()!;
    const plan = await opened.database.rows<Record<string, string>>(
      `${opened.database.embedded ? 'EXPLAIN QUERY PLAN' : 'EXPLAIN'} ${catalogueStatements.changed}`,
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

/** The ids of what was made so far. */
class Known {
  readonly series: number[] = [];
  readonly markets: number[] = [];
  readonly commodities: number[] = [];
}

type Write = (factory: Factory, known: Known) => Promise<void>;

const index = fc.nat(1_000_000);
const country = fc.constantFrom(...COUNTRIES);
const of = <T>(list: readonly T[], at: number): T => list[at % list.length]!;
const date = (day: number, later = 0) =>
  new Date(Date.UTC(2020, 0, 1 + (day % 2000) + later)).toISOString().slice(0, 10);

/** Several at a time, so that some are in use after others that are not. */
const addMarkets = fc
  .tuple(country, index)
  .map(([iso3_country_code, at]): Write => async (factory, known) => {
    for (let made = 0; made < 4; made++) {
      const type = of(['', 'Urban', 'Rural'], at + made);
      known.markets.push(
        await factory.market({ iso3_country_code, type, latitude: at / 1e5, longitude: -at / 1e4 }),
      );
    }
  });
const addCommodities = fc.constant<Write>(async (factory, known) => {
  for (const hs_code of ['10', '1006', null]) known.commodities.push(await factory.commodity({ hs_code }));
});
const addSeries = fc.tuple(index, index, country).map(([at, day, iso3]): Write => async (factory, known) => {
  if (known.markets.length === 0) known.markets.push(await factory.market({ iso3_country_code: iso3 }));
  if (known.commodities.length === 0) known.commodities.push(await factory.commodity());
  known.series.push(
    await factory.series({
      market_id: of(known.markets, at),
      commodity_id: of(known.commodities, day),
      price_type_id: of(Object.values(priceTypes), at),
      currency: of(['USD', 'KES', 'AFN'], day),
      periodicity:
        at % 4 === 0 ? [] : [{ period: 'weekly', start_date: date(day), end_date: date(day, at % 100) }],
    }),
  );
});
const onSeries = (
  work: (factory: Factory, id: number, at: number, other: number, known: Known) => Promise<unknown>,
) =>
  fc.tuple(index, index).map(([at, other]): Write => async (factory, known) => {
    if (known.series.length > 0) await work(factory, of(known.series, at), at, other, known);
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
const moveSeries = onSeries(async ({ tx }, id, _, other, { markets }) => {
  await tx.execute('UPDATE price_serie SET market_id = ? WHERE id = ?', [of(markets, other), id]);
  tx.touchSeries([id]);
});
const deleteSeries = onSeries(async (factory, id, _at, _other, known) => {
  await factory.deleteSeries(id);
  known.series.splice(known.series.indexOf(id), 1);
});
const replaceSeries = fc
  .tuple(deleteSeries, addSeries)
  .map(([remove, add]): Write => async (factory, known) => {
    await remove(factory, known);
    await add(factory, known);
  });
const rename = (table: string, ids: (known: Known) => number[]) =>
  fc.tuple(index, index).map(([at, number]): Write => async ({ tx }, known) => {
    if (ids(known).length === 0) return;
    await tx.execute(`UPDATE ${table} SET name = ?, version = version + 1 WHERE id = ?`, [
      `${table} "${number}"\u00e9 ${Math.random()}`,
      of(ids(known), at),
    ]);
    tx.touch('references');
  });
const moveMarket = fc.tuple(index, country).map(([at, iso3]): Write => async ({ tx }, { markets }) => {
  if (markets.length === 0) return;
  await tx.execute('UPDATE market SET iso3_country_code = ?, version = version + 1 WHERE id = ?', [
    iso3,
    of(markets, at),
  ]);
  tx.touch('references');
});
/** Records that nothing refers to come and go, so that those after them change their places. */
const deleteUnused = fc.constant<Write>(async ({ tx }, known) => {
  for (const [table, ids] of [
    ['market', known.markets],
    ['commodity', known.commodities],
  ] as const) {
    const unused = await tx.rows<{ id: number }>(
      `SELECT id FROM ${table} WHERE id NOT IN (SELECT ${table}_id FROM price_serie) ORDER BY id LIMIT 1`,
    );
    for (const { id } of unused) {
      await tx.execute(`DELETE FROM ${table} WHERE id = ?`, [id]);
      ids.splice(ids.indexOf(id), 1);
    }
  }
  tx.touch('references');
});
const touchRates = fc.constant<Write>(async ({ tx }) => tx.touch('rates'));

const anyWrite = fc.oneof(
  { arbitrary: addSeries, weight: 5 },
  { arbitrary: setPeriodicity, weight: 3 },
  addMarkets,
  addCommodities,
  clearPeriodicity,
  moveSeries,
  deleteSeries,
  replaceSeries,
  rename('market', (known) => known.markets),
  rename('commodity', (known) => known.commodities),
  moveMarket,
  { arbitrary: deleteUnused, weight: 2 },
  touchRates,
);
