import { Global, Module, type DynamicModule, type Type } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Environment } from '../config/environment.js';
import { Database } from './database.js';
import { CommandConnector, DatabaseConnector } from './database-connector.js';
import { dataSourceOptions, type Entities } from './data-source-options.js';
import { readOnly } from './read-only-data-source.js';

/**
 * Passes the database to the data source factory, which Nest calls with nothing but the options.
 */
const OWNER = Symbol('owner');

@Global()
@Module({})
class ConnectionModule {
  static forRoot(entities: Entities, connector: Type<DatabaseConnector>): DynamicModule {
    return {
      module: ConnectionModule,
      providers: [
        {
          provide: Database,
          inject: [Environment],
          useFactory: (environment: Environment) => new Database(environment, entities),
        },
        { provide: DatabaseConnector, useClass: connector },
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
    const connection = ConnectionModule.forRoot(entities, DatabaseConnector);
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

  /** The database of a command, which connects itself. */
  static forCommands(entities: Entities): DynamicModule {
    const connection = ConnectionModule.forRoot(entities, CommandConnector);
    return { module: DatabaseModule, imports: [connection], exports: [connection] };
  }
}
