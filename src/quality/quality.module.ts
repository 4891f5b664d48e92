import { Module } from '@nestjs/common';
import { UnitOfWork } from '../database/unit-of-work.js';
import { PriceSeriesModule } from '../price-series/price-series.module.js';
import { FindingsUpdater } from './findings-updater.js';
import { FindingsController } from './findings.controller.js';
import { FindingsService } from './findings.service.js';

/** What rules find in the data, kept in step with every change. */
@Module({
  imports: [PriceSeriesModule],
  controllers: [FindingsController],
  providers: [FindingsService],
})
export class QualityModule {
  constructor(unitOfWork: UnitOfWork) {
    FindingsUpdater.observe(unitOfWork);
  }
}
