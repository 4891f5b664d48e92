import { Injectable } from '@nestjs/common';
import { AuditTrail } from '../../audit/audit-trail.js';
import { Environment } from '../../config/environment.js';
import { Database } from '../../database/database.js';
import type { RevisionArea } from '../../database/data-revision.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import type { ReferenceEntity } from './reference.entity.js';
import { ReferenceRecords } from './reference-records.js';

/**
 * The service of one reference table, to be extended: `class CommodityService extends ReferenceService(Commodity) {}`. A table
 * that does more overrides a method of `ReferenceRecords` there.
 * @param area the part of the data revision that a change of the table moves
 */
export function ReferenceService<E extends ReferenceEntity>(
  entity: new () => E,
  area: RevisionArea = 'references',
) {
  @Injectable()
  class Service extends ReferenceRecords<E> {
    constructor(database: Database, unitOfWork: UnitOfWork, trail: AuditTrail, environment: Environment) {
      super(entity, area, { database, unitOfWork, trail, environment });
    }
  }
  return Service;
}
