import { Global, Module } from '@nestjs/common';
import { COMMIT_FOLLOWERS } from '../ledger/unit-of-work.js';
import { FindingsFollower } from './findings-follower.js';

/** Has every commit followed by the findings about what it changes. */
@Global()
@Module({
  providers: [
    FindingsFollower,
    {
      provide: COMMIT_FOLLOWERS,
      inject: [FindingsFollower],
      useFactory: (findings: FindingsFollower) => [findings],
    },
  ],
  exports: [FindingsFollower, COMMIT_FOLLOWERS],
})
export class FindingsFollowerModule {}
