import { Module } from '@nestjs/common';
import { HttpModule } from '../platform/http/http.module.js';
import { EditionFilesController } from './edition-files.controller.js';
import { EditionProcess } from './edition-process.js';
import { EditionsController } from './editions.controller.js';
import { Editions } from './editions.js';

/** Editions: the data of one revision as files. */
@Module({
  imports: [HttpModule],
  controllers: [EditionsController, EditionFilesController],
  providers: [EditionProcess, Editions],
  exports: [Editions],
})
export class EditionsModule {}
