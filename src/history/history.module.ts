import { Module } from '@nestjs/common';
import { ImportLock } from '../ledger/import-lock/import-lock.js';
import { PricesModule } from '../prices/prices.module.js';
import { ChangeSetsController } from './change-sets.controller.js';
import { ChangeSets } from './change-sets.js';
import { RevertsController } from './revert/reverts.controller.js';
import { BatchReverts } from './revert/batch-reverts.js';
import { RevertLimits, Reverts } from './revert/reverts.js';

/** How the data came to be what they are, and reverting changes. */
@Module({
  imports: [PricesModule],
  controllers: [ChangeSetsController, RevertsController],
  providers: [BatchReverts, ChangeSets, ImportLock, RevertLimits, Reverts],
  exports: [BatchReverts, ChangeSets, RevertLimits, Reverts],
})
export class HistoryModule {}
