import { Controller, Delete, Get, HttpCode, Inject, Param, Post, Req, UseInterceptors } from '@nestjs/common';
import type { IncomingMessage } from 'node:http';
import { BASE } from '../../config/price-paths.js';
import { ChangeReason, reasonParameter } from '../../ledger/changes/change-reason.js';
import { wholeBody } from '../../platform/http/read-body.js';
import { type Caller, CurrentCaller } from '../../platform/http/caller.js';
import { HTTP_LIMITS, type HttpLimits } from '../../platform/http/options.js';
import { infoOf } from '../../platform/http/request.js';
import { type ParsedQuery, RequestQuery, wholeQuery } from '../../platform/http/params.js';
import { Reply } from '../../platform/http/reply.js';
import {
  ApiBody,
  ApiNoContentResponse,
  ApiOkResponse,
  ApiOperation,
  ApiProblems,
  ApiTags,
  envelopeOf,
} from '../../platform/http/api-docs.js';
import { arrayOf } from '../../platform/validation/schema.js';
import { ListFormats, RawBody } from '../../platform/http/routes.js';
import { requestedList } from '../../platform/listing/page.js';
import { PaginationInterceptor } from '../../platform/listing/pagination.interceptor.js';
import { flag, one, parseId } from '../../platform/validation/parsers.js';
import { QuerySchema, type QueryValues } from '../../platform/validation/query-schema.js';
import { CorrectionDto, parseCorrections } from './correction-batch.js';
import { correctionListQuery, CorrectionRecord } from './correction-list.js';
import { correctionNotFound, CorrectionsService, type CorrectionResult } from './corrections.service.js';
import { schemaOf } from '../../platform/validation/field.js';
import { OperationResult } from '../../ledger/changes/operation-result.js';

const MAX_BODY_BYTES = 1024 * 1024;

const makingQuery = new QuerySchema({
  dry_run: one(flag, 'Tell the counts, and change nothing.'),
  reason: reasonParameter,
});

/** What maintainers have set, added or removed, so that imports do not undo it. */
@ApiTags('Prices')
@Controller(`${BASE}/Correction`)
export class CorrectionsController {
  constructor(
    private readonly corrections: CorrectionsService,
    @Inject(HTTP_LIMITS) private readonly limits: HttpLimits,
  ) {}

  @Get()
  @UseInterceptors(PaginationInterceptor)
  @ListFormats()
  @ApiOperation({ summary: 'List corrections' })
  @ApiOkResponse({
    description: 'A page of corrections, newest first',
    schema: envelopeOf(schemaOf(CorrectionRecord)),
  })
  list(
    @RequestQuery(correctionListQuery, wholeQuery)
    { values, format }: ParsedQuery<typeof correctionListQuery.parameters>,
  ) {
    return this.corrections.list(values, requestedList(values, format));
  }

  @Post()
  @HttpCode(200)
  @RawBody({ types: ['application/json', 'text/csv'] })
  @ApiOperation({
    summary: 'Correct prices',
    description: 'Sets, adds and removes up to 1,000 prices as one change set: all of them or none.',
  })
  @ApiBody({ schema: arrayOf(schemaOf(CorrectionDto)) })
  @ApiOkResponse({ description: 'What was changed', schema: schemaOf(OperationResult) })
  @ApiProblems('calculated', 'joined')
  async create(
    @RequestQuery(makingQuery) { dry_run = false, reason = '' }: QueryValues<typeof makingQuery.parameters>,
    @CurrentCaller() caller: Caller,
    @Req() request: IncomingMessage,
  ): Promise<CorrectionResult> {
    const info = infoOf(request);
    const { bodyMs } = this.limits;
    const body = await wholeBody(info, { limit: MAX_BODY_BYTES, stallMs: bodyMs, totalMs: bodyMs });
    const isCsv = request.headers['content-type']!.trim().toLowerCase().startsWith('text/csv');
    const requested = parseCorrections(body.toString(), isCsv ? 'csv' : 'json');
    const author = { caller, requestId: info.id, reason, deadline: info.commitDeadline };
    return this.corrections.correct(requested, author, dry_run);
  }

  @Delete(':id')
  @ApiOperation({ summary: "Withdraw a correction: the source's value returns" })
  @ApiNoContentResponse({ description: 'Withdrawn' })
  async withdraw(
    @Param('id') text: string,
    @Req() request: IncomingMessage,
    @CurrentCaller() caller: Caller,
    @ChangeReason() reason: string,
  ) {
    const id = parseId(text);
    if (Number.isNaN(id)) throw correctionNotFound();
    const { id: requestId, commitDeadline: deadline } = infoOf(request);
    await this.corrections.withdraw(id, { caller, requestId, reason, deadline });
    return Reply.empty();
  }
}
