import { Module } from '@nestjs/common';
import { WorkerPeers } from './worker-peers.js';

/** Messages to and from the other processes of the service. */
@Module({
  providers: [{ provide: WorkerPeers, useFactory: () => new WorkerPeers() }],
  exports: [WorkerPeers],
})
export class WorkersModule {}
