import { Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { AuthModule } from '../auth/auth.module.js';
import { HttpModule } from '../platform/http/http.module.js';
import { PriceSeriesModule } from '../price-series/price-series.module.js';
import { DeskHomeController } from './home/home.controller.js';
import { LoginController, LogoutController } from './session/session.controller.js';
import { DeskRecords } from './tables/desk-records.js';
import { DeskTables } from './tables/desk-tables.js';
import { MergePageController } from './tables/merge.controller.js';
import { RecordHistories } from './tables/record-histories.js';
import { TablesController } from './tables/tables.controller.js';

/** The pages at which maintainers keep the data. */
@Module({
  imports: [AuthModule, DiscoveryModule, HttpModule, PriceSeriesModule],
  controllers: [DeskHomeController, LoginController, LogoutController, MergePageController, TablesController],
  providers: [DeskRecords, DeskTables, RecordHistories],
})
export class DeskModule {}
