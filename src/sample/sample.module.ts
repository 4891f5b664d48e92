import { Logger, Module } from '@nestjs/common';
import { Environment } from '../config/environment.js';
import { DatabaseConnector } from '../database/database-connector.js';
import { ImportModule } from '../import/import.module.js';
import { PricesModule } from '../prices/prices.module.js';
import { SampleData } from './sample-data.js';

/** Imports the sample into an empty embedded database, so that the first start has data to show. */
@Module({ imports: [ImportModule, PricesModule], providers: [SampleData], exports: [SampleData] })
export class SampleModule {
  constructor(connector: DatabaseConnector, environment: Environment, sample: SampleData) {
    const { sampleData, embedded, production } = environment;
    if (sampleData === 'off' || (sampleData === 'auto' && (!embedded || production))) return;
    connector.onConnected(async () => {
      // Loading it again would undo corrections of it.
      if (sampleData === 'auto' ? !(await sample.databaseIsEmpty()) : await sample.isLoaded()) return;
      await sample.load();
      new Logger('Sample').log(
        'The bundled sample data have been loaded. Remove them with: npm run sample -- remove',
      );
    });
  }
}
