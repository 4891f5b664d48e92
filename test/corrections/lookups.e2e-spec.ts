import {
  correctionOfPoint,
  correctionsOfRecords,
  correctionsOfSeries,
  isRecordCorrected,
} from '../../src/ledger/corrections/correction-store.js';
import type { Database } from '../../src/database/database.js';
import type { Transaction } from '../../src/ledger/unit-of-work.js';
import { correctionConditions, correctionList } from '../../src/prices/corrections/correction-list.js';
import { driverStatements } from '../support/driver-statements.js';
import { openDatabase } from '../support/open-database.js';

describe('R2: lookups of standing corrections', () => {
  let opened: Awaited<ReturnType<typeof openDatabase>>;
  beforeAll(async () => (opened = await openDatabase()));
  afterAll(() => opened.close());

  it.each<[string, string, (transaction: Transaction) => Promise<unknown>]>([
    [
      'of a point',
      'ix_correction_point',
      (transaction) => correctionOfPoint(transaction, { serieId: 1, period: 3, day: 1 }),
    ],
    ['of series', 'ix_correction_point', (transaction) => correctionsOfSeries(transaction, 1, 2)],
    ['of records', 'ix_correction_record', (transaction) => correctionsOfRecords(transaction, 'cpi', ['a'])],
    [
      'of records in a period',
      'ix_correction_record',
      (transaction) => isRecordCorrected(transaction, 'cpi', ['KEN'], 1, 2),
    ],
  ])('%s use an index', async (_, index, lookup) => {
    const { database, unitOfWork } = opened;
    const statements = await driverStatements(database, () => unitOfWork.run(lookup));
    const sql = statements.find((statement) => statement.includes('FROM correction'))!;
    expect(await planOf(database, sql)).toContain(
      database.embedded ? `SEARCH correction USING INDEX ${index} (` : index,
    );
  });

  it('of a series use an index in the list, too', async () => {
    const { database } = opened;
    const conditions = correctionConditions({ state: ['standing'] }, [1]);
    const statements = await driverStatements(database, () =>
      correctionList(database).page(conditions, { page: 1, pageSize: 10 }),
    );
    const plan = await planOf(
      database,
      statements.find((statement) => statement.includes('FROM correction'))!,
    );
    expect(plan).toContain(
      database.embedded ? 'SEARCH c USING INDEX ix_correction_point (' : 'ix_correction_point',
    );
    expect(plan).not.toContain('SCAN c');
  });
});

async function planOf(database: Database, sql: string): Promise<string> {
  const values = Array.from(sql.matchAll(/\?/g), () => 1);
  return JSON.stringify(
    await database.rows(`EXPLAIN ${database.embedded ? 'QUERY PLAN ' : ''}${sql}`, values),
  );
}
