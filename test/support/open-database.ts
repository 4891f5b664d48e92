import { Environment } from '../../src/config/environment.js';
import { Database } from '../../src/database/database.js';
import { newMark } from '../../src/database/revisions.js';
import { DataRevision } from '../../src/ledger/revision/data-revision.js';
import { UnitOfWork } from '../../src/ledger/unit-of-work.js';
import { entities } from '../../src/entities.js';
import { createMigratedDatabase } from './test-database.js';

/** Opens a new, migrated database without the application. */
export async function openDatabase() {
  const { url, drop } = await createMigratedDatabase(migrate);
  const database = connection(url);
  await database.connect();
  // Copies of one database are told apart by the mark of their first revision.
  await database.writer.query('UPDATE revision SET mark = ?', [newMark()]);
  const revision = new DataRevision(database);
  await revision.refresh();
  return {
    url,
    database,
    revision,
    unitOfWork: new UnitOfWork(database, revision),
    drop,
    close: async () => {
      await database.close();
      await drop();
    },
  };
}

const connection = (url: string) => new Database(new Environment({ DATABASE_URL: url }), entities);

async function migrate(url: string): Promise<void> {
  const database = connection(url);
  await database.connect();
  await database.migrate();
  await database.close();
}
