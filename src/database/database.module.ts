import { Global, Module, type DynamicModule } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { WorkerPeers } from '../common/workers/worker-peers.js';
import { WorkersModule } from '../common/workers/workers.module.js';
import { Environment } from '../config/environment.js';
import { Database } from './database.js';
import { DatabaseConnector } from './database-connector.js';
import { DataRevision } from './data-revision.js';
import { dataSourceOptions, type Entities } from './data-source-options.js';
import { UnitOfWork } from './unit-of-work.js';

/** Carries the database to the factory that Nest asks for a data source: it is given nothing but the options. */
const OPENED_BY = Symbol('opened by');

@Global()
@Module({})
class ConnectionModule {
  static for(entities: Entities): DynamicModule {
    return {
      module: ConnectionModule,
      imports: [WorkersModule],
      providers: [
        {
          provide: Database,
          inject: [Environment],
          useFactory: (environment: Environment) => new Database(environment, entities),
        },
        {
          provide: DataRevision,
          inject: [Database, WorkerPeers],
          useFactory: (database: Database, siblings: WorkerPeers) => new DataRevision(database, siblings),
        },
        {
          provide: UnitOfWork,
          inject: [Database, DataRevision],
          useFactory: (database: Database, revision: DataRevision) => new UnitOfWork(database, revision),
        },
        DatabaseConnector,
      ],
      exports: [Database, DataRevision, UnitOfWork, DatabaseConnector],
    };
  }
}

/**
 * The database for the whole application. The data source that Nest injects is the reading one; it is opened by
 * `DatabaseConnector`, not at the start, so that the service answers while its database is away.
 */
@Module({})
export class DatabaseModule {
  static for(entities: Entities): DynamicModule {
    const connection = ConnectionModule.for(entities);
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
            [OPENED_BY]: database,
          }),
          dataSourceFactory: async (options) =>
            (options as unknown as { [OPENED_BY]: Database })[OPENED_BY].reader,
        }),
      ],
      exports: [connection],
    };
  }
}
