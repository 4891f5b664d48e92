import type { UnitOfWork } from '../../src/ledger/unit-of-work.js';
import { FindingsFollower } from '../../src/quality/findings-follower.js';

/** Has the commits of a unit of work followed by findings, as the service has. */
export function followed(unitOfWork: UnitOfWork): UnitOfWork {
  unitOfWork.followers = [new FindingsFollower()];
  return unitOfWork;
}
