import { Module } from '@nestjs/common';
import { HarvestsModule } from '../../harvests/harvests.module.js';
import { HttpModule } from '../../platform/http/http.module.js';
import { DeskSessionModule } from '../session/desk-session.module.js';
import { DeskHarvestsController } from './harvests.controller.js';

/** The pages of harvests. */
@Module({
  imports: [DeskSessionModule, HarvestsModule, HttpModule],
  controllers: [DeskHarvestsController],
})
export class HarvestPagesModule {}
