import { Module } from '@nestjs/common';
import { ImportModule } from '../../import/import.module.js';
import { HttpModule } from '../../platform/http/http.module.js';
import { MappingPagesModule } from '../mappings/mapping-pages.module.js';
import { MappingPageController } from './mapping/mapping.controller.js';
import { SaveMappingController } from './mapping/save.controller.js';
import { RejectsController } from './rejects.controller.js';
import { UploadController } from './upload.controller.js';
import { UploadJobs } from './upload-jobs.js';
import { Uploads } from './uploads.js';
import { DeskSessionModule } from '../session/desk-session.module.js';

/** The pages on which files are uploaded, checked and imported. */
@Module({
  imports: [DeskSessionModule, HttpModule, ImportModule, MappingPagesModule],
  controllers: [MappingPageController, RejectsController, SaveMappingController, UploadController],
  providers: [UploadJobs, Uploads],
  exports: [Uploads],
})
export class UploadModule {}
