import { Delete, Get, Inject, Param, Patch, Post, Put, Req, UseInterceptors } from '@nestjs/common';
import { accountKey, callerOf } from '../../platform/http/caller.js';
import { preconditions } from '../../platform/http/etag.js';
import { Duplicate, NotFound, ValidationError } from '../../platform/errors/api-error.js';
import { Reply } from '../../platform/http/reply.js';
import { infoOf } from '../../platform/http/request.js';
import { RequestQuery } from '../../platform/http/params.js';
import { CacheControl, ListFormats } from '../../platform/http/routes.js';
import { absoluteUrl } from '../../platform/listing/links.js';
import { pageRequest } from '../../platform/listing/page.js';
import { PaginationInterceptor } from '../../platform/listing/pagination.interceptor.js';
import { RecordListing } from '../../platform/listing/record-listing.js';
import { parseId } from '../../platform/validation/parsers.js';
import { noParameters } from '../../platform/validation/query-schema.js';
import { bodyViolation } from '../../platform/validation/validate-body.js';
import { ChangeReason } from '../../ledger/changes/change-reason.js';
import { type AsOf, asOfQuery } from '../../ledger/revision/as-of.js';
import { shownRevision } from '../../ledger/revision/past-revisions.js';
import { CachedBy } from '../../ledger/revision/cached-by.js';
import {
  ApiBody,
  ApiCreatedResponse,
  ApiIdempotencyKey,
  ApiIfMatch,
  ApiNoContentResponse,
  ApiOkResponse,
  ApiOperation,
  ApiProblems,
  ApiTags,
  envelopeOf,
  ETAG_HEADER,
  LOCATION_HEADER,
} from '../../platform/http/api-docs.js';
import { arrayOf, ref } from '../../platform/validation/schema.js';
import { Idempotency } from '../../idempotency/idempotency.js';
import { recordColumns, hasPast, type ListParameters, ListQuery } from './list-query.js';
import { DuplicateRecordError, InvalidRecordError } from './record-errors.js';
import type { ReferenceEntity } from './reference.entity.js';
import { ReferenceTable } from './reference-table.js';
import { type Author, type BaseReferenceService, etagOf, recordChangeSet } from './base-reference.service.js';
import type { RecordValues } from './table-statements.js';
import { type WriteBody, writeBodyParameter } from './write-body.js';
import { FieldNames, type ReferenceDto } from './write-fields.js';

/** The parts of a request that these routes use. */
type Request = Parameters<typeof preconditions>[0] & object;

/**
 * The six routes of one reference table, to be extended: `class CommodityController extends
 * ReferenceController(CommodityDto)`. A class factory, because a generic base class has no DTO at
 * run time to validate bodies with.
 */
