import { Controller, Get, Param, Post } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { addressOf } from '../../web/address.js';
import { Database } from '../../database/database.js';
import type { MappingRecord } from '../../import/mappings/stored/mapping-record.js';
import { MappingUses } from '../../import/mappings/stored/mapping-uses.js';
import { MappingsService } from '../../import/mappings/stored/mappings.service.js';
import { authorsOf } from '../../ledger/audit/audit-log.js';
import { NotFound, PreconditionFailed } from '../../platform/errors/api-error.js';
import { RequestQuery } from '../../platform/http/params.js';
import type { Reply } from '../../platform/http/reply.js';
import { OwnMediaType } from '../../platform/http/routes.js';
import { pageParameters } from '../../platform/listing/page.js';
import { choice, one, parseId, recordId } from '../../platform/validation/parsers.js';
import { QuerySchema, type QueryValues } from '../../platform/validation/query-schema.js';
import { formKey, shownError } from '../layout/desk-form.js';
import { deskPage } from '../layout/desk-page.js';
import { DeskPages } from '../session/desk-pages.js';
import { CurrentSession, type DeskSession } from '../session/desk-session.js';
import { redirectTo } from '../session/redirection.js';
import { Sent, type SentForm } from '../session/sent-form.js';
import { ShownAgain } from '../session/unsaved-forms.js';
import { mappingPagesTexts as texts } from '../texts/mappings.js';
import { DeskMappings, mappingFile, renamed } from './desk-mappings.js';
import { MAPPING_OUTCOMES, mappingAddress, MAPPINGS } from './mapping-address.js';
import { mappingListPage } from './mapping-list-page.js';
import { type SentMappingForm, storedMappingPage } from './stored-mapping-page.js';

const listQuery = new QuerySchema({
  page: pageParameters.page,
  done: one(choice(MAPPING_OUTCOMES), 'What was done before.'),
});
const pageQuery = new QuerySchema({
  version: one(recordId, 'The version to show; the present one by default.'),
  done: one(choice(MAPPING_OUTCOMES), 'What was done before.'),
});
type PageQuery = Pick<QueryValues<typeof pageQuery.parameters>, 'version' | 'done'>;

/** The pages of mappings: those that are stored, and those of the service. */
@Controller('desk/mappings')
@DeskPages()
export class DeskMappingsController {
  constructor(
    private readonly mappings: MappingsService,
    private readonly desk: DeskMappings,
    private readonly uses: MappingUses,
    private readonly database: Database,
  ) {}

  @Get()
  async list(
    @RequestQuery(listQuery) { page = 1, done }: QueryValues<typeof listQuery.parameters>,
    @CurrentSession() session: DeskSession,
  ): Promise<Reply> {
    const mappings = await this.mappings.list();
    const authors = await this.authorsOf(mappings);
    const uses = await this.uses.all(this.database);
    return deskPage(mappingListPage({ mappings, page, authors, uses, done }), session);
  }

  /** @throws NotFound */
  @Get(':name')
  page(
    @Param('name') name: string,
    @RequestQuery(pageQuery) query: QueryValues<typeof pageQuery.parameters>,
    @CurrentSession() session: DeskSession,
  ): Promise<Reply> {
    return this.show(name, session, query, null);
  }

  /** The mapping as JSON, for the command. @throws NotFound */
  @Get(':name/mapping.json')
  @OwnMediaType()
  async download(
    @Param('name') name: string,
    @RequestQuery(pageQuery) { version }: QueryValues<typeof pageQuery.parameters>,
  ): Promise<Reply> {
    const { mapping } = await this.read(name, version);
    return mappingFile(mapping);
  }

  /** Stores a copy under another name, once however often the form is sent. @throws NotFound */
  @Post(':name/copy')
  @ShownAgain<DeskMappingsController>((desk, { params, form, session, error }) =>
    desk.show(params.name!, session, versionOf(form), { kind: 'copy', form, error }),
  )
  async copy(
    @Param('name') name: string,
    @Sent() { form, session, requireAuthor }: SentForm,
  ): Promise<Reply> {
    const { version } = versionOf(form);
    const { mapping } = await this.read(name, version);
    try {
      const copy = renamed(mapping, form.get('name')?.trim() ?? '');
      return await this.desk.create(copy, formKey(form), requireAuthor());
    } catch (thrown) {
      const error = shownError(thrown, texts.labels);
      return this.show(name, session, { version }, { kind: 'copy', form, error });
    }
  }

  /** Removes a mapping once, however often the form is sent. @throws NotFound */
  @Post(':name/remove')
  @ShownAgain<DeskMappingsController>((desk, { params, form, session, error }) =>
    desk.show(params.name!, session, {}, { kind: 'remove', form, error }),
  )
  async remove(
    @Param('name') name: string,
    @Sent() { form, session, requireAuthor }: SentForm,
  ): Promise<Reply> {
    try {
      const conditions = { ifMatch: [form.get('version') ?? ''], ifNoneMatch: null };
      await this.mappings.remove(name, conditions, requireAuthor());
      return redirectTo(addressOf(MAPPINGS, { done: 'removed' }));
    } catch (error) {
      // Its page says that it was removed; there is none of a name that was never stored.
      if (error instanceof NotFound) return redirectTo(mappingAddress(name));
      const sent: SentMappingForm =
        error instanceof PreconditionFailed
          ? { kind: 'remove', form: null, error: new PreconditionFailed(texts.changedMeanwhile) }
          : { kind: 'remove', form, error: shownError(error, texts.labels) };
      return this.show(name, session, {}, sent);
    }
  }

  /** A mapping, or one of its versions. @throws NotFound */
  private read(name: string, version: number | undefined): Promise<MappingRecord> {
    return version === undefined ? this.mappings.read(name) : this.mappings.version(name, version);
  }

  /** The page of a mapping; of one that was removed, with its last version. @throws NotFound */
  private async show(
    name: string,
    session: DeskSession,
    { version, done }: PageQuery,
    sent: SentMappingForm | null,
  ): Promise<Reply> {
    const versions = await this.mappings.versions(name);
    const [newest] = versions;
    const isRemoved = newest !== undefined && newest.ended_at !== null;
    const record = await this.read(name, version ?? (isRemoved ? newest.version : undefined));
    const isOlder = newest !== undefined && record.version !== newest.version;
    const view = {
      record,
      state: isOlder ? 'older' : isRemoved ? 'removed' : 'present',
      versions,
      authors: await this.authorsOf([record, ...versions]),
      uses: (await this.uses.all(this.database)).get(name) ?? [],
      key: randomUUID(),
      sent,
      done,
    } as const;
    return deskPage(storedMappingPage(view, session), session, { status: sent?.error.status ?? 200 });
  }

  /** Who has saved mappings, by change set. */
  private authorsOf(
    saved: readonly Pick<MappingRecord, 'change_set_id'>[],
  ): Promise<ReadonlyMap<number, string>> {
    const ids = new Set(saved.flatMap(({ change_set_id: id }) => id ?? []));
    return authorsOf(this.database, [...ids]);
  }
}

/** The version that a form is of; none of a mapping of the service. */
function versionOf(form: URLSearchParams): { version?: number } {
  const version = parseId(form.get('version') ?? '');
  return Number.isNaN(version) ? {} : { version };
}
