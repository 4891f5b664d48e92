import { Global, Module } from '@nestjs/common';
import { WorkerPeers } from './worker-peers.js';

/** Gives every module the way to the other processes of the service. */
@Global()
@Module({
  providers: [{ provide: WorkerPeers, useFactory: () => new WorkerPeers() }],
  exports: [WorkerPeers],
})
export class WorkersModule {}
