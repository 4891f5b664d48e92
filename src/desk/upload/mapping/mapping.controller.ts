import { Controller, Get, Param, Post } from '@nestjs/common';
import { encodingOf } from '../../../import/containers/text-encoding.js';
import { type Mapping, validateMapping } from '../../../import/mappings/mapping.js';
import { PROPOSABLE_TABLES } from '../../../import/mappings/propose/propose.js';
import type { ProposedTable, WritingOptions } from '../../../import/mappings/propose/proposed-table.js';
import { MappingStore } from '../../../import/mappings/stored/mapping-store.js';
import {
  type ApiError,
  NotFound,
  ValidationError,
  type Violation,
} from '../../../platform/errors/api-error.js';
import type { Reply } from '../../../platform/http/reply.js';
import { NoDeadline, OwnMediaType } from '../../../platform/http/routes.js';
import { shownError } from '../../layout/desk-form.js';
import { deskPage } from '../../layout/desk-page.js';
import { mappingFile } from '../../mappings/desk-mappings.js';
import { CurrentSession, type DeskSession } from '../../session/desk-session.js';
import { DeskPages } from '../../session/desk-pages.js';
import { redirectTo } from '../../session/redirection.js';
import { Sent, type SentForm } from '../../session/sent-form.js';
import { ShownAgain } from '../../session/unsaved-forms.js';
import { mappingTexts } from '../../texts/mapping.js';
import { uploadTexts } from '../../texts/upload.js';
import { UPLOAD } from '../upload-form.js';
import { UploadJobs } from '../upload-jobs.js';
import { withField } from '../upload-fields.js';
import { isOver, type UploadState } from '../upload-state.js';
import { Uploads } from '../uploads.js';
import { fieldsOfMapping, fieldsOfProposal, mappingOfFields } from './mapping-fields.js';
import { mappingPage } from './mapping-page.js';
import { saveAddress } from './save-page.js';

/** The page on which a file that no format knows is described by a mapping. */
@Controller('desk/upload/:id')
@DeskPages()
export class MappingPageController {
  constructor(
    private readonly uploads: Uploads,
    private readonly jobs: UploadJobs,
    private readonly mappings: MappingStore,
  ) {}

  /** @throws NotFound */
  @Get('mapping')
  async page(@Param('id') id: string, @CurrentSession() session: DeskSession): Promise<Reply> {
    const { upload, proposed } = await this.find(id);
    return this.show(upload, proposed, session, formOf(upload, proposed), null);
  }

  /** The mapping as JSON, for the command. @throws NotFound */
  @Get('mapping.json')
  @OwnMediaType()
  async download(@Param('id') id: string): Promise<Reply> {
    const { upload, proposed } = await this.find(id);
    const mapping = upload.mapping ?? proposed.proposal.mapping;
    return mappingFile(mapping);
  }

  /** Checks a file by the mapping that a form says. */
  @Post('mapping')
  @ShownAgain<MappingPageController>(async (desk, { params, form, session, error }) => {
    const { upload, proposed } = await desk.find(params.id!);
    return desk.show(upload, proposed, session, form, error);
  })
  @NoDeadline()
  async describe(@Param('id') id: string, @Sent() { form, session, sender }: SentForm): Promise<Reply> {
    return this.describedBy(id, form, session, async (upload) => {
      await this.jobs.check(upload, sender);
      return redirectTo(`${UPLOAD}/${id}`);
    });
  }

  /** Keeps the mapping that a form says, to be saved without a check of the file by it. */
  @Post('mapping/keep')
  @ShownAgain<MappingPageController>(async (desk, { params, form, session, error }) => {
    const { upload, proposed } = await desk.find(params.id!);
    return desk.show(upload, proposed, session, form, error);
  })
  @NoDeadline()
  keep(@Param('id') id: string, @Sent() { form, session }: SentForm): Promise<Reply> {
    return this.describedBy(id, form, session, async (upload) => {
      if ((await this.jobs.progress(id)) !== null) return redirectTo(`${UPLOAD}/${id}`);
      // What was reported of the file before is not what this mapping reads.
      await this.uploads.removeReport(id);
      await this.uploads.save({ ...upload, step: 'described', stored: null, error: null });
      return redirectTo(saveAddress(id));
    });
  }

  /** Does something with an upload that is described by the mapping that a form says. */
  private async describedBy(
    id: string,
    form: URLSearchParams,
    session: DeskSession,
    work: (upload: UploadState) => Promise<Reply>,
  ): Promise<Reply> {
    const { upload, proposed } = await this.find(id);
    if (isOver(upload)) return redirectTo(`${UPLOAD}/${id}`);
    const other = otherWritingOf(form, proposed);
    if (other !== null) {
      await this.jobs.propose(upload, { ...proposed.said, ...other });
      return redirectTo(`${UPLOAD}/${id}`);
    }
    const { mapping, violations } = mappingOf(form, proposed, shownMapping(upload));
    if (mapping === null) {
      const error = shownError(new ValidationError(violations), mappingTexts.save.labels);
      return this.show(upload, proposed, session, form, error);
    }
    const fields =
      form.get('use_json') === 'true' ? fieldsOfMapping(mapping, proposed.proposal.columns) : kept(form);
    await this.uploads.removeReplacement(id);
    return work({
      ...upload,
      mapping,
      fields: withField(upload.fields, 'format', ''),
      mappingFields: fields.toString(),
      format: mapping.name,
    });
  }

