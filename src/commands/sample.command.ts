import { AuditTrail } from '../ledger/audit/audit-trail.js';
import { runCommand, UsageError } from '../platform/commands/run-command.js';
import { Clock } from '../platform/clock/clock.js';
import { loadEnvironment } from '../config/load-environment.js';
import { DataRevision } from '../ledger/revision/data-revision.js';
import { Database } from '../database/database.js';
import { UnitOfWork } from '../ledger/unit-of-work.js';
import { FindingsUpdater } from '../quality/findings-updater.js';
import { ImportService } from '../import/import.service.js';
import { ObservationStore } from '../prices/store/observation-store.js';
import { recordEntities } from '../reference/reference.module.js';
import { SampleData } from '../sample/sample-data.js';

/** `npm run sample -- load|remove`: works with and without a running server. */
await runCommand('Usage: npm run sample -- load|remove', async ([action, ...more]) => {
  if ((action !== 'load' && action !== 'remove') || more.length > 0) throw new UsageError();
  const database = new Database(loadEnvironment(), recordEntities());
  await database.connectForCommand(true);
  try {
    const unitOfWork = FindingsUpdater.observe(new UnitOfWork(database, new DataRevision(database)));
    const imports = ImportService.forDatabase(database);
    const sample = new SampleData(
      database,
      unitOfWork,
      imports,
      new ObservationStore(),
      new AuditTrail(new Clock()),
    );
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
});
