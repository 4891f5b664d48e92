import { Logger } from '@nestjs/common';
import { AuditTrail } from '../audit/audit-trail.js';
import { Clock } from '../common/dates/clock.js';
import { LineSink } from '../common/logging/line-sink.js';
import { ServiceLog } from '../common/logging/service-log.js';
import { loadEnvironment } from '../config/load-environment.js';
import { DataRevision } from '../database/data-revision.js';
import { Database } from '../database/database.js';
import { problemOf } from '../database/problem-of.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import { ObservationStore } from '../prices/observation-store.js';
import { ImportLock } from './import-lock.js';
import { ImportService } from './import.service.js';
import { runImport } from './run-import.js';

/** `npm run import`: needs no running server, and may run beside one. */
async function main(): Promise<number> {
  // Nothing here goes through an entity.
  const database = new Database(loadEnvironment(), []);
  try {
    await database.connect(true);
  } catch (error) {
    // The driver's words tell who runs a command more than the answer that a request would get.
    console.error(error instanceof Error ? error.message : error);
    return 1;
  }
  try {
    const unitOfWork = new UnitOfWork(database, new DataRevision(database));
    const imports = new ImportService(
      unitOfWork,
      new ObservationStore(),
      new AuditTrail(new Clock()),
      new ImportLock(unitOfWork),
    );
    return await runImport(process.argv.slice(2), imports, {
      say: (text) => console.log(text),
      complain: (text) => console.error(text),
      screen: process.stderr,
    });
  } finally {
    await database.close();
  }
}

// Standard output is for the report; what the database layer logs goes beside it.
const log = new ServiceLog('info', new LineSink(process.stderr));
Logger.overrideLogger(log);
try {
  process.exitCode = await main();
} catch (error) {
  console.error(problemOf(error)?.detail ?? (error instanceof Error ? error.message : error));
  process.exitCode = 1;
} finally {
  await log.sink.end();
}
