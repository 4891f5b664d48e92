import { Module } from '@nestjs/common';
import { MetricsModule } from '../platform/metrics/metrics.module.js';
import { HttpModule } from '../platform/http/http.module.js';
import { IdempotencyModule } from '../idempotency/idempotency.module.js';
import { ImportModule } from '../import/import.module.js';
import { MappingUses } from '../import/mappings/stored/mapping-uses.js';
import { PricesModule } from '../prices/prices.module.js';
import { ReleasesModule } from '../releases/releases.module.js';
import { HarvestAlarms } from './alarms/harvest-alarms.js';
import { SourceFetcher } from './fetch/source-fetcher.js';
import { HeldFiles } from './held/held-files.js';
import { HeldRuns } from './held/held-runs.js';
import { HeldRunsController } from './held/held-runs.controller.js';
import { HarvestsController } from './records/harvests.controller.js';
import { countHarvestsByFormat, HarvestsService } from './records/harvests.service.js';
import { SealedSecrets } from './records/sealed-secrets.js';
import { HarvestRunner } from './runs/harvest-runner.js';
import { HarvestRuns } from './runs/harvest-runs.js';
import { HarvestRunsController } from './runs/harvest-runs.controller.js';
import { HarvestScheduler } from './runs/harvest-scheduler.js';

/** Fetches and imports files of sources by a schedule. */
@Module({
  imports: [HttpModule, IdempotencyModule, ImportModule, MetricsModule, PricesModule, ReleasesModule],
  controllers: [HarvestsController, HarvestRunsController, HeldRunsController],
  providers: [
    HarvestAlarms,
    HarvestRunner,
    HarvestRuns,
    HarvestScheduler,
    HarvestsService,
    HeldFiles,
    HeldRuns,
    SealedSecrets,
    SourceFetcher,
  ],
  exports: [HarvestAlarms, HarvestRuns, HarvestScheduler, HarvestsService, HeldRuns],
})
export class HarvestsModule {
  constructor(uses: MappingUses) {
    uses.add('Harvest', countHarvestsByFormat);
  }
}
