import { Module } from '@nestjs/common';
import { PricesModule } from '../prices/prices.module.js';
import { IndicatorsController } from './indicators/indicators.controller.js';
import { IndicatorsService } from './indicators/indicators.service.js';

/** What is calculated from prices for analysts. */
@Module({
  imports: [PricesModule],
  controllers: [IndicatorsController],
  providers: [IndicatorsService],
})
export class AnalysisModule {}
