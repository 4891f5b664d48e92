import { Controller, Get, Param, Post } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { type Mapping, validateMapping } from '../../../import/mappings/mapping.js';
import { MappingStore, type StoredMapping } from '../../../import/mappings/stored/mapping-store.js';
import { MappingsService } from '../../../import/mappings/stored/mappings.service.js';
import { type ApiError, PreconditionFailed, ValidationError } from '../../../platform/errors/api-error.js';
import type { Reply } from '../../../platform/http/reply.js';
import { NoDeadline } from '../../../platform/http/routes.js';
import { formKey, shownError } from '../../layout/desk-form.js';
import { deskPage, REFRESH } from '../../layout/desk-page.js';
import { DeskMappings } from '../../mappings/desk-mappings.js';
import { mappingAddress } from '../../mappings/mapping-address.js';
import { DeskPages } from '../../session/desk-pages.js';
import { CurrentSession, type DeskSession } from '../../session/desk-session.js';
import { redirectTo } from '../../session/redirection.js';
import { type DeskAuthor, Sent, type SentForm } from '../../session/sent-form.js';
import { ShownAgain } from '../../session/unsaved-forms.js';
import { mappingTexts } from '../../texts/mapping.js';
import { progressPage } from '../job-pages.js';
import { UPLOAD } from '../upload-form.js';
import { UploadJobs } from '../upload-jobs.js';
import { isOver, type UploadState } from '../upload-state.js';
import { Uploads } from '../uploads.js';
import { saveAddress, savePage } from './save-page.js';

const texts = mappingTexts.save;

/** An upload with the mapping that describes it. */
type DescribedUpload = UploadState & { mapping: Mapping };

const isDescribed = (upload: UploadState): upload is DescribedUpload =>
  !isOver(upload) && Boolean(upload.mapping);

/** The page on which the mapping of an upload is saved. */
@Controller('desk/upload/:id/mapping/save')
@DeskPages()
export class SaveMappingController {
  constructor(
    private readonly uploads: Uploads,
    private readonly jobs: UploadJobs,
    private readonly store: MappingStore,
    private readonly mappings: MappingsService,
    private readonly desk: DeskMappings,
  ) {}

  /** @throws NotFound */
  @Get()
  page(@Param('id') id: string, @CurrentSession() session: DeskSession): Promise<Reply> {
    return this.show(id, session, null, null);
  }

  /**
   * Stores a new mapping; in place of a stored one only what the page has shown the series of.
   * @throws NotFound
   */
  @Post()
  @ShownAgain<SaveMappingController>((desk, { params, form, session, error }) =>
    desk.show(params.id!, session, form, error),
  )
  @NoDeadline()
  async save(@Param('id') id: string, @Sent() { form, session, requireAuthor }: SentForm): Promise<Reply> {
    const upload = await this.uploads.find(id);
    if (!isDescribed(upload)) return redirectTo(`${UPLOAD}/${id}`);
    if ((await this.jobs.progress(id)) !== null) return redirectTo(saveAddress(id));
    try {
      const mapping = savedMapping(upload.mapping, form);
      const author = requireAuthor();
      const stored = await this.store.find(mapping.name);
      return stored === null
        ? await this.create(upload, mapping, form, author)
        : await this.replace(upload, mapping, stored, form, author);
    } catch (thrown) {
      return this.show(id, session, form, shownError(thrown, texts.labels));
    }
  }

  private async create(
    upload: DescribedUpload,
    mapping: Mapping,
    form: URLSearchParams,
    author: DeskAuthor,
  ): Promise<Reply> {
    const replacement = await this.uploads.replacement(upload.id);
    await this.uploads.removeReplacement(upload.id);
    if (form.has('version') && replacement?.mapping.name === mapping.name)
      throw new PreconditionFailed(texts.removed);
    await this.desk.create(mapping, formKey(form), author);
    return this.saved(upload, (await this.store.find(mapping.name))!);
  }

  private async replace(
    upload: DescribedUpload,
    mapping: Mapping,
    stored: StoredMapping,
    form: URLSearchParams,
    author: DeskAuthor,
  ): Promise<Reply> {
    if (isSame(mapping, stored.mapping)) return this.saved(upload, stored);
    const { version } = stored;
    const replacement = await this.uploads.replacement(upload.id);
    const confirmed = form.get('version');
    const isConfirmed = confirmed !== null && replacement?.mapping.name === mapping.name;
    if (
      isConfirmed &&
      confirmed === String(version) &&
      replacement.version === version &&
      replacement.error === null &&
      isSame(mapping, replacement.mapping)
    ) {
      const conditions = { ifMatch: [confirmed], ifNoneMatch: null };
      return this.saved(upload, await this.mappings.replace(mapping, conditions, author));
    }
    const isChanged = isConfirmed && confirmed !== String(version);
    const { reason } = author;
    // A title that nobody has typed yet stays; the page that confirms has it.
    const { title = isConfirmed ? undefined : stored.mapping.title } = mapping;
    const { name, ...others } = mapping;
    const titled = { name, ...(title === undefined ? {} : { title }), ...others };
    await this.jobs.compare(upload, { mapping: titled, reason, version, isChanged }, stored.mapping);
    return redirectTo(saveAddress(upload.id));
  }

  /** A file that was checked is imported by it; else the page of the mapping follows. */
  private async saved(upload: DescribedUpload, stored: StoredMapping): Promise<Reply> {
    const { name, mapping, version } = stored;
    await this.uploads.removeReplacement(upload.id);
    if (upload.step !== 'checked') return redirectTo(mappingAddress(name, { done: 'saved' }));
    await this.uploads.save({ ...upload, format: name, stored: { mapping, version } });
    return redirectTo(`${UPLOAD}/${upload.id}`);
  }

  private async show(
    id: string,
    session: DeskSession,
    form: URLSearchParams | null,
    error: ApiError | null,
  ): Promise<Reply> {
    const upload = await this.uploads.find(id);
    if (!isDescribed(upload)) return redirectTo(`${UPLOAD}/${id}`);
    const progress = await this.jobs.progress(id);
    if (progress !== null) return deskPage(progressPage({ upload, progress }), session, { headers: REFRESH });
    const replacement = await this.uploads.replacement(id);
    const view = savePage({ upload, replacement, form, error, key: randomUUID(), session });
    return deskPage(view, session, { status: error?.status ?? 200 });
  }
}

/** The mapping of an upload with the name and the title of a form. @throws ValidationError */
function savedMapping({ name: _name, title: _title, ...mapping }: Mapping, form: URLSearchParams): Mapping {
  const title = form.get('title')?.trim() ?? '';
  const found = validateMapping({
    name: form.get('name')?.trim() ?? '',
    ...(title === '' ? {} : { title }),
    ...mapping,
  });
  if ('violations' in found) throw new ValidationError(found.violations);
  return found.value;
}

const isSame = (one: Mapping, other: Mapping): boolean => JSON.stringify(one) === JSON.stringify(other);
