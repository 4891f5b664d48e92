import { AuditTrail } from '../audit/audit-trail.js';
import { ApiError } from '../common/errors/api-error.js';
import { Clock } from '../common/dates/clock.js';
import { InvalidEnvironment } from '../config/environment.js';
import { loadEnvironment } from '../config/load-environment.js';
import { DataRevision } from '../database/data-revision.js';
import { Database } from '../database/database.js';
import { DatabaseRefused } from '../database/database-refused.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import { ImportLock } from '../import/import-lock.js';
import { ImportService } from '../import/import.service.js';
import { ObservationStore } from '../prices/observation-store.js';
import { SampleData } from './sample-data.js';

/** `npm run sample -- load|remove`: needs no running server, and may run beside one. */
async function main(action: string | undefined): Promise<number> {
  if (action !== 'load' && action !== 'remove') {
    console.error('Usage: npm run sample -- load|remove');
    return 1;
  }
  const database = new Database(loadEnvironment(), []);
  await database.connect(true);
  try {
    const unitOfWork = new UnitOfWork(database, new DataRevision(database));
    const store = new ObservationStore();
    const trail = new AuditTrail(new Clock());
    const imports = new ImportService(unitOfWork, store, trail, new ImportLock(unitOfWork));
    const sample = new SampleData(database, unitOfWork, imports, store, trail);
    if (action === 'load') {
      await sample.load();
      console.log('The sample is loaded.');
    } else {
      const { series, points, records } = await sample.remove();
      console.log(`Removed ${series} series, ${points} prices and ${records} records.`);
    }
    return 0;
  } finally {
    await database.close();
  }
}

/** Ends with a line that says why; only what nobody foresaw comes with its stack. */
function fail(error: unknown): number {
  const foreseen = [InvalidEnvironment, DatabaseRefused, ApiError].some((kind) => error instanceof kind);
  console.error(foreseen ? (error as Error).message : error);
  return 1;
}

process.exitCode = await main(process.argv[2]).catch(fail);
