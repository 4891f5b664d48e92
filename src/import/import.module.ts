import { Module } from '@nestjs/common';
import { HttpModule } from '../platform/http/http.module.js';
import { DatabaseConnector } from '../database/database-connector.js';
import { MetricsRegistry } from '../platform/metrics/metrics-registry.js';
import { MetricsModule } from '../platform/metrics/metrics.module.js';
import { PricesModule } from '../prices/prices.module.js';
import { ImportLock } from '../ledger/import-lock/import-lock.js';
import { MappingStore } from './mappings/stored/mapping-store.js';
import { MappingUses } from './mappings/stored/mapping-uses.js';
import { MappingsController } from './mappings/stored/mappings.controller.js';
import { MappingsService } from './mappings/stored/mappings.service.js';
import { ForecastMove } from './forecast-move.js';
import { ImportController } from './import.controller.js';
import { ImportService } from './import.service.js';
import { ImportProcess } from './process/import-process.js';

/** Imports files of prices, exchange rates, price indices and reference records. */
@Module({
  imports: [HttpModule, MetricsModule, PricesModule],
  controllers: [ImportController, MappingsController],
  providers: [
    ForecastMove,
    ImportLock,
    ImportProcess,
    ImportService,
    MappingStore,
    MappingUses,
    MappingsService,
  ],
  exports: [ImportProcess, ImportService, MappingStore, MappingUses, MappingsService],
})
export class ImportModule {
  constructor(
    { totals }: ImportProcess,
    metrics: MetricsRegistry,
    connector: DatabaseConnector,
    forecasts: ForecastMove,
  ) {
    connector.onConnected(() => forecasts.run());
    const counter = (name: string, help: string, value: () => number) =>
      metrics.add({ name, help, kind: 'counter', value });
    counter('pds_imports_total', 'Imports that have run over HTTP.', () => totals.imports);
    counter('pds_import_rows_total', 'Rows read by imports over HTTP.', () => totals.rows);
    counter('pds_import_rejected_rows_total', 'Rows rejected by imports over HTTP.', () => totals.rejected);
  }
}