  /** Proposes a mapping, also for a file that a format reads. */
  @Post('mapping/propose')
  @ShownAgain<MappingPageController>(async (desk, { params, session, error }) => {
    const { upload, proposed } = await desk.find(params.id!);
    return desk.show(upload, proposed, session, formOf(upload, proposed), error);
  })
  @NoDeadline()
  async propose(@Param('id') id: string, @Sent() { form, session }: SentForm): Promise<Reply> {
    const upload = await this.uploads.find(id);
    if (isOver(upload)) return redirectTo(`${UPLOAD}/${id}`);
    const writing = writingOf(form);
    if (Array.isArray(writing)) {
      const proposed = await this.proposedFor(id);
      return this.show(upload, proposed, session, formOf(upload, proposed), new ValidationError(writing));
    }
    await this.jobs.propose(upload, writing);
    return redirectTo(`${UPLOAD}/${id}`);
  }

  private async find(id: string): Promise<{ upload: UploadState; proposed: ProposedTable }> {
    const upload = await this.uploads.find(id);
    return { upload, proposed: await this.proposedFor(id) };
  }

  /** @throws NotFound where none was proposed */
  private async proposedFor(id: string): Promise<ProposedTable> {
    const proposed = await this.uploads.proposed(id);
    if (proposed === null) throw new NotFound(uploadTexts.lost);
    return proposed;
  }

  private async show(
    upload: UploadState,
    proposed: ProposedTable,
    session: DeskSession,
    form: URLSearchParams,
    error: ApiError | null,
  ): Promise<Reply> {
    const { mapping } = mappingOfFields(withoutJson(form), proposed.proposal, shownMapping(upload));
    const json = JSON.stringify(mapping, null, 2);
    const stored = await this.mappings.all();
    const view = mappingPage({ upload, proposed, form, json, error, session, stored });
    return deskPage(view, session, { status: error?.status ?? 200 });
  }
}

const formOf = ({ mappingFields }: UploadState, { proposal }: ProposedTable): URLSearchParams =>
  mappingFields === undefined ? fieldsOfProposal(proposal) : new URLSearchParams(mappingFields);

/** The mapping that a form says, or what is wrong with it. */
function mappingOf(
  form: URLSearchParams,
  { proposal }: ProposedTable,
  known: Mapping | null,
): { mapping: Mapping | null; violations: readonly Violation[] } {
  const { mapping, violations } = mappingOfFields(form, proposal, known);
  if (violations.length > 0) return { mapping: null, violations };
  try {
    const checked = validateMapping(mapping);
    return 'value' in checked
      ? { mapping: checked.value, violations: [] }
      : { mapping: null, violations: checked.violations };
  } catch (error) {
    if (error instanceof ValidationError) return { mapping: null, violations: error.violations };
    throw error;
  }
}

/** The mapping that the form shows; null where it shows a proposal. */
const shownMapping = ({ mapping, mappingFields }: UploadState): Mapping | null =>
  mappingFields === undefined ? null : (mapping ?? null);

/** The fields of the form without what is not its own. */
function kept(form: URLSearchParams): URLSearchParams {
  const fields = new URLSearchParams(form);
  for (const name of ['json', 'use_json', 'token']) fields.delete(name);
  return fields;
}

function withoutJson(form: URLSearchParams): URLSearchParams {
  const fields = new URLSearchParams(form);
  fields.delete('use_json');
  return fields;
}

const tableOf = (form: URLSearchParams) => PROPOSABLE_TABLES.find((table) => table === form.get('table'));

/** The other table, sheet or column of prices that a form answers; null for those proposed. */
function otherWritingOf(
  form: URLSearchParams,
  { proposal, sheetNames }: ProposedTable,
): WritingOptions | null {
  if (form.get('use_json') === 'true') return null;
  const table = tableOf(form);
  const sheetName = form.get('sheet') ?? '';
  const { mapping } = proposal;
  if (sheetNames.includes(sheetName) && sheetName !== mapping.dialect?.sheetName)
    return { sheetName, headerRows: undefined, priceColumn: undefined };
  if (table !== undefined && table !== mapping.table) return { table, priceColumn: undefined };
  const [, column] = /^column:(\d+)$/.exec(form.get('unpivot') ?? '') ?? [];
  return column === undefined ? null : { priceColumn: Number(column) };
}

/** What a form says of a table and how it is written, or what is wrong with that. */
function writingOf(form: URLSearchParams): WritingOptions | Violation[] {
  const get = (name: string) => form.get(name)?.trim() ?? '';
  const rows = get('header_rows')
    .split(/[\s,;]+/)
    .filter((text) => text !== '')
    .map(Number);
  if (rows.some((row, at) => !Number.isInteger(row) || row < 1 || row <= (rows[at - 1] ?? 0)))
    return [{ in: 'body', name: 'header_rows', code: 'invalid_format', detail: uploadTexts.headerRows }];
  const encoding = get('encoding');
  const known = encoding === '' ? undefined : encodingOf(encoding);
  if (known === null)
    return [{ in: 'body', name: 'encoding', code: 'invalid_choice', detail: uploadTexts.noEncoding }];
  // Not trimmed: a tab is a delimiter.
  const delimiter = form.get('delimiter') ?? '';
  const table = tableOf(form);
  return {
    ...(table === undefined ? {} : { table }),
    ...(delimiter === '' ? {} : { delimiter }),
    ...(form.has('header_rows') ? { headerRows: rows } : {}),
    ...(get('sheet') === '' ? {} : { sheetName: get('sheet') }),
    ...(known === undefined ? {} : { encoding: known }),
  };
}
