import { Controller, Get, HttpCode, Param, Post, Req } from '@nestjs/common';
import type { IncomingMessage } from 'node:http';
import { BASE } from '../../config/price-paths.js';
import { ImportReport } from '../../import/pipeline/import-report.dto.js';
import { ChangeReason } from '../../ledger/changes/change-reason.js';
import {
  ApiAcceptedResponse,
  ApiOkResponse,
  ApiOperation,
  ApiProblems,
  ApiTags,
  LOCATION_HEADER,
} from '../../platform/http/api-docs.js';
import { type Caller, CurrentCaller } from '../../platform/http/caller.js';
import { Reply, RowStream } from '../../platform/http/reply.js';
import { infoOf } from '../../platform/http/request.js';
import { NoBody, OwnMediaType, Protected } from '../../platform/http/routes.js';
import { absoluteUrl } from '../../platform/listing/links.js';
import { schemaOf } from '../../platform/validation/field.js';
import { parseId } from '../../platform/validation/parsers.js';
import { HarvestRunRecord } from '../runs/harvest-run.dto.js';
import { HarvestScheduler } from '../runs/harvest-scheduler.js';
import { HeldRuns } from './held-runs.js';

const FILE_TYPE = 'application/octet-stream';

/** The runs whose file looks wrong: what is kept of them, and what is decided. */
@ApiTags('Harvests')
@Controller(`${BASE}/Harvest/:id/run/:run`)
@Protected()
export class HeldRunsController {
  constructor(
    private readonly held: HeldRuns,
    private readonly scheduler: HarvestScheduler,
  ) {}

  @Get('report')
  @ApiOperation({ summary: 'Read the report of the dry run of a run that is held' })
  @ApiOkResponse({ description: 'The report', schema: schemaOf(ImportReport) })
  async report(@Param('id') id: string, @Param('run') run: string): Promise<Reply> {
    return Reply.json(await this.held.report(id, parseId(run)));
  }

  @Get('file')
  @OwnMediaType()
  @ApiOperation({ summary: 'Read the file of a run that is held' })
  @ApiOkResponse({ description: 'The file', content: { [FILE_TYPE]: { schema: {} } } })
  async file(@Param('id') id: string, @Param('run') run: string): Promise<RowStream> {
    return new RowStream(FILE_TYPE, await this.held.file(id, parseId(run)), {
      headers: { 'Content-Disposition': `attachment; filename="harvest-run-${parseId(run)}"` },
    });
  }

  @Post('import')
  @HttpCode(202)
  @NoBody()
  @ApiOperation({
    summary: 'Import the file of a run that is held',
    description: 'Ask at `Location` what became of it.',
  })
  @ApiAcceptedResponse({
    description: 'The run, which waits for its turn',
    schema: schemaOf(HarvestRunRecord),
    headers: LOCATION_HEADER,
  })
  @ApiProblems('not_held')
  async import(
    @Param('id') id: string,
    @Param('run') run: string,
    @ChangeReason() reason: string,
    @CurrentCaller() caller: Caller,
    @Req() request: IncomingMessage,
  ): Promise<Reply> {
    const info = infoOf(request);
    const decider = { caller, requestId: info.id, reason, deadline: info.commitDeadline };
    const approved = await this.held.import(id, parseId(run), decider);
    this.scheduler.wake();
    const path = `/${BASE}/Harvest/${encodeURIComponent(id)}/run/${approved.id}/`;
    return Reply.json(approved, { status: 202, headers: { Location: absoluteUrl(info, path) } });
  }

  @Post('dismiss')
  @HttpCode(200)
  @NoBody()
  @ApiOperation({
    summary: 'Dismiss a run that is held',
    description: 'Its file is not imported. `reason` is required.',
  })
  @ApiOkResponse({ description: 'The run', schema: schemaOf(HarvestRunRecord) })
  @ApiProblems('not_held')
  async dismiss(
    @Param('id') id: string,
    @Param('run') run: string,
    @ChangeReason() reason: string,
    @CurrentCaller() caller: Caller,
    @Req() request: IncomingMessage,
  ): Promise<HarvestRunRecord> {
    const { id: requestId, commitDeadline: deadline } = infoOf(request);
    return this.held.dismiss(id, parseId(run), { caller, requestId, reason, deadline });
  }
}
