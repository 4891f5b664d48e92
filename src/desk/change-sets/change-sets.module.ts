import { Module } from '@nestjs/common';
import { HistoryModule } from '../../history/history.module.js';
import { HttpModule } from '../../platform/http/http.module.js';
import { QualityModule } from '../../quality/quality.module.js';
import { UploadModule } from '../upload/upload.module.js';
import { ChangeSetDetails } from './change-set-details.js';
import { DeskChangeSetsController } from './change-sets.controller.js';
import { DeskReverts } from './desk-reverts.js';
import { DeskSessionModule } from '../session/desk-session.module.js';

/** The pages of change sets, and on which they are reverted. */
@Module({
  imports: [DeskSessionModule, HistoryModule, HttpModule, QualityModule, UploadModule],
  controllers: [DeskChangeSetsController],
  providers: [ChangeSetDetails, DeskReverts],
})
export class ChangeSetPagesModule {}
