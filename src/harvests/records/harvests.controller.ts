import {
  Controller,
  Delete,
  Get,
  Param,
  Patch,
  Post,
  Put,
  Req,
  type Type,
  UseInterceptors,
} from '@nestjs/common';
import type { IncomingMessage } from 'node:http';
import { BASE } from '../../config/price-paths.js';
import { Idempotency, idempotencyKey } from '../../idempotency/idempotency.js';
import { ChangeReason } from '../../ledger/changes/change-reason.js';
import { ValidationError, type Violation } from '../../platform/errors/api-error.js';
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
import { accountKey, callerOf } from '../../platform/http/caller.js';
import { preconditions } from '../../platform/http/etag.js';
import { bodyParameter, type ParsedQuery, RequestQuery, wholeQuery } from '../../platform/http/params.js';
import { Reply } from '../../platform/http/reply.js';
import { infoOf } from '../../platform/http/request.js';
import { ListFormats, Protected } from '../../platform/http/routes.js';
import { absoluteUrl } from '../../platform/listing/links.js';
import { listQuery } from '../../platform/listing/list-parameters.js';
import { pageParameters, requestedList } from '../../platform/listing/page.js';
import { PaginationInterceptor } from '../../platform/listing/pagination.interceptor.js';
import { RecordListing } from '../../platform/listing/record-listing.js';
import { schemaOf } from '../../platform/validation/field.js';
import { ParseError } from '../../platform/validation/parsers.js';
import { QuerySchema } from '../../platform/validation/query-schema.js';
import { bodyViolation } from '../../platform/validation/validate-body.js';
import { validateNested } from '../../platform/validation/validate-nested.js';
import { type Author, recordChangeSet } from '../../reference/base/base-reference.service.js';
import {
  harvestColumns,
  HarvestDto,
  HarvestPatchDto,
  HarvestRecord,
  READ_ONLY_FIELDS,
} from './harvest.dto.js';
import type { HarvestRow } from './harvest.entity.js';
import {
  HarvestNameTaken,
  HarvestsService,
  harvestTag,
  nameTaken,
  toHarvestRecord,
} from './harvests.service.js';

const harvestQuery = listQuery(new QuerySchema(pageParameters), harvestColumns);

const reply = (harvest: HarvestRow, options: Reply['options'] = {}) =>
  Reply.json(toHarvestRecord(harvest), { ...options, etag: harvestTag(harvest) });

const record = { description: 'The harvest', schema: schemaOf(HarvestRecord), headers: ETAG_HEADER };

const example = {
  name: 'mali-oma',
  address: 'https://prices.example.org/monthly.csv',
  format: 'prices',
  options: { period: 'monthly' },
  schedule: '30 6 * * 1-5',
  time_zone: 'Africa/Bamako',
};

/** Scheduled imports: each harvest fetches one address. */
@ApiTags('Harvests')
@Controller(`${BASE}/Harvest`)
@Protected()
export class HarvestsController {
  constructor(
    private readonly harvests: HarvestsService,
    private readonly idempotency: Idempotency,
  ) {}

  @Get()
  @UseInterceptors(PaginationInterceptor)
  @ListFormats()
  @ApiOperation({ summary: 'List harvests' })
  @ApiOkResponse({ description: 'A page of harvests, by name', schema: envelopeOf(schemaOf(HarvestRecord)) })
  async list(
    @RequestQuery(harvestQuery, wholeQuery)
    { values, format }: ParsedQuery<typeof harvestQuery.parameters>,
  ) {
    return RecordListing.pageOf(harvestColumns, await this.harvests.list(), requestedList(values, format));
  }

  @Get(':id')
  @ApiOperation({ summary: 'Read a harvest', description: 'By its id or its name.' })
  @ApiOkResponse(record)
  async read(@Param('id') id: string) {
    return reply(await this.harvests.read(id));
  }

