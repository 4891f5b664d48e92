import { Body, Delete, Get, Inject, Param, Patch, Post, Put, Req } from '@nestjs/common';
import { callerOf } from '../../common/access/caller.js';
import { preconditions } from '../../common/caching/preconditions.js';
import { Duplicate, type Violation, ValidationError, NotFound } from '../../common/errors/api-error.js';
import { MAX_ID } from '../../common/filtering/parsers.js';
import { recordParts } from '../../common/formats/record-parts.js';
import { Reply, mediaTypes, RowStream } from '../../common/http/reply.js';
import { contextOf } from '../../common/http/request-context.js';
import { RequestQuery } from '../../common/http/request-query.js';
import { CachedBy, ReplyFormats, CacheControl } from '../../common/http/route-decorators.js';
import { envelopeAnswer } from '../../common/pagination/envelope.js';
import { absolute } from '../../common/pagination/links.js';
import { Page, pageRequest } from '../../common/pagination/page.js';
import { bodyViolation } from '../../common/validation/check-body.js';
import type { RevisionArea } from '../../database/data-revision.js';
import { Idempotency, idempotencyKey } from '../../idempotency/idempotency.js';
import { type ListParameters, ListQuery } from './list-query.js';
import { RecordDuplicate, RecordInvalid } from './record-refusals.js';
import type { ReferenceEntity } from './reference.entity.js';
import { type Author, type ReferenceRecords, tagOf } from './reference-records.js';
import type { Values } from './reference-table.js';
import { checkWrite } from './write-body.js';
import { FieldNames, type ReferenceDto } from './write-fields.js';

/** A request as far as the routes of records look at it. */
type Request = Parameters<typeof preconditions>[0] & object;

/**
 * The six routes of one reference table, to be extended: `class CommodityController extends ReferenceController(CommodityDto)`.
 * A class factory, because a generic base class has no DTO at run time to check bodies with.
 * @param area the part of the data revision that the table's answers hang on
 */
export function ReferenceController(dto: ReferenceDto, area: RevisionArea = 'references') {
  const names = new FieldNames(dto);
  const listQuery = new ListQuery(dto);

  abstract class Controller {
    abstract readonly service: ReferenceRecords<any>;
    @Inject(Idempotency) private readonly idempotency!: Idempotency;

    @Get()
    @CacheControl('reference')
    @CachedBy(area)
    @ReplyFormats('json', 'csv', 'ndjson')
    async list(@RequestQuery(listQuery.shape) query: ListParameters, @Req() request: Request) {
      const context = contextOf(request);
      const filters = listQuery.filtersOf(query);
      const stream = (pieces: Parameters<typeof recordParts>[2]) =>
        new RowStream(mediaTypes[context.format], recordParts(context.format, names.reads, pieces));

      if (query.page === undefined && query.page_size === undefined)
        return stream(inReadForm(this.service.list(filters)));
      const { count, items, page, pageSize } = await this.service.page(filters, pageRequest(query));
      const records = items.map((record) => names.record(record));
      if (context.format !== 'json') return stream([records]);
      return envelopeAnswer(new Page(count, records, page, pageSize), context);
    }

    @Get(':id')
    @CacheControl('reference')
    @CachedBy(area)
    async read(@Param('id') id: string) {
      return answer(await this.service.read(known(recordId(id))));
    }

    @Post()
    async create(@Body() body: object, @Req() request: Request) {
      const { key, faults } = keyOf(request);
      const values = checkWrite(dto, names, body, {
        id: null,
        faults: [...contextOf(request).violations, ...faults],
      });
      const author = authorOf(request);
      const address = listAddress(request);
      return inTermsOf(request, body, () =>
        this.idempotency.once(
          { key, accountId: author.caller?.accountId ?? 0, path: listPath(request), body },
          async (tx) => {
            const record = await this.service.create(tx, values, author);
            return answer(record, { status: 201, headers: { Location: `${address}${record.id}/` } });
          },
        ),
      );
    }

    @Put(':id')
    async replace(@Param('id') id: string, @Body() body: object, @Req() request: Request) {
      const number = recordId(id);
      const values = checkWrite(dto, names, body, { id: number, faults: contextOf(request).violations });
      return inTermsOf(request, body, async () =>
        answer(await this.service.replace(known(number), values, preconditions(request), authorOf(request))),
      );
    }

    @Patch(':id')
    async update(@Param('id') id: string, @Body() body: object, @Req() request: Request) {
      const number = recordId(id);
      const values = checkWrite(dto, names, body, {
        id: number,
        partial: true,
        faults: contextOf(request).violations,
      });
      return inTermsOf(request, body, async () =>
        answer(await this.service.update(known(number), values, preconditions(request), authorOf(request))),
      );
    }

    @Delete(':id')
    async remove(@Param('id') id: string, @Req() request: Request) {
      await this.service.remove(known(recordId(id)), preconditions(request), authorOf(request));
      return Reply.empty();
    }
  }

  /** A record as an answer, with its version as the entity tag. */
  function answer(record: ReferenceEntity, options: Reply['options'] = {}): Reply {
    return Reply.json(names.record(record), { ...options, etag: tagOf(record) });
  }

  async function* inReadForm(pieces: AsyncIterable<ReferenceEntity[]>): AsyncGenerator<Values[]> {
    for await (const records of pieces) yield records.map((record) => names.record(record));
  }

  /** Puts what the service refuses in the terms of the request: the fields as they were sent, and addresses. */
  async function inTermsOf<T>(request: Request, body: object, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof RecordInvalid) {
        throw new ValidationError(
          error.faults.map(({ field, refusal }) => bodyViolation(names.sentAs(field, body), refusal)),
        );
      }
      if (error instanceof RecordDuplicate) {
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

/** The id in an address; NaN for what cannot be one, and so differs from every id in a body. */
function recordId(text: string): number {
  const id = /^[1-9][0-9]*$/.test(text) ? Number(text) : NaN;
  return id <= MAX_ID ? id : NaN;
}

/** @throws NotFound for what cannot be an id: no query is needed to know that there is no such record */
function known(id: number): number {
  if (Number.isNaN(id)) throw new NotFound('There is no such record.');
  return id;
}

/** The absolute address of the table's list, under the prefix that the caller used. */
function listAddress(request: Request): string {
  return absolute(contextOf(request), listPath(request));
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

/** The idempotency key, or what is wrong with it, to be told with the faults of the body. */
function keyOf(request: Request): { key: string | null; faults: readonly Violation[] } {
  try {
    return { key: idempotencyKey(request.headers), faults: [] };
  } catch (error) {
    if (!(error instanceof ValidationError)) throw error;
    return { key: null, faults: error.violations };
  }
}
