import { Global, Module } from '@nestjs/common';
import { AuditTrail } from './audit-trail.js';

/** The trail of changes, for everything that writes. */
@Global()
@Module({ providers: [AuditTrail], exports: [AuditTrail] })
export class AuditModule {}
