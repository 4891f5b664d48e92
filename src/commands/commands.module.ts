import { Module } from '@nestjs/common';
import { Accounts } from '../auth/accounts/accounts.js';
import { PasswordHasher } from '../auth/accounts/password-hasher.js';
import { SecurityLog } from '../auth/security-log.js';
import { ConfigModule } from '../config/config.module.js';
import { DatabaseModule } from '../database/database.module.js';
import { EditionMaking } from '../editions/edition-making.js';
import { Editions } from '../editions/editions.js';
import { entities } from '../entities.js';
import { BatchReverts } from '../history/revert/batch-reverts.js';
import { RevertLimits, Reverts } from '../history/revert/reverts.js';
import { ImportService } from '../import/import.service.js';
import { MappingStore } from '../import/mappings/stored/mapping-store.js';
import { NamesOfRecords } from '../import/mappings/names-of-records.js';
import { SeriesComparer } from '../import/pipeline/series-comparison.js';
import { AuditTrail } from '../ledger/audit/audit-trail.js';
import { ImportLock } from '../ledger/import-lock/import-lock.js';
import { LedgerModule } from '../ledger/ledger.module.js';
import { MirrorRun } from '../mirror/mirror-run.js';
import { ClockModule } from '../platform/clock/clock.module.js';
import { ObservationStore } from '../prices/store/observation-store.js';
import { FindingsRun } from '../quality/findings-run.js';
import { FindingsFollowerModule } from '../quality/findings-follower.module.js';
import { SampleData } from '../sample/sample-data.js';

/**
 * What the commands run, without the modules that have it in the service: these answer requests,
 * and keep timers.
 */
@Module({
  imports: [
    ConfigModule,
    ClockModule,
    DatabaseModule.forCommands(entities),
    LedgerModule,
    FindingsFollowerModule,
  ],
  providers: [
    Accounts,
    AuditTrail,
    BatchReverts,
    EditionMaking,
    Editions,
    FindingsRun,
    ImportLock,
    ImportService,
    MirrorRun,
    MappingStore,
    NamesOfRecords,
    SeriesComparer,
    ObservationStore,
    PasswordHasher,
    RevertLimits,
    Reverts,
    SampleData,
    SecurityLog,
  ],
})
export class CommandsModule {}
