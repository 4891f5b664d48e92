import { Module } from '@nestjs/common';
import { PriceSeriesModule } from '../price-series/price-series.module.js';
import { PricesModule } from '../prices/prices.module.js';
import { FpmaController } from './fpma.controller.js';

/** The routes of FAO's live FPMA tool. */
@Module({ imports: [PriceSeriesModule, PricesModule], controllers: [FpmaController] })
export class FpmaModule {}
