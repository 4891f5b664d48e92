import { Global, Module } from '@nestjs/common';
import { AuditModule } from './audit/audit.module.js';
import { AuthModule } from './auth/auth.module.js';
import { REVISION_SOURCE, type RevisionSource } from './common/caching/revision-source.js';
import { ClockModule } from './common/dates/clock.module.js';
import { ERROR_TRANSLATOR } from './common/errors/to-api-error.js';
import { HttpModule } from './common/http/http.module.js';
import { ConfigModule } from './config/config.module.js';
import { DataRevision, type Revisions } from './database/data-revision.js';
import { DatabaseModule } from './database/database.module.js';
import { toApiErrorFromDriver } from './database/driver-api-errors.js';
import { entities } from './entities.js';
import { FpmaModule } from './fpma-compat/fpma.module.js';
import { IdempotencyModule } from './idempotency/idempotency.module.js';
import { ImportModule } from './import/import.module.js';
import { OpenApiModule } from './openapi/openapi.module.js';
import { OperationsModule } from './operations/operations.module.js';
import { PriceSeriesModule } from './price-series/price-series.module.js';
import { PricesModule } from './prices/prices.module.js';
import { ReferenceModule } from './reference/reference.module.js';
import { SampleModule } from './sample/sample.module.js';

/** Tells the HTTP layer, which knows no database, what state the data are in and what a driver's error means. */
@Global()
@Module({
  providers: [
    {
      provide: REVISION_SOURCE,
      inject: [DataRevision],
      useFactory: (revision: DataRevision): RevisionSource => {
        // Repeated answers ask for nothing else, so what was made of the known revisions is kept as long as they are known.
        let known: Revisions | null = null;
        const texts = new Map<string, string>();
        return {
          current: (part) => {
            const now = revision.current();
            if (now === null) return null;
            if (now !== known) texts.clear();
            known = now;
            let text = texts.get(part);
            if (text === undefined) {
              // Of several parts the newest revision: it moves when any of them does.
              text = String(Math.max(...part.split('+').map((area) => now[area as keyof Revisions])));
              texts.set(part, text);
            }
            return text;
          },
        };
      },
    },
    { provide: ERROR_TRANSLATOR, useValue: (error: unknown) => toApiErrorFromDriver(error) ?? error },
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
    BindingsModule,
    AuditModule,
    AuthModule,
    IdempotencyModule,
    OperationsModule,
    ReferenceModule,
    PriceSeriesModule,
    PricesModule,
    FpmaModule,
    ImportModule,
    SampleModule,
    OpenApiModule,
  ],
})
export class AppModule {}