  @Post()
  @ApiOperation({ summary: 'Create a harvest' })
  @ApiIdempotencyKey()
  @ApiBody({ schema: schemaOf(HarvestDto), example })
  @ApiCreatedResponse({ ...record, headers: { ...record.headers, ...LOCATION_HEADER } })
  @ApiProblems('duplicate')
  async create(
    @HarvestBody(HarvestDto) dto: HarvestDto,
    @Req() request: IncomingMessage,
    @ChangeReason() reason: string,
  ) {
    const author = authorOf(request, reason);
    return withDuplicateUrl(request, () =>
      this.idempotency.once(
        {
          key: idempotencyKey(request.headers),
          // A protected route has a caller.
          account: accountKey(author.caller!),
          path: `/${BASE}/Harvest/`,
          body: dto,
          changeSet: recordChangeSet(author),
          deadline: author.deadline,
        },
        async (transaction) => {
          const harvest = await this.harvests.create(transaction, dto, author);
          return reply(harvest, { status: 201, headers: { Location: harvestUrl(request, harvest.id) } });
        },
      ),
    );
  }

  @Put(':id')
  @ApiOperation({ summary: 'Replace a harvest' })
  @ApiIfMatch()
  @ApiBody({ schema: schemaOf(HarvestDto), example })
  @ApiOkResponse(record)
  async replace(
    @Param('id') id: string,
    @HarvestBody(HarvestDto) dto: HarvestDto,
    @Req() request: IncomingMessage,
    @ChangeReason() reason: string,
  ) {
    return withDuplicateUrl(request, async () =>
      reply(await this.harvests.replace(id, dto, preconditions(request), authorOf(request, reason))),
    );
  }

  @Patch(':id')
  @ApiOperation({ summary: 'Change fields of a harvest' })
  @ApiIfMatch()
  @ApiBody({ schema: schemaOf(HarvestPatchDto), example: { enabled: false } })
  @ApiOkResponse(record)
  async update(
    @Param('id') id: string,
    @HarvestBody(HarvestPatchDto) changes: HarvestPatchDto,
    @Req() request: IncomingMessage,
    @ChangeReason() reason: string,
  ) {
    return withDuplicateUrl(request, async () =>
      reply(await this.harvests.update(id, changes, preconditions(request), authorOf(request, reason))),
    );
  }

  @Delete(':id')
  @ApiOperation({
    summary: 'Delete a harvest',
    description: 'Its runs go with it; what they imported stays.',
  })
  @ApiIfMatch()
  @ApiNoContentResponse({ description: 'Deleted' })
  async remove(@Param('id') id: string, @Req() request: IncomingMessage, @ChangeReason() reason: string) {
    await this.harvests.remove(id, preconditions(request), authorOf(request, reason));
    return Reply.empty();
  }
}

/** The body of a write. An id in it must be the one in the address, and none for a new harvest. */
function HarvestBody<T extends object>(dto: Type<T>): ParameterDecorator {
  return bodyParameter((body, { request, violations }): T => {
    const readOnly = ['id', ...READ_ONLY_FIELDS].filter((name) => Object.hasOwn(body, name));
    const writable = Object.fromEntries(Object.entries(body).filter(([name]) => !readOnly.includes(name)));
    const validated = validateNested(dto, writable);
    const all = [
      ...violations,
      ...readOnly.flatMap((name) => readOnlyViolations(name, body[name], request.params.id)),
      ...('violations' in validated ? validated.violations : []),
    ];
    if ('violations' in validated || all.length > 0) throw new ValidationError(all);
    return validated.value;
  });
}

/**
 * @param id in the address; undefined for a new harvest, and a name where the address has one, with
 * which an id cannot be compared
 */
function readOnlyViolations(name: string, value: unknown, id: unknown): Violation[] {
  if (name === 'id' && typeof id === 'string') {
    if (String(value) === id || !/^\d/.test(id)) return [];
    return [bodyViolation(name, new ParseError('id_mismatch', 'must be the id in the address.'))];
  }
  return [bodyViolation(name, new ParseError('read_only', 'is set by the service.'))];
}

const harvestUrl = (request: IncomingMessage, id: number): string =>
  absoluteUrl(infoOf(request), `/${BASE}/Harvest/${id}/`);

/** Names the URL of the other harvest where its name is taken: only the request knows it. */
async function withDuplicateUrl<T>(request: IncomingMessage, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof HarvestNameTaken) throw nameTaken(error, (id) => harvestUrl(request, id));
    throw error;
  }
}

function authorOf(request: IncomingMessage, reason: string): Author {
  const { id, commitDeadline } = infoOf(request);
  return { caller: callerOf(request), requestId: id, reason, deadline: commitDeadline };
}
