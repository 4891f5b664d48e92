import { Logger, Module } from '@nestjs/common';
import { DatabaseConnector } from '../database/database-connector.js';
import { Database } from '../database/database.js';
import { PriceSeriesModule } from '../price-series/price-series.module.js';
import { DailyFindings } from './daily-findings.js';
import { lacksFindings } from './findings-follower.js';
import { FindingsFollowerModule } from './findings-follower.module.js';
import { FindingTablesController } from './finding-tables.controller.js';
import { FindingsController } from './findings.controller.js';
import { FindingsService } from './findings.service.js';

const NEVER_COMPUTED =
  'Findings about the data have never been computed: run `npm run findings` once, which may take minutes.';

/** What rules find in the data, kept in step with every change. */
@Module({
  imports: [PriceSeriesModule, FindingsFollowerModule],
  controllers: [FindingsController, FindingTablesController],
  providers: [FindingsService, DailyFindings],
  exports: [FindingsService],
})
export class QualityModule {
  constructor(connector: DatabaseConnector, database: Database) {
    connector.onConnected(async () => {
      if (await lacksFindings(database)) new Logger('Quality').warn(NEVER_COMPUTED);
    });
  }
}
