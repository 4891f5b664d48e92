import { Controller, Get, Param, Patch, Req, UseInterceptors } from '@nestjs/common';
import type { IncomingMessage } from 'node:http';
import { BASE } from '../config/price-paths.js';
import { CachedBy } from '../ledger/revision/cached-by.js';
import { ChangeReason } from '../ledger/changes/change-reason.js';
import { preconditions } from '../platform/http/etag.js';
import { type Caller, CurrentCaller } from '../platform/http/caller.js';
import { infoOf } from '../platform/http/request.js';
import { type ParsedQuery, RequestQuery, wholeQuery } from '../platform/http/params.js';
import { Reply } from '../platform/http/reply.js';
import {
  ApiBody,
  ApiIfMatch,
  ApiOkResponse,
  ApiOperation,
  ApiProblems,
  ApiTags,
  envelopeOf,
  ETAG_HEADER,
} from '../platform/http/api-docs.js';
import { CacheControl, ListFormats } from '../platform/http/routes.js';
import { requestedList } from '../platform/listing/page.js';
import { PaginationInterceptor } from '../platform/listing/pagination.interceptor.js';
import { schemaOf } from '../platform/validation/field.js';
import { parseId } from '../platform/validation/parsers.js';
import { Finding, FindingPatch, FindingPatchBody } from './finding.dto.js';
import { findingListQuery } from './finding-list.js';
import { findingNotFound, FindingsService, findingTag } from './findings.service.js';

const reply = (finding: Finding) => Reply.json(finding, { etag: findingTag(finding) });

const finding = { description: 'The finding', schema: schemaOf(Finding), headers: ETAG_HEADER };

/** What looks wrong in the data, and what became of it. */
@ApiTags('Quality')
@Controller(`${BASE}/Finding`)
@CacheControl('revalidate')
@CachedBy('findings', 'series', 'references')
export class FindingsController {
  constructor(private readonly findings: FindingsService) {}

  @Get()
  @UseInterceptors(PaginationInterceptor)
  @ListFormats()
  @ApiOperation({ summary: 'List findings' })
  @ApiOkResponse({ description: 'A page of findings, newest first', schema: envelopeOf(schemaOf(Finding)) })
  list(
    @RequestQuery(findingListQuery, wholeQuery)
    { values, format }: ParsedQuery<typeof findingListQuery.parameters>,
  ) {
    return this.findings.list(values, requestedList(values, format));
  }

  @Get(':id')
  @ApiOperation({ summary: 'Read a finding' })
  @ApiOkResponse(finding)
  async read(@Param('id') id: string) {
    return reply(await this.findings.read(requireId(id)));
  }

  @Patch(':id')
  @ApiOperation({
    summary: 'Dismiss a finding, or open it again',
    description: 'To dismiss it takes a reason. It holds as long as its members and values are the same.',
  })
  @ApiBody({
    schema: schemaOf(FindingPatch),
    example: { state: 'dismissed', reason: 'The road was closed: the price is true.' },
  })
  @ApiOkResponse(finding)
  @ApiProblems('ended')
  @ApiIfMatch()
  async update(
    @Param('id') id: string,
    @FindingPatchBody() body: FindingPatch,
    @Req() request: IncomingMessage,
    @CurrentCaller() caller: Caller,
    @ChangeReason() reason: string,
  ) {
    const { id: requestId, commitDeadline: deadline } = infoOf(request);
    const author = { caller, requestId, reason, deadline };
    return reply(await this.findings.setState(requireId(id), body, preconditions(request), author));
  }
}

/** @throws NotFound for text that is no id */
function requireId(text: string): number {
  const id = parseId(text);
  if (Number.isNaN(id)) throw findingNotFound();
  return id;
}
