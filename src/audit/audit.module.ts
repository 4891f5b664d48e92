import { Global, Module } from '@nestjs/common';
import { AuditLogController } from './audit-log.controller.js';
import { AuditLog } from './audit-log.js';
import { AuditTrail } from './audit-trail.js';

/** The trail of changes, for everything that writes. */
@Global()
@Module({ controllers: [AuditLogController], providers: [AuditTrail, AuditLog], exports: [AuditTrail] })
export class AuditModule {}
