import { Body, Delete, Get, Inject, Param, Patch, Post, Put, Req } from '@nestjs/common';
import { callerOf } from '../../common/access/caller.js';
import { preconditions } from '../../common/caching/preconditions.js';
import { Duplicate, type Violation, ValidationError, NotFound } from '../../common/errors/api-error.js';
import { MAX_ID } from '../../common/filtering/parsers.js';
import { recordChunks } from '../../common/formats/record-chunks.js';
import { Reply, mediaTypes, RowStream } from '../../common/http/reply.js';
import { contextOf } from '../../common/http/request-context.js';
import { RequestQuery } from '../../common/http/request-query.js';
import { CachedBy, ReplyFormats, CacheControl } from '../../common/http/route-decorators.js';
import { envelopeReply } from '../../common/pagination/envelope.js';
import { absoluteUrl } from '../../common/pagination/links.js';
import { Page, pageRequest } from '../../common/pagination/page.js';
import { bodyViolation } from '../../common/validation/validate-body.js';
import type { RevisionArea } from '../../database/data-revision.js';
import { Idempotency, idempotencyKey } from '../../idempotency/idempotency.js';
import { type ListParameters, ListQuery } from './list-query.js';
import { DuplicateRecordError, InvalidRecordError } from './record-errors.js';
import type { ReferenceEntity } from './reference.entity.js';
import { type Author, type BaseReferenceService, etagOf } from './base-reference.service.js';
import type { RecordValues } from './table-statements.js';
import { validateWrite } from './write-body.js';
import { FieldNames, type ReferenceDto } from './write-fields.js';

/** The parts of a request that these routes use. */
type Request = Parameters<typeof preconditions>[0] & object;

/**
 * The six routes of one reference table, to be extended: `class CommodityController extends
 * ReferenceController(CommodityDto)`. A class factory, because a generic base class has no DTO at
 * run time to validate bodies with.
 * @param area the area of the data revision that cached replies of the table depend on
 */
export function ReferenceController(dto: ReferenceDto, area: RevisionArea = 'references') {
  const names = new FieldNames(dto);
  const listQuery = new ListQuery(dto);

  abstract class Controller {
    abstract readonly service: BaseReferenceService<any>;
    @Inject(Idempotency) private readonly idempotency!: Idempotency;

    @Get()
    @CacheControl('reference')
    @CachedBy(area)
    @ReplyFormats('json', 'csv', 'ndjson')
    async list(@RequestQuery(listQuery.schema) query: ListParameters, @Req() request: Request) {
      const context = contextOf(request);
      const filters = listQuery.filtersOf(query);
      const stream = (batches: Parameters<typeof recordChunks>[2]) =>
        new RowStream(mediaTypes[context.format], recordChunks(context.format, names.reads, batches));

      if (query.page === undefined && query.page_size === undefined)
        return stream(toRecords(this.service.list(filters)));
      const { count, items, page, pageSize } = await this.service.page(filters, pageRequest(query));
      const records = items.map((record) => names.record(record));
      if (context.format !== 'json') return stream([records]);
      return envelopeReply(new Page(count, records, page, pageSize), context);
    }

    @Get(':id')
    @CacheControl('reference')
    @CachedBy(area)
    async read(@Param('id') id: string) {
      return reply(await this.service.read(requireId(parseId(id))));
    }

    @Post()
    async create(@Body() body: object, @Req() request: Request) {
      const { key, violations } = parseKey(request);
      const values = validateWrite(dto, names, body, {
        id: null,
        violations: [...contextOf(request).violations, ...violations],
      });
      const author = authorOf(request);
      const address = listAddress(request);
      return translateErrors(request, body, () =>
        this.idempotency.once(
          { key, accountId: author.caller?.accountId ?? 0, path: listPath(request), body },
          async (transaction) => {
            const record = await this.service.create(transaction, values, author);
            return reply(record, { status: 201, headers: { Location: `${address}${record.id}/` } });
          },
        ),
      );
    }

    @Put(':id')
    async replace(@Param('id') id: string, @Body() body: object, @Req() request: Request) {
      const number = parseId(id);
      const values = validateWrite(dto, names, body, {
        id: number,
        violations: contextOf(request).violations,
      });
      return translateErrors(request, body, async () =>
        reply(
          await this.service.replace(requireId(number), values, preconditions(request), authorOf(request)),
        ),
      );
    }

    @Patch(':id')
    async update(@Param('id') id: string, @Body() body: object, @Req() request: Request) {
      const number = parseId(id);
      const values = validateWrite(dto, names, body, {
        id: number,
        partial: true,
        violations: contextOf(request).violations,
      });
      return translateErrors(request, body, async () =>
        reply(
          await this.service.update(requireId(number), values, preconditions(request), authorOf(request)),
        ),
      );
    }

    @Delete(':id')
    async remove(@Param('id') id: string, @Req() request: Request) {
      await this.service.remove(requireId(parseId(id)), preconditions(request), authorOf(request));
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

/** Parses the id in an address; NaN, which equals no id in a body, if it cannot be one. */
function parseId(text: string): number {
  const id = /^[1-9][0-9]*$/.test(text) ? Number(text) : NaN;
  return id <= MAX_ID ? id : NaN;
}

/** @throws NotFound for NaN, without a query: there cannot be such a record */
function requireId(id: number): number {
  if (Number.isNaN(id)) throw new NotFound('There is no such record.');
  return id;
}

/** The absolute URL of the table's list, under the prefix that the caller used. */
function listAddress(request: Request): string {
  return absoluteUrl(contextOf(request), listPath(request));
}

function listPath(request: Request): string {
  const context = contextOf(request);
  const segments = context.path.replace(/\/$/, '').split('/');
  if (context.route?.pattern.endsWith('/:id')) segments.pop();
  return `${segments.join('/')}/`;
}

function authorOf(request: Request): Author {
  return { caller: callerOf(request), requestId: contextOf(request).id };
}

/** The idempotency key, or its violations, which are reported together with those of the body. */
function parseKey(request: Request): { key: string | null; violations: readonly Violation[] } {
  try {
    return { key: idempotencyKey(request.headers), violations: [] };
  } catch (error) {
    if (!(error instanceof ValidationError)) throw error;
    return { key: null, violations: error.violations };
  }
}
