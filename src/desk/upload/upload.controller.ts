import { Controller, Get, Inject, Param, Post, Req } from '@nestjs/common';
import type { Request } from 'express';
import { Environment } from '../../config/environment.js';
import { MappingStore } from '../../import/mappings/stored/mapping-store.js';
import { type ApiError, NotFound, ValidationError } from '../../platform/errors/api-error.js';
import { HTTP_LIMITS, type HttpLimits } from '../../platform/http/options.js';
import { infoOf } from '../../platform/http/request.js';
import { RequestQuery } from '../../platform/http/params.js';
import type { Reply } from '../../platform/http/reply.js';
import { NoDeadline, RawBody } from '../../platform/http/routes.js';
import { pageParameters } from '../../platform/listing/page.js';
import { QuerySchema, type QueryValues } from '../../platform/validation/query-schema.js';
import { shownError } from '../layout/desk-form.js';
import { deskPage, REFRESH } from '../layout/desk-page.js';
import { CurrentSession, type DeskSession } from '../session/desk-session.js';
import { DeskPages } from '../session/desk-pages.js';
import { redirectTo } from '../session/redirection.js';
import { Sent, type SentForm } from '../session/sent-form.js';
import { ShownAgain } from '../session/unsaved-forms.js';
import {
  checkPage,
  endedPage,
  interruptedPage,
  progressPage,
  type Unsaved,
  unreadablePage,
} from './job-pages.js';
import { DiskFull, FILE_FIELD } from './receive-form.js';
import { rejectsPage } from './rejects-page.js';
import { uploadTexts } from '../texts/upload.js';
import { checkFields, importFields, withField } from './upload-fields.js';
import { UPLOAD } from './upload-form.js';
import { type JobAuthor, UploadJobs } from './upload-jobs.js';
import { type ListedUpload, uploadPage } from './upload-page.js';
import { isOver, type UploadState } from './upload-state.js';
import { Uploads } from './uploads.js';

const pageQuery = new QuerySchema({ page: pageParameters.page });

/** The pages on which files are uploaded, checked and imported. */
@Controller('desk/upload')
@DeskPages()
export class UploadController {
  constructor(
    private readonly uploads: Uploads,
    private readonly jobs: UploadJobs,
    private readonly mappings: MappingStore,
    private readonly environment: Environment,
    @Inject(HTTP_LIMITS) private readonly limits: HttpLimits,
  ) {}

  @Get()
  page(@CurrentSession() session: DeskSession): Promise<Reply> {
    return this.form(session, new URLSearchParams(), null);
  }

  /** Receives a file and begins its check. */
  @Post()
  @NoDeadline()
  @RawBody({ types: ['multipart/form-data'] })
  async receive(@CurrentSession() session: DeskSession, @Req() request: Request): Promise<Reply> {
    const { uploadMs: totalMs, uploadStallMs: stallMs } = this.limits;
    const bounds = { maxBytes: this.environment.deskImportMaxBytes, totalMs, stallMs };
    const { username } = session.caller;
    let fields = new URLSearchParams();
    try {
      const { form, upload } = await this.uploads.receive(infoOf(request), bounds, username);
      fields = new URLSearchParams(importFields(form.fields));
      if (upload === null) throw missingFile();
      upload.fields = fields.toString();
      await this.uploads.save(upload);
      await this.jobs.check(upload, authorOf(session, request)).catch(async (error: unknown) => {
        if (error instanceof ValidationError) await this.uploads.remove(upload.id);
        throw error;
      });
      return redirectTo(`${UPLOAD}/${upload.id}`);
    } catch (error) {
      return this.form(session, fields, uploadError(error));
    }
  }

  @Get(':id')
  upload(@Param('id') id: string, @CurrentSession() session: DeskSession): Promise<Reply> {
    return this.show(id, session, null);
  }

  /** Checks a file again, by other options. */
  @Post(':id/check')
  @ShownAgain<UploadController>((desk, { params, form, session, error }) =>
    desk.show(params.id!, session, { error, fieldsOf: () => importFields(form), isCheck: true }),
  )
  @NoDeadline()
  async check(@Param('id') id: string, @Sent() { form, session, sender }: SentForm): Promise<Reply> {
    const upload = await this.uploads.find(id);
    if (isOver(upload)) return redirectTo(`${UPLOAD}/${id}`);
    upload.fields = importFields(form);
    try {
      await this.jobs.check(upload, sender);
      return redirectTo(`${UPLOAD}/${id}`);
    } catch (thrown) {
      if (!(thrown instanceof ValidationError)) throw thrown;
      const error = shownError(thrown, uploadTexts.labels);
      return this.show(id, session, { error, fieldsOf: () => upload.fields, isCheck: true });
    }
  }

