import { Module } from '@nestjs/common';
import { MetricsRegistry } from '../common/metrics/metrics-registry.js';
import { PricesModule } from '../prices/prices.module.js';
import { ImportLock } from './import-lock.js';
import { ImportController } from './import.controller.js';
import { ImportService } from './import.service.js';

/** Files of prices, rates, indices and records into the database. */
@Module({
  imports: [PricesModule],
  controllers: [ImportController],
  providers: [ImportLock, ImportService],
  exports: [ImportService],
})
export class ImportModule {
  constructor({ done }: ImportService, figures: MetricsRegistry) {
    const counter = (name: string, help: string, value: () => number) =>
      figures.add({ name, help, kind: 'counter', value });
    counter('pds_imports_total', 'Imports over HTTP.', () => done.imports);
    counter('pds_import_rows_total', 'Rows that they have read.', () => done.rows);
    counter('pds_import_rejected_rows_total', 'Rows that they have rejected.', () => done.rejected);
  }
}
