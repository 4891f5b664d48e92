import { Global, Module, type DynamicModule } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Environment } from '../config/environment.js';
import { Database } from './database.js';
import { DatabaseConnector } from './database-connector.js';
import { dataSourceOptions, type Entities } from './data-source-options.js';
import { readOnly } from './read-only-data-source.js';

/**
 * Passes the database to the data source factory, which Nest calls with nothing but the options.
 */
const OWNER = Symbol('owner');

@Global()
@Module({})
class ConnectionModule {
  static forRoot(entities: Entities): DynamicModule {
    return {
      module: ConnectionModule,
      providers: [
        {
          provide: Database,
          inject: [Environment],
          useFactory: (environment: Environment) => new Database(environment, entities),
        },
        DatabaseConnector,
      ],
      exports: [Database, DatabaseConnector],
    };
  }
}

/**
 * The database of the whole application. The data source that Nest injects reads only.
 * `DatabaseConnector` opens it instead of TypeORM, so that the service starts without its database.
 */
@Module({})
export class DatabaseModule {
  static forRoot(entities: Entities): DynamicModule {
    const connection = ConnectionModule.forRoot(entities);
    return {
      module: DatabaseModule,
      imports: [
        connection,
        TypeOrmModule.forRootAsync({
          imports: [connection],
          inject: [Environment, Database],
          useFactory: (environment: Environment, database: Database) => ({
            ...dataSourceOptions(environment, entities, 'reader'),
            manualInitialization: true,
            [OWNER]: database,
          }),
          dataSourceFactory: async (options) =>
            readOnly((options as unknown as { [OWNER]: Database })[OWNER].reader),
        }),
      ],
      exports: [connection],
    };
  }
}
