import { Module } from '@nestjs/common';
import type { ReferenceTable } from './base/reference-table.js';
import { CommodityModule } from './commodity/commodity.module.js';
import { CpiModule } from './cpi/cpi.module.js';
import { FxRateModule } from './fx-rate/fx-rate.module.js';
import { MarketModule } from './market/market.module.js';
import { MeasureUnitModule } from './measure-unit/measure-unit.module.js';
import { PriceTypeModule } from './price-type/price-type.module.js';
import { SourceModule } from './source/source.module.js';

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

/** The reference tables: those of the controllers of the modules above. */
export function referenceTables(): ReferenceTable[] {
  const metadata = (key: string, module: object) => (Reflect.getMetadata(key, module) ?? []) as object[];
  return metadata('imports', ReferenceModule)
    .flatMap((module) => metadata('controllers', module))
    .flatMap((controller) => ('table' in controller ? [controller.table as ReferenceTable] : []));
}
