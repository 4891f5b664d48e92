import { Module } from '@nestjs/common';
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
export class ImportModule {}
