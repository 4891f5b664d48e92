import { Module } from '@nestjs/common';
import { PricesModule } from '../prices/prices.module.js';
import { ChangeSetsController } from './change-sets.controller.js';
import { ChangeSets } from './change-sets.js';
import { RevertsController } from './revert/reverts.controller.js';
import { RevertLimits, Reverts } from './revert/reverts.js';

/** How the data came to be what they are, and taking changes back. */
@Module({
  imports: [PricesModule],
  controllers: [ChangeSetsController, RevertsController],
  providers: [ChangeSets, RevertLimits, Reverts],
  exports: [ChangeSets],
})
export class HistoryModule {}
