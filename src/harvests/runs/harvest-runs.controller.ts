import { Controller, Get, HttpCode, Param, Post, Req, UseInterceptors } from '@nestjs/common';
import type { IncomingMessage } from 'node:http';
import { BASE } from '../../config/price-paths.js';
import {
  ApiAcceptedResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
  envelopeOf,
  LOCATION_HEADER,
} from '../../platform/http/api-docs.js';
import { type ParsedQuery, RequestQuery, wholeQuery } from '../../platform/http/params.js';
import { Reply } from '../../platform/http/reply.js';
import { infoOf } from '../../platform/http/request.js';
import { ListFormats, NoBody, Protected } from '../../platform/http/routes.js';
import { absoluteUrl } from '../../platform/listing/links.js';
import { listQuery } from '../../platform/listing/list-parameters.js';
import { pageParameters, requestedList } from '../../platform/listing/page.js';
import { PaginationInterceptor } from '../../platform/listing/pagination.interceptor.js';
import { RecordListing } from '../../platform/listing/record-listing.js';
import { schemaOf } from '../../platform/validation/field.js';
import { parseId } from '../../platform/validation/parsers.js';
import { QuerySchema } from '../../platform/validation/query-schema.js';
import { HarvestRunRecord, runColumns } from './harvest-run.dto.js';
import { HarvestRuns } from './harvest-runs.js';
import { HarvestScheduler } from './harvest-scheduler.js';

const runQuery = listQuery(new QuerySchema(pageParameters), runColumns);

/** The runs of a harvest. */
@ApiTags('Harvests')
@Controller(`${BASE}/Harvest/:id/run`)
@Protected()
export class HarvestRunsController {
  constructor(
    private readonly runs: HarvestRuns,
    private readonly scheduler: HarvestScheduler,
  ) {}

  @Get()
  @UseInterceptors(PaginationInterceptor)
  @ListFormats()
  @ApiOperation({ summary: 'List the runs of a harvest' })
  @ApiOkResponse({
    description: 'A page of runs, newest first',
    schema: envelopeOf(schemaOf(HarvestRunRecord)),
  })
  async list(
    @Param('id') id: string,
    @RequestQuery(runQuery, wholeQuery) { values, format }: ParsedQuery<typeof runQuery.parameters>,
  ) {
    return RecordListing.pageOf(runColumns, await this.runs.list(id), requestedList(values, format));
  }

  @Get(':run')
  @ApiOperation({ summary: 'Read a run of a harvest' })
  @ApiOkResponse({ description: 'The run', schema: schemaOf(HarvestRunRecord) })
  read(@Param('id') id: string, @Param('run') run: string) {
    return this.runs.read(id, parseId(run));
  }

  @Post()
  @HttpCode(202)
  @NoBody()
  @ApiOperation({
    summary: 'Run a harvest now',
    description: 'Also one that is off. Ask at `Location` what became of it.',
  })
  @ApiAcceptedResponse({
    description: 'The run, which waits for its turn',
    schema: schemaOf(HarvestRunRecord),
    headers: LOCATION_HEADER,
  })
  async request(@Param('id') id: string, @Req() request: IncomingMessage): Promise<Reply> {
    const info = infoOf(request);
    const { run, harvestId } = await this.runs.request(id, info.commitDeadline);
    this.scheduler.wake();
    const path = `/${BASE}/Harvest/${harvestId}/run/${run.id}/`;
    return Reply.json(run, { status: 202, headers: { Location: absoluteUrl(info, path) } });
  }
}
