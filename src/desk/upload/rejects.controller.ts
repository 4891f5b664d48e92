import { Controller, Get, Param } from '@nestjs/common';
import { NotFound } from '../../platform/errors/api-error.js';
import { Reply } from '../../platform/http/reply.js';
import { OwnMediaType } from '../../platform/http/routes.js';
import { DeskPages } from '../session/desk-pages.js';
import { rejectsCsv } from './rejects-page.js';
import { uploadTexts } from '../texts/upload.js';
import { Uploads } from './uploads.js';

/** The rejected rows of an upload as a file. */
@Controller('desk/upload/:id/rejects.csv')
@DeskPages()
export class RejectsController {
  constructor(private readonly uploads: Uploads) {}

  /** @throws NotFound */
  @Get()
  @OwnMediaType()
  async file(@Param('id') id: string): Promise<Reply> {
    await this.uploads.find(id);
    const report = await this.uploads.report(id);
    if (report === null) throw new NotFound(uploadTexts.lost);
    return Reply.text(rejectsCsv(report), 'text/csv; charset=utf-8', {
      headers: { 'Content-Disposition': `attachment; filename="rejected-rows.csv"` },
    });
  }
}
