import { randomUUID } from 'node:crypto';
import type { QueryRunner } from 'typeorm';
import { SeriesVersions1764400000049 } from '../../src/database/migrations/1764400000049-series-versions.js';
import { addSeriesAliases, aliasVersions, removeAliases } from '../../src/price-series/series-aliases.js';
import { changeSeries, insertSeries, removeSeries } from '../../src/price-series/series-versions.js';
import { readSeriesHistories, SERIES_ATTRIBUTES } from '../../src/price-series/series-attributes.js';
import { testChange } from '../support/change-set.js';
import { createRecords } from '../support/factories.js';
import { openDatabase } from '../support/open-database.js';
import { randomNumbers } from '../support/random-prices.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

/** Revisions whose states are compared; set `STATES=2000` for a longer run by hand. */
const STATES = Number(process.env.STATES) || 60;
const SERIES = 8;

type Opened = Awaited<ReturnType<typeof openDatabase>>;
/** The columns of a series that is removed and may return. */
type Gone = Record<(typeof SERIES_ATTRIBUTES)[number], string | number>;

/** Changes, removes and returns series and their further uuids, some in each revision. */
async function makeHistory({ unitOfWork, database }: Opened, random: () => number): Promise<string[]> {
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)]!;
  const { ids, markets } = await createRecords(unitOfWork, async (factory) => ({
    ids: await Promise.all(Array.from({ length: SERIES }, () => factory.series())),
    markets: [await factory.market(), await factory.market({ iso3_country_code: 'UGA' })],
  }));
  const gone = new Map<number, Gone>();
  const uuids: string[] = [];
  for (let left = STATES; left > 0; left--) {
    const id = pick(ids);
    const former = gone.get(id);
    const kind = random();
    await unitOfWork.change(testChange, async (transaction) => {
      if (former !== undefined) {
        await insertSeries(transaction, id, former);
        gone.delete(id);
      } else if (kind < 0.4) {
        const currency = pick(['KES', 'UGX']);
        const attributes = { currency, market_id: pick(markets), marked_periods: pick([0, 2, 8]) };
        await changeSeries(transaction, id, attributes);
      } else if (kind < 0.6) {
        const [row] = await transaction.rows<Gone>(
          `SELECT ${SERIES_ATTRIBUTES.join(', ')} FROM price_serie WHERE id = ?`,
          [id],
        );
        gone.set(id, row!);
        await removeSeries(transaction, [id]);
      } else if (kind < 0.8) {
        const added = [randomUUID(), randomUUID()];
        uuids.push(...added);
        await addSeriesAliases(
          transaction,
          added.map((uuid) => ({ uuid, serieId: id })),
        );
      } else await removeAliases(transaction, 'serie_id', [id]);
      transaction.markSeriesModified([id]);
    });
  }
  expect(await database.rows("SELECT 1 FROM record_version WHERE table_name = 'series_alias'")).not.toEqual(
    [],
  );
  return uuids;
}

/** What a new service knows of every revision. */
async function pastStates(url: string, uuids: readonly string[]): Promise<unknown[]> {
  const service: TestApp = await startTestApp({ DATABASE_URL: url });
  const [{ revision }] = (await service.database.rows('SELECT revision FROM data_revision')) as [
    { revision: number },
  ];
  const states: unknown[] = [];
  for (let past = 1; past <= Number(revision); past++) {
    const { body } = await service
      .http()
      .get(`/api/v1/PriceSerie/?page_size=1000&as_of=r${past}`)
      .expect(200);
    states.push(body);
  }
  const ids = Array.from({ length: SERIES }, (_, index) => index + 1);
  states.push([...(await readSeriesHistories(service.database, ids))].map(([id, all]) => [id, sorted(all)]));
  states.push(sorted(await aliasVersions(service.database, uuids)));
  await service.close();
  return states;
}

const sorted = (rows: readonly object[]) => rows.map((row) => JSON.stringify(row)).sort();

describe('the migration of what series were', () => {
  let opened: Opened;
  beforeAll(async () => (opened = await openDatabase()));
  afterAll(() => opened.close());

  /** Runs the migration, which is killed before one of its statements. @returns whether it ended */
  async function runUntil(last: number): Promise<boolean> {
    const runner: QueryRunner = opened.database.writer.createQueryRunner();
    const query = runner.query.bind(runner);
    let statements = 0;
    runner.query = (...given: Parameters<typeof query>) => {
      if (statements++ === last) throw new Error('killed');
      return query(...given);
    };
    // A server commits the definition of a table at once, SQLite with the rest.
    const { embedded } = opened.database;
    if (embedded) await query('BEGIN IMMEDIATE');
    try {
      await new SeriesVersions1764400000049().up(runner);
      if (embedded) await query('COMMIT');
      return true;
    } catch (error) {
      expect(error).toMatchObject({ message: 'killed' });
      if (embedded) await query('ROLLBACK');
      return false;
    } finally {
      // The embedded engine has one runner for all.
      runner.query = query;
      await runner.release();
    }
  }

  it(
    'leaves every past state as it was, also where it was killed after any of its statements',
    async () => {
      const { url, database } = opened;
      const uuids = await makeHistory(opened, randomNumbers(49));
      const before = await pastStates(url, uuids);
      // As an earlier release has stored it.
      await database.writer.undoLastMigration({ transaction: 'each' });
      const [{ versions }] = (await database.rows(
        'SELECT COUNT(*) AS versions FROM price_serie_version',
      )) as [{ versions: number }];
      expect(Number(versions)).toBeGreaterThan(STATES / 4);
      let killed = 0;
      while (!(await runUntil(killed))) killed++;
      expect(killed).toBeGreaterThan(4);
      await database.writer.runMigrations({ transaction: 'each' });
      const after = await pastStates(url, uuids);
      for (const [index, state] of after.entries()) expect(state).toEqual(before[index]);
      expect(after).toHaveLength(before.length);
    },
    STATES * 1000,
  );
});
