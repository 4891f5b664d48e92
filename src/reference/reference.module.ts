import { Module } from '@nestjs/common';
import { CommodityModule } from './commodity/commodity.module.js';
import { CpiModule } from './cpi/cpi.module.js';
import { FxRateModule } from './fx-rate/fx-rate.module.js';
import { MarketModule } from './market/market.module.js';
import { MeasureUnitModule } from './measure-unit/measure-unit.module.js';
import { PriceTypeModule } from './price-type/price-type.module.js';
import { SourceModule } from './source/source.module.js';

/** The reference tables. */
@Module({
  imports: [
    PriceTypeModule,
    FxRateModule,
    CpiModule,
    MarketModule,
    CommodityModule,
    SourceModule,
    MeasureUnitModule,
  ],
})
export class ReferenceModule {}
