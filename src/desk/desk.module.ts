import { Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { ExplorerModule } from '../explorer/explorer.module.js';
import { HttpModule } from '../platform/http/http.module.js';
import { PriceSeriesModule } from '../price-series/price-series.module.js';
import { PricesModule } from '../prices/prices.module.js';
import { QualityModule } from '../quality/quality.module.js';
import { ChangeSetPagesModule } from './change-sets/change-sets.module.js';
import { FindingViews } from './findings/finding-views.js';
import { DeskFindingsController } from './findings/findings.controller.js';
import { HarvestPagesModule } from './harvests/harvest-pages.module.js';
import { HistoryModule } from '../history/history.module.js';
import { DeskAccountsController } from './accounts/accounts.controller.js';
import { DeskAuditLogController } from './accounts/audit-log.controller.js';
import { InvitationsController } from './invitations/invitations.controller.js';
import { DeskHomeController } from './home/home.controller.js';
import { DeskSessionModule } from './session/desk-session.module.js';
import { ProviderController } from './session/provider.controller.js';
import { LoginController, LogoutController } from './session/session.controller.js';
import { MappingPagesModule } from './mappings/mapping-pages.module.js';
import { DeskSeriesViews } from './series/desk-series-view.js';
import { JoinPageController } from './series/join.controller.js';
import { NewPoints } from './series/new-points.js';
import { DeskSeriesController } from './series/series.controller.js';
import { DeskRecords } from './tables/desk-records.js';
import { DeskTables } from './tables/desk-tables.js';
import { MergePageController } from './tables/merge.controller.js';
import { RecordHistories } from './tables/record-histories.js';
import { RemovedRecords } from './tables/removed-records.js';
import { DeskTablesController } from './tables/tables.controller.js';
import { UploadModule } from './upload/upload.module.js';

/** The pages at which maintainers keep the data. */
@Module({
  imports: [
    ChangeSetPagesModule,
    DeskSessionModule,
    DiscoveryModule,
    ExplorerModule,
    HarvestPagesModule,
    HistoryModule,
    HttpModule,
    MappingPagesModule,
    PriceSeriesModule,
    PricesModule,
    QualityModule,
    UploadModule,
  ],
  controllers: [
    DeskAccountsController,
    DeskAuditLogController,
    DeskFindingsController,
    DeskHomeController,
    InvitationsController,
    DeskSeriesController,
    JoinPageController,
    LoginController,
    LogoutController,
    ProviderController,
    MergePageController,
    DeskTablesController,
  ],
  providers: [
    DeskRecords,
    DeskSeriesViews,
    DeskTables,
    FindingViews,
    NewPoints,
    RecordHistories,
    RemovedRecords,
  ],
})
export class DeskModule {}
