import { Environment } from '../../src/config/environment.js';
import { Database } from '../../src/database/database.js';
import { DataRevision } from '../../src/ledger/revision/data-revision.js';
import { UnitOfWork } from '../../src/ledger/unit-of-work.js';
import { entities } from '../../src/entities.js';
import { createTestDatabase } from './test-database.js';

/** Opens a new, migrated database without the application. */
export async function openDatabase() {
  const { url, drop } = await createTestDatabase();
  const database = new Database(new Environment({ DATABASE_URL: url }), entities);
  await database.connect();
  await database.migrate();
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