export function ReferenceController(dto: ReferenceDto) {
  const names = new FieldNames(dto);
  const listQuery = new ListQuery(dto);
  const readQuery = hasPast(dto) ? asOfQuery : noParameters;
  const columns = recordColumns(dto);
  const CreateBody = writeBodyParameter(dto, names, { creates: true });
  const ReplaceBody = writeBodyParameter(dto, names);
  const UpdateBody = writeBodyParameter(dto, names, { partial: true });

  const table = new ReferenceTable(dto);
  const { name, example } = table;
  const change = Object.fromEntries(Object.entries(example).slice(0, 1));
  const record = {
    description: 'The record',
    schema: ref(name),
    headers: ETAG_HEADER,
  };

  @ApiTags('Reference tables')
  abstract class Controller {
    static readonly table = table;
    abstract readonly service: BaseReferenceService<any>;
    @Inject(Idempotency) private readonly idempotency!: Idempotency;

    @Get()
    @UseInterceptors(PaginationInterceptor)
    @CacheControl('revalidate')
    @CachedBy(dto.entity.area)
    @ListFormats()
    @ApiOperation({ summary: `List ${name} records` })
    @ApiOkResponse({
      description: 'All records, ordered by id; one page in an envelope if `page` or `page_size` is given',
      schema: { oneOf: [arrayOf(ref(name)), envelopeOf(ref(name))] },
    })
    async list(@RequestQuery(listQuery.schema) query: ListParameters) {
      const filters = listQuery.filtersOf(query);
      const revision = await this.service.revisionOf(query.as_of);
      const shown = shownRevision(revision);
      if (query.page === undefined && query.page_size === undefined)
        return new RecordListing(
          columns,
          toRecords(this.service.list(filters, revision, query.sort)),
          'all',
          shown,
        );
      const page = await this.service.page(filters, pageRequest(query), revision, query.sort);
      const records = page.items.map((record) => names.record(record));
      return RecordListing.of(columns, records, page, shown);
    }

    @Get(':id')
    @CacheControl('revalidate')
    @CachedBy(dto.entity.area)
    @ApiOperation({ summary: `Read a ${name} record` })
    @ApiOkResponse(record)
    async read(@Param('id') id: string, @RequestQuery(readQuery) { as_of }: { as_of?: AsOf }) {
      const revision = await this.service.revisionOf(as_of);
      const record = await this.service.read(requireId(parseId(id)), revision);
      return reply(record, { revision: shownRevision(revision) });
    }

    @Post()
    @ApiOperation({ summary: `Create a ${name} record` })
    @ApiIdempotencyKey()
    @ApiBody({ schema: ref(`${name}Create`), example })
    @ApiCreatedResponse({
      ...record,
      headers: { ...record.headers, ...LOCATION_HEADER },
    })
    @ApiProblems('duplicate', 'reference_missing')
    async create(@CreateBody body: WriteBody, @Req() request: Request, @ChangeReason() reason: string) {
      const author = authorOf(request, reason);
      const { values, sent, key } = body;
      const account = accountKey(author.caller!);
      return translateErrors(request, sent, () =>
        this.idempotency.once(
          {
            key,
            account,
            path: listPath(request),
            body: sent,
            changeSet: recordChangeSet(author, dto.entity),
            deadline: author.deadline,
          },
          async (transaction) => {
            const record = await this.service.create(transaction, values, author);
            return reply(record, {
              status: 201,
              headers: { Location: `${listAddress(request)}${record.id}/` },
            });
          },
        ),
      );
    }

    @Put(':id')
    @ApiOperation({ summary: `Replace a ${name} record` })
    @ApiIfMatch()
    @ApiBody({ schema: ref(`${name}Replace`), example })
    @ApiOkResponse(record)
    async replace(
      @Param('id') id: string,
      @ReplaceBody body: WriteBody,
      @Req() request: Request,
      @ChangeReason() reason: string,
    ) {
      return translateErrors(request, body.sent, async () =>
        reply(
          await this.service.replace(
            requireId(parseId(id)),
            body.values,
            preconditions(request),
            authorOf(request, reason),
          ),
        ),
      );
    }

    @Patch(':id')
    @ApiOperation({ summary: `Change fields of a ${name} record` })
    @ApiIfMatch()
    @ApiBody({ schema: ref(`${name}Patch`), example: change })
    @ApiOkResponse(record)
    async update(
      @Param('id') id: string,
      @UpdateBody body: WriteBody,
      @Req() request: Request,
      @ChangeReason() reason: string,
    ) {
      return translateErrors(request, body.sent, async () =>
        reply(
          await this.service.update(
            requireId(parseId(id)),
            body.values,
            preconditions(request),
            authorOf(request, reason),
          ),
        ),
      );
    }

    @Delete(':id')
    @ApiOperation({ summary: `Delete a ${name} record` })
    @ApiIfMatch()
    @ApiNoContentResponse({ description: 'Deleted' })
    async remove(@Param('id') id: string, @Req() request: Request, @ChangeReason() reason: string) {
      await this.service.remove(requireId(parseId(id)), preconditions(request), authorOf(request, reason));
      return Reply.empty();
    }
  }

  /** A reply with a record, and its version as the entity tag. */
  function reply(record: ReferenceEntity, options: Reply['options'] = {}): Reply {
    return Reply.json(names.record(record), { ...options, etag: etagOf(record) });
  }

  async function* toRecords(batches: AsyncIterable<ReferenceEntity[]>): AsyncGenerator<RecordValues[]> {
    for await (const records of batches) yield records.map((record) => names.record(record));
  }

  /** Translates errors of the service: fields to the names that were sent, ids to addresses. */
  async function translateErrors<T>(request: Request, body: object, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof InvalidRecordError) {
        throw new ValidationError(
          error.errors.map((invalid) => bodyViolation(names.sentAs(invalid.field, body), invalid.error)),
        );
      }
      if (error instanceof DuplicateRecordError) {
        throw new Duplicate(
          error.fields.map((field) => names.sentAs(field, body)),
          error.existingId === null ? undefined : `${listAddress(request)}${error.existingId}/`,
        );
      }
      throw error;
    }
  }

  return Controller;
}

/** @throws NotFound for NaN, without a query: there cannot be such a record */
function requireId(id: number): number {
  if (Number.isNaN(id)) throw new NotFound('There is no such record.');
  return id;
}

/** The absolute URL of the table's list, under the prefix that the caller used. */
function listAddress(request: Request): string {
  return absoluteUrl(infoOf(request), listPath(request));
}

function listPath(request: Request): string {
  const info = infoOf(request);
  const segments = info.path.replace(/\/$/, '').split('/');
  if (info.route?.pattern.endsWith('/:id')) segments.pop();
  return `${segments.join('/')}/`;
}

function authorOf(request: Request, reason: string): Author {
  const { id, commitDeadline } = infoOf(request);
  return { caller: callerOf(request), requestId: id, reason, deadline: commitDeadline };
}
