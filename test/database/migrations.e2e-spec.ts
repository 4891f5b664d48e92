import { openDatabase } from '../support/open-database.js';

describe('migrations', () => {
  let opened: Awaited<ReturnType<typeof openDatabase>>;
  beforeAll(async () => (opened = await openDatabase()));
  afterAll(() => opened.close());

  it('create exactly the schema of the entities', async () => {
    const log = await opened.database.writer.driver.createSchemaBuilder().log();
    expect(log.upQueries.map((query) => query.query)).toEqual([]);
  });

  it('create the price types with the ids that clients rely on, and new ones from 18 on', async () => {
    await opened.unitOfWork.run((transaction) =>
      transaction.execute("INSERT INTO price_type (name) VALUES ('FARM GATE')"),
    );
    expect(
      await opened.database.rows('SELECT id, name, description, version FROM price_type ORDER BY id'),
    ).toEqual([
      { id: 11, name: 'EXPORT', description: '', version: 1 },
      { id: 12, name: 'RETAIL', description: '', version: 1 },
      { id: 13, name: 'WHOLESALE', description: '', version: 1 },
      { id: 17, name: 'IMPORT', description: '', version: 1 },
      { id: 18, name: 'FARM GATE', description: '', version: 1 },
    ]);
  });

  it('can be reverted and run again', async () => {
    const source = opened.database.writer;
    for (let left = source.migrations.length; left > 0; left--)
      await source.undoLastMigration({ transaction: 'each' });
    await source.runMigrations({ transaction: 'each' });
    expect(await opened.database.rows('SELECT revision FROM data_revision')).toEqual([{ revision: 1 }]);
  });
});
