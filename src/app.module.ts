import { Global, Module } from '@nestjs/common';
import { AliasesModule } from './reference/aliases/aliases.module.js';
import { AnalysisModule } from './analysis/analysis.module.js';
import { AuditModule } from './ledger/audit/audit.module.js';
import { AuthModule } from './auth/auth.module.js';
import { REVISION_SOURCE } from './platform/http/cache.js';
import { Clock } from './platform/clock/clock.js';
import { ClockModule } from './platform/clock/clock.module.js';
import { ERROR_TRANSLATOR } from './platform/errors/to-api-error.js';
import { HttpModule } from './platform/http/http.module.js';
import { ERROR_PAGES, type ErrorPages } from './platform/http/reply.js';
import { HTTP_OPTIONS, type HttpOptions } from './platform/http/options.js';
import { ServiceLog } from './platform/logging/service-log.js';
import { ConfigModule } from './config/config.module.js';
import { Environment } from './config/environment.js';
import { BASE } from './config/price-paths.js';
import { release } from './config/release.js';
import { CacheRevisions } from './ledger/revision/cache-revisions.js';
import { DatabaseModule } from './database/database.module.js';
import { LedgerModule } from './ledger/ledger.module.js';
import { toApiErrorFromDriver } from './database/errors/driver-api-errors.js';
import { entities } from './entities.js';
import { DeskModule } from './desk/desk.module.js';
import { deskErrorPage } from './desk/layout/desk-error-page.js';
import { EditionsModule } from './editions/editions.module.js';
import { ExplorerModule } from './explorer/explorer.module.js';
import { errorPage } from './explorer/layout/error-page.js';
import { FpmaModule } from './fpma-compat/fpma.module.js';
import { HarvestsModule } from './harvests/harvests.module.js';
import { ChangesModule } from './history/feed/changes.module.js';
import { HistoryModule } from './history/history.module.js';
import { IdempotencyModule } from './idempotency/idempotency.module.js';
import { ImportModule } from './import/import.module.js';
import { McpModule } from './mcp/mcp.module.js';
import { OpenApiModule } from './openapi/openapi.module.js';
import { OperationsModule } from './operations/operations.module.js';
import { PriceSeriesModule } from './price-series/price-series.module.js';
import { PricesModule } from './prices/prices.module.js';
import { QualityModule } from './quality/quality.module.js';
import { ReferenceModule } from './reference/reference.module.js';
import { ReleasesModule } from './releases/releases.module.js';
import { NOTICE_SOURCE } from './platform/http/request.js';
import { SampleNotice } from './sample/sample-notice.js';
import { SampleModule } from './sample/sample.module.js';

/**
 * What the HTTP layer, which knows neither settings nor database, needs of both; of operations that
 * is the throttle and the metrics of requests.
 */
@Global()
@Module({
  imports: [OperationsModule, PriceSeriesModule],
  providers: [
    {
      provide: ServiceLog,
      inject: [Environment],
      useFactory: ({ logLevel }: Environment) => new ServiceLog(logLevel),
    },
    {
      provide: HTTP_OPTIONS,
      inject: [Environment, Clock],
      useFactory: (environment: Environment, clock: Clock): HttpOptions => ({
        publicUrl: environment.publicUrl,
        trustProxy: environment.trustProxy,
        connectionsPerAddress: environment.maxConnectionsPerAddress,
        corsOrigins: environment.corsOrigins,
        maxPageSize: environment.maxPageSize,
        sourcesPath: `/${BASE}/Source/`,
        release: release(),
        clock: () => clock.now(),
      }),
    },
    {
      provide: ERROR_PAGES,
      inject: [Environment],
      useFactory: ({ explorer }: Environment): ErrorPages | null =>
        explorer ? (error, info) => deskErrorPage(error, info) ?? errorPage(error, info) : null,
    },
    { provide: REVISION_SOURCE, useClass: CacheRevisions },
    { provide: NOTICE_SOURCE, useClass: SampleNotice },
    { provide: ERROR_TRANSLATOR, useValue: (error: unknown) => toApiErrorFromDriver(error) ?? error },
  ],
  exports: [
    OperationsModule,
    ServiceLog,
    HTTP_OPTIONS,
    REVISION_SOURCE,
    NOTICE_SOURCE,
    ERROR_PAGES,
    ERROR_TRANSLATOR,
  ],
})
class BindingsModule {}

/** The service. */
@Module({
  imports: [
    ConfigModule,
    ClockModule,
    HttpModule,
    DatabaseModule.forRoot(entities),
    LedgerModule,
    BindingsModule,
    AuditModule,
    AuthModule,
    HistoryModule,
    IdempotencyModule,
    ReferenceModule,
    AliasesModule,
    PriceSeriesModule,
    PricesModule,
    QualityModule,
    AnalysisModule,
    ReleasesModule,
    FpmaModule,
    ChangesModule,
    ImportModule,
    HarvestsModule,
    EditionsModule,
    ExplorerModule,
    DeskModule,
    McpModule,
    SampleModule,
    OpenApiModule,
  ],
})
export class AppModule {}
