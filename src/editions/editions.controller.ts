import { Controller, Get, HttpCode, Param, Post, Req, UseInterceptors } from '@nestjs/common';
import type { IncomingMessage } from 'node:http';
import { BASE } from '../config/price-paths.js';
import { type Caller, CurrentCaller } from '../platform/http/caller.js';
import { infoOf } from '../platform/http/request.js';
import { type ParsedQuery, RequestQuery, ValidBody, wholeQuery } from '../platform/http/params.js';
import { Reply } from '../platform/http/reply.js';
import { CacheControl, ListFormats, Roles } from '../platform/http/routes.js';
import {
  ApiAcceptedResponse,
  ApiBody,
  ApiOkResponse,
  ApiOperation,
  ApiProblems,
  ApiTags,
  envelopeOf,
  LOCATION_HEADER,
} from '../platform/http/api-docs.js';
import { absoluteUrl } from '../platform/listing/links.js';
import { listQuery } from '../platform/listing/list-parameters.js';
import { pageParameters, requestedList } from '../platform/listing/page.js';
import { PaginationInterceptor } from '../platform/listing/pagination.interceptor.js';
import { RecordListing } from '../platform/listing/record-listing.js';
import { parseId } from '../platform/validation/parsers.js';
import { QuerySchema } from '../platform/validation/query-schema.js';
import { EditionDto } from './edition.dto.js';
import { EditionProcess } from './edition-process.js';
import { editionColumns, EditionRecord } from './edition-record.js';
import { Editions } from './editions.js';
import { schemaOf } from '../platform/validation/field.js';

const editionQuery = listQuery(new QuerySchema(pageParameters), editionColumns);

/** The editions: data of one revision as files that never change. */
@ApiTags('Editions')
@Controller(`${BASE}/Edition`)
export class EditionsController {
  constructor(
    private readonly editions: Editions,
    private readonly process: EditionProcess,
  ) {}

  @Get()
  @UseInterceptors(PaginationInterceptor)
  @ListFormats()
  @CacheControl('revalidate')
  @ApiOperation({ summary: 'List editions' })
  @ApiOkResponse({
    description: 'A page of editions, newest first',
    schema: envelopeOf(schemaOf(EditionRecord)),
  })
  async list(
    @RequestQuery(editionQuery, wholeQuery)
    { values, format }: ParsedQuery<typeof editionQuery.parameters>,
  ) {
    return RecordListing.pageOf(editionColumns, await this.editions.list(), requestedList(values, format));
  }

  @Get(':number')
  @CacheControl('revalidate')
  @ApiOperation({ summary: 'Read an edition' })
  @ApiOkResponse({ description: 'The edition', schema: schemaOf(EditionRecord) })
  read(@Param('number') text: string) {
    return this.editions.read(parseId(text));
  }

  @Post()
  @HttpCode(202)
  @Roles('admin')
  @ApiOperation({
    summary: 'Make an edition',
    description: 'Its files are made in a process of their own; ask at `Location` until it is ready.',
  })
  @ApiBody({ schema: schemaOf(EditionDto), example: { title: '2026-11' } })
  @ApiAcceptedResponse({
    description: 'The edition, which is being made',
    schema: schemaOf(EditionRecord),
    headers: LOCATION_HEADER,
  })
  @ApiProblems('edition_running')
  async create(
    @ValidBody(EditionDto) { title, revision }: EditionDto,
    @CurrentCaller() caller: Caller,
    @Req() request: IncomingMessage,
  ): Promise<Reply> {
    const info = infoOf(request);
    const begun = await this.editions.begin({ title, revision, caller, requestId: info.id });
    this.process.start(begun);
    return Reply.json(await this.editions.read(begun.number), {
      status: 202,
      headers: { Location: absoluteUrl(info, `/${BASE}/Edition/${begun.number}/`) },
    });
  }
}
