import { Injectable } from '@nestjs/common';
import { AuditTrail } from '../../audit/audit-trail.js';
import { Environment } from '../../config/environment.js';
import { Database } from '../../database/database.js';
import type { RevisionArea } from '../../database/revision/data-revision.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import type { ReferenceEntity } from './reference.entity.js';
import { BaseReferenceService } from './base-reference.service.js';

/**
 * The service of one reference table, to be extended: `class CommodityService extends
 * ReferenceService(Commodity) {}`. A table with special behaviour overrides methods of
 * `BaseReferenceService`.
 * @param area the area of the data revision that a change to the table increments
 */
export function ReferenceService<E extends ReferenceEntity>(
  entity: new () => E,
  area: RevisionArea = 'references',
) {
  @Injectable()
  class Service extends BaseReferenceService<E> {
    constructor(database: Database, unitOfWork: UnitOfWork, trail: AuditTrail, environment: Environment) {
      super(entity, area, { database, unitOfWork, trail, environment });
    }
  }
  return Service;
}
