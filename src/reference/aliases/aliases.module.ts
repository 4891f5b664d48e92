import { Module } from '@nestjs/common';
import { AliasesController } from './aliases.controller.js';
import { AliasesService } from './aliases.service.js';

/** Other keys under which imports find records. */
@Module({ controllers: [AliasesController], providers: [AliasesService] })
export class AliasesModule {}