  /** Begins an import, once however often the form is sent. */
  @Post(':id/import')
  @ShownAgain<UploadController>((desk, { params, form, session, error }) =>
    desk.show(params.id!, session, { error, fieldsOf: (fields) => withReason(fields, form), isCheck: false }),
  )
  @NoDeadline()
  async import(@Param('id') id: string, @Sent() { form, sender }: SentForm): Promise<Reply> {
    const upload = await this.uploads.find(id);
    const canImport = upload.format !== null && upload.step !== 'unreadable';
    if (canImport && !(await this.uploads.isDone(upload))) {
      upload.fields = withReason(upload.fields, form);
      checkFields(upload.fields);
      await this.jobs.import(upload, sender);
    }
    return redirectTo(`${UPLOAD}/${id}`);
  }

  @Post(':id/remove')
  @ShownAgain<UploadController>((desk, { params, session, error }) =>
    desk.show(params.id!, session, { error, fieldsOf: (fields) => fields, isCheck: false }),
  )
  async remove(@Param('id') id: string): Promise<Reply> {
    const upload = await this.uploads.find(id).catch((error: unknown) => {
      if (error instanceof NotFound) return null;
      throw error;
    });
    // Its form was sent before.
    if (upload === null) return redirectTo(UPLOAD);
    if ((await this.jobs.progress(id)) !== null) return redirectTo(`${UPLOAD}/${id}`);
    await this.uploads.remove(upload.id);
    return redirectTo(UPLOAD);
  }

  @Get(':id/rejects')
  async rejects(
    @Param('id') id: string,
    @CurrentSession() session: DeskSession,
    @RequestQuery(pageQuery) { page = 1 }: QueryValues<typeof pageQuery.parameters>,
  ): Promise<Reply> {
    const upload = await this.uploads.find(id);
    const report = await this.uploads.report(id);
    if (report === null) throw new NotFound(uploadTexts.lost);
    return deskPage(rejectsPage(upload, report, page), session);
  }

  /** The page of an upload. @param sent a form that was sent without a valid token */
  private async show(id: string, session: DeskSession, sent: UnsavedUpload | null): Promise<Reply> {
    const progress = await this.jobs.progress(id);
    const stored = await this.uploads.find(id);
    if (progress !== null)
      return deskPage(progressPage({ upload: stored, progress }), session, { headers: REFRESH });
    const report = await this.uploads.report(id);
    const upload = sent === null ? stored : { ...stored, fields: sent.fieldsOf(stored.fields) };
    const proposed = await this.uploads.proposed(id);
    const formats = await this.mappings.all();
    const view = { upload, report, proposed, session, unsaved: sent, formats };
    const options = { status: sent?.error.status ?? 200 };
    if (upload.step === 'described' && sent === null) return redirectTo(`${UPLOAD}/${id}/mapping`);
    if (upload.step === 'unreadable') return deskPage(unreadablePage(view), session, options);
    if (['checked', 'described'].includes(upload.step)) return deskPage(checkPage(view), session, options);
    if (upload.step !== 'imported') return deskPage(interruptedPage(view), session, options);
    if (report?.error === null) return redirectTo(`/desk/change-sets/${upload.changeSetId}`);
    return deskPage(endedPage(view), session, options);
  }

  private async form(session: DeskSession, fields: URLSearchParams, error: ApiError | null): Promise<Reply> {
    const { deskImportMaxBytes: maxBytes } = this.environment;
    const uploads = await Promise.all((await this.uploads.list()).map((upload) => this.listed(upload)));
    const formats = await this.mappings.all();
    const view = uploadPage({ session, maxBytes, fields, error, uploads, formats });
    return error === null
      ? deskPage(view, session)
      : deskPage(view, session, { status: error.status, headers: error.headers });
  }

  private async listed(upload: UploadState): Promise<ListedUpload> {
    const isRunning = (await this.jobs.progress(upload.id)) !== null;
    if (upload.step === 'received') return { upload, state: isRunning ? 'checking' : 'interrupted' };
    if (upload.step === 'importing') return { upload, state: isRunning ? 'importing' : 'interrupted' };
    if (upload.step === 'unreadable') return { upload, state: 'failed' };
    if (upload.step === 'described') return { upload, state: 'described' };
    const report = await this.uploads.report(upload.id);
    if (upload.step === 'checked')
      return { upload, state: (upload.error ?? report?.error ?? null) === null ? 'checked' : 'failed' };
    return { upload, state: report?.error === null ? 'imported' : 'ended' };
  }
}

/** The fields of an upload with the reason that a form has sent. */
const withReason = (fields: string, form: URLSearchParams): string =>
  withField(fields, 'reason', form.get('reason')?.trim() ?? '');

/** A form of an upload that was sent without a valid token. */
interface UnsavedUpload extends Unsaved {
  /** The fields of the upload with what was sent. */
  fieldsOf(stored: string): string;
}

const authorOf = ({ caller }: DeskSession, request: Request): JobAuthor => ({
  caller,
  requestId: infoOf(request).id,
});

const missingFile = () =>
  new ValidationError([{ in: 'body', name: FILE_FIELD, code: 'required', detail: uploadTexts.noFile }]);

/** What the form shows of an error, a full disk among them. */
function uploadError(error: unknown): ApiError {
  if (error instanceof DiskFull) return error;
  return shownError(error, uploadTexts.labels);
}
