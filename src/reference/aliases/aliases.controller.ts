import { Controller, Delete, Get, Param, Post, Req, UseInterceptors } from '@nestjs/common';
import type { IncomingMessage } from 'node:http';
import { BASE } from '../../config/price-paths.js';
import { CachedBy } from '../../ledger/revision/cached-by.js';
import { ChangeReason } from '../../ledger/changes/change-reason.js';
import { Idempotency, idempotencyKey } from '../../idempotency/idempotency.js';
import { Duplicate } from '../../platform/errors/api-error.js';
import { preconditions } from '../../platform/http/etag.js';
import { accountKey, callerOf } from '../../platform/http/caller.js';
import { infoOf } from '../../platform/http/request.js';
import { type ParsedQuery, RequestQuery, ValidBody, wholeQuery } from '../../platform/http/params.js';
import { Reply } from '../../platform/http/reply.js';
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
import { CacheControl, ListFormats } from '../../platform/http/routes.js';
import { absoluteUrl } from '../../platform/listing/links.js';
import { requestedList } from '../../platform/listing/page.js';
import { PaginationInterceptor } from '../../platform/listing/pagination.interceptor.js';
import { parseId } from '../../platform/validation/parsers.js';
import type { Alias } from '../base/alias.entity.js';
import { etagOf, recordChangeSet, type Author } from '../base/base-reference.service.js';
import { aliasListQuery, AliasRecord, toRecord } from './alias-list.js';
import { AliasDto, keyViolations } from './alias.dto.js';
import { AliasesService, KeyTakenError, aliasNotFound } from './aliases.service.js';
import { schemaOf } from '../../platform/validation/field.js';

const reply = (alias: Alias, options: Reply['options'] = {}) =>
  Reply.json(toRecord(alias), { ...options, etag: etagOf(alias) });

const record = { description: 'The alias', schema: schemaOf(AliasRecord), headers: ETAG_HEADER };

/** Other keys under which imports find records. */
@ApiTags('Reference tables')
@Controller(`${BASE}/Alias`)
export class AliasesController {
  constructor(
    private readonly aliases: AliasesService,
    private readonly idempotency: Idempotency,
  ) {}

  @Get()
  @UseInterceptors(PaginationInterceptor)
  @CacheControl('revalidate')
  @CachedBy('references')
  @ListFormats()
  @ApiOperation({ summary: 'List aliases of records' })
  @ApiOkResponse({
    description: 'A page of aliases, newest first',
    schema: envelopeOf(schemaOf(AliasRecord)),
  })
  list(
    @RequestQuery(aliasListQuery, wholeQuery)
    { values, format }: ParsedQuery<typeof aliasListQuery.parameters>,
  ) {
    return this.aliases.list(values, requestedList(values, format));
  }

  @Get(':id')
  @CacheControl('revalidate')
  @CachedBy('references')
  @ApiOperation({ summary: 'Read an alias' })
  @ApiOkResponse(record)
  async read(@Param('id') id: string) {
    return reply(await this.aliases.read(requireId(id)));
  }

  @Post()
  @ApiOperation({ summary: 'Create an alias' })
  @ApiBody({
    schema: schemaOf(AliasDto),
    example: { table: 'Commodity', record_id: 1, name: 'Maize (grain)' },
  })
  @ApiCreatedResponse({ ...record, headers: { ...record.headers, ...LOCATION_HEADER } })
  @ApiIdempotencyKey()
  @ApiProblems('duplicate', 'reference_missing')
  async create(
    @ValidBody(AliasDto, { crossFieldRules: keyViolations }) dto: AliasDto,
    @Req() request: IncomingMessage,
    @ChangeReason() reason: string,
  ) {
    const author = authorOf(request, reason);
    const address = (path: string) => absoluteUrl(infoOf(request), `/${BASE}/${path}`);
    try {
      return await this.idempotency.once(
        {
          key: idempotencyKey(request.headers),
          account: accountKey(author.caller!),
          path: `/${BASE}/Alias/`,
          body: dto,
          changeSet: recordChangeSet(author),
          deadline: author.deadline,
        },
        async (transaction) => {
          const alias = await this.aliases.create(transaction, dto, author);
          return reply(alias, { status: 201, headers: { Location: address(`Alias/${alias.id}/`) } });
        },
      );
    } catch (error) {
      if (!(error instanceof KeyTakenError)) throw error;
      throw new Duplicate(['name'], address(error.address));
    }
  }

  @Delete(':id')
  @ApiOperation({ summary: 'Remove an alias' })
  @ApiIfMatch()
  @ApiNoContentResponse({ description: 'Removed' })
  async remove(@Param('id') id: string, @Req() request: IncomingMessage, @ChangeReason() reason: string) {
    await this.aliases.remove(requireId(id), preconditions(request), authorOf(request, reason));
    return Reply.empty();
  }
}

/** @throws NotFound for text that is no id */
function requireId(text: string): number {
  const id = parseId(text);
  if (Number.isNaN(id)) throw aliasNotFound();
  return id;
}

function authorOf(request: IncomingMessage, reason: string): Author {
  const { id, commitDeadline } = infoOf(request);
  return { caller: callerOf(request), requestId: id, reason, deadline: commitDeadline };
}
