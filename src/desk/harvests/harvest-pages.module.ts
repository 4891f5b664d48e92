import { Module } from '@nestjs/common';
import { HarvestsModule } from '../../harvests/harvests.module.js';
import { IdempotencyModule } from '../../idempotency/idempotency.module.js';
import { ImportModule } from '../../import/import.module.js';
import { HttpModule } from '../../platform/http/http.module.js';
import { DeskSessionModule } from '../session/desk-session.module.js';
import { EditHarvestController } from './edit-harvest.controller.js';
import { DeskHarvestsController } from './harvests.controller.js';
import { NewHarvestController } from './new-harvest.controller.js';

/** The pages of harvests. */
@Module({
  imports: [DeskSessionModule, HarvestsModule, HttpModule, IdempotencyModule, ImportModule],
  // That of a new one before those with an id in its place.
  controllers: [NewHarvestController, EditHarvestController, DeskHarvestsController],
})
export class HarvestPagesModule {}
