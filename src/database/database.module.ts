import { Global, Module, type DynamicModule } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Clock } from '../platform/clock/clock.js';
import { WorkerPeers } from '../platform/workers/worker-peers.js';
import { WorkersModule } from '../platform/workers/workers.module.js';
import { Environment } from '../config/environment.js';
import { Database } from './database.js';
import { DatabaseConnector } from './database-connector.js';
import { DataRevision } from './revision/data-revision.js';
import { dataSourceOptions, type Entities } from './data-source-options.js';
import { readOnly } from './read-only-data-source.js';
import { PastRevisions } from './revision/past-revisions.js';
import { UnitOfWork } from './unit-of-work.js';

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
          useFactory: (database: Database, peers: WorkerPeers) => new DataRevision(database, peers),
        },
        {
          provide: UnitOfWork,
          inject: [Database, DataRevision, Clock],
          useFactory: (database: Database, revision: DataRevision, clock: Clock) =>
            new UnitOfWork(database, revision, clock),
        },
        {
          provide: PastRevisions,
          inject: [Database, DataRevision],
          useFactory: (database: Database, revision: DataRevision) => new PastRevisions(database, revision),
        },
        DatabaseConnector,
      ],
      exports: [Database, DataRevision, PastRevisions, UnitOfWork, DatabaseConnector],
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
