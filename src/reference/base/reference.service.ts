import { Injectable } from '@nestjs/common';
import { AuditTrail } from '../../ledger/audit/audit-trail.js';
import { Environment } from '../../config/environment.js';
import { Database } from '../../database/database.js';
import { PastRevisions } from '../../ledger/revision/past-revisions.js';
import { UnitOfWork } from '../../ledger/unit-of-work.js';
import type { ReferenceEntity, ReferenceEntityClass } from './reference.entity.js';
import { BaseReferenceService } from './base-reference.service.js';

/**
 * The service of one reference table, to be extended: `class CommodityService extends
 * ReferenceService(Commodity) {}`. A table with special behaviour overrides methods of
 * `BaseReferenceService`.
 */
export function ReferenceService<E extends ReferenceEntity>(entity: ReferenceEntityClass<E>) {
  @Injectable()
  class Service extends BaseReferenceService<E> {
    constructor(
      database: Database,
      unitOfWork: UnitOfWork,
      trail: AuditTrail,
      environment: Environment,
      pastRevisions: PastRevisions,
    ) {
      super(entity, { database, unitOfWork, trail, environment, pastRevisions });
    }
  }
  return Service;
}
