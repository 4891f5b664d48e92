import { Global, Module, type OnApplicationShutdown } from '@nestjs/common';
import { Database } from '../database/database.js';
import { DatabaseConnector } from '../database/database-connector.js';
import { Clock } from '../platform/clock/clock.js';
import { WorkerPeers } from '../platform/workers/worker-peers.js';
import { WorkersModule } from '../platform/workers/workers.module.js';
import { DataRevision } from './revision/data-revision.js';
import { PastRevisions } from './revision/past-revisions.js';
import { COMMIT_FOLLOWERS, UnitOfWork, type CommitFollower } from './unit-of-work.js';

/** What writes the data, and what is known of their changes. */
@Global()
@Module({
  imports: [WorkersModule],
  providers: [
    {
      provide: DataRevision,
      inject: [Database, WorkerPeers, DatabaseConnector],
      useFactory: (database: Database, peers: WorkerPeers, connector: DatabaseConnector) => {
        const revision = new DataRevision(database, peers);
        connector.onConnected(async () => {
          await revision.refresh();
          revision.startPolling();
        });
        return revision;
      },
    },
    {
      provide: UnitOfWork,
      inject: [Database, DataRevision, Clock, COMMIT_FOLLOWERS],
      useFactory: (
        database: Database,
        revision: DataRevision,
        clock: Clock,
        followers: readonly CommitFollower[],
      ) => new UnitOfWork(database, revision, clock, followers),
    },
    {
      provide: PastRevisions,
      inject: [Database, DataRevision],
      useFactory: (database: Database, revision: DataRevision) => new PastRevisions(database, revision),
    },
  ],
  exports: [DataRevision, PastRevisions, UnitOfWork],
})
export class LedgerModule implements OnApplicationShutdown {
  constructor(private readonly revision: DataRevision) {}

  onApplicationShutdown(): void {
    this.revision.stopPolling();
  }
}
