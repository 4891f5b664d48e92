import { Module } from '@nestjs/common';
import { PriceSeriesModule } from '../price-series/price-series.module.js';
import { ReleasesController } from './releases.controller.js';
import { ReleasesService } from './releases.service.js';

/** When sources publish. */
@Module({
  imports: [PriceSeriesModule],
  controllers: [ReleasesController],
  providers: [ReleasesService],
  exports: [ReleasesService],
})
export class ReleasesModule {}
