import { Module } from '@nestjs/common';
import { IdempotencyModule } from '../../idempotency/idempotency.module.js';
import { ImportModule } from '../../import/import.module.js';
import { HttpModule } from '../../platform/http/http.module.js';
import { DeskSessionModule } from '../session/desk-session.module.js';
import { DeskMappings } from './desk-mappings.js';
import { DeskMappingsController } from './mappings.controller.js';

/** The pages of mappings, and what stores them. */
@Module({
  imports: [DeskSessionModule, HttpModule, IdempotencyModule, ImportModule],
  controllers: [DeskMappingsController],
  providers: [DeskMappings],
  exports: [DeskMappings],
})
export class MappingPagesModule {}
