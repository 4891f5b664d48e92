import { Module } from '@nestjs/common';
import { AuthModule } from '../../auth/auth.module.js';
import { ImportModule } from '../../import/import.module.js';
import { HttpModule } from '../../platform/http/http.module.js';
import { RejectsController } from './rejects.controller.js';
import { UploadController } from './upload.controller.js';
import { UploadJobs } from './upload-jobs.js';
import { Uploads } from './uploads.js';

/** The pages on which files are uploaded, checked and imported. */
@Module({
  imports: [AuthModule, HttpModule, ImportModule],
  controllers: [RejectsController, UploadController],
  providers: [UploadJobs, Uploads],
  exports: [Uploads],
})
export class UploadModule {}
