import { Environment } from '../../src/config/environment.js';
import { Database } from '../../src/database/database.js';
import { ImportService } from '../../src/import/import.service.js';
import { createInput } from '../../src/import/pipeline/input.js';
import { chunksOf } from '../support/import-input.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';

describe('the import command, which runs without entities', () => {
  let testDatabase: TestDatabase;
  let database: Database;
  beforeAll(async () => {
    testDatabase = await createTestDatabase();
    database = new Database(new Environment({ DATABASE_URL: testDatabase.url }), []);
    await database.connect();
    await database.migrate();
  });
  afterAll(async () => {
    await database?.close();
    await testDatabase?.drop();
  });

  it('changes records that are stored', async () => {
    const imports = ImportService.forDatabase(database);
    const fx = async (rate: number) => {
      const text = `currency,date,period,rate\nKES,2024-01-01,monthly,${rate}\n`;
      const request = { format: 'fx', options: {}, dryRun: false, caller: null, requestId: null };
      const report = await imports.import(request, createInput(chunksOf(text), 'fx.csv', null));
      return [report.new, report.changed, report.unchanged, report.error];
    };
    expect(await fx(100)).toEqual([1, 0, 0, null]);
    expect(await fx(101)).toEqual([0, 1, 0, null]);
    expect(await fx(101)).toEqual([0, 0, 1, null]);
    expect(await database.rows('SELECT rate, version FROM fx_rate')).toEqual([{ rate: 101, version: 2 }]);
  });
});
