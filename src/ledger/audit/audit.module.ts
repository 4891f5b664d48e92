import { Global, Module } from '@nestjs/common';
import { AuditLogController } from './audit-log.controller.js';
import { AuditLog } from './audit-log.js';
import { AuditTrail } from './audit-trail.js';

/** The audit log, and the trail that all writes are recorded in. */
@Global()
@Module({
  controllers: [AuditLogController],
  providers: [AuditTrail, AuditLog],
  exports: [AuditLog, AuditTrail],
})
export class AuditModule {}
