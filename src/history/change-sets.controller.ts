import { Controller, Get, Param, UseInterceptors } from '@nestjs/common';
import { BASE } from '../config/price-paths.js';
import { type ParsedQuery, RequestQuery, wholeQuery } from '../platform/http/params.js';
import { ApiOkResponse, ApiOperation, ApiTags, envelopeOf } from '../platform/http/api-docs.js';
import { ListFormats } from '../platform/http/routes.js';
import { requestedList } from '../platform/listing/page.js';
import { PaginationInterceptor } from '../platform/listing/pagination.interceptor.js';
import { parseId } from '../platform/validation/parsers.js';
import { changeSetListQuery, changeSetNotFound, ChangeSetRecord, ChangeSets } from './change-sets.js';
import { schemaOf } from '../platform/validation/field.js';

/** What has changed the data: imports, corrections, writes of records. Public and read-only. */
@ApiTags('History')
@Controller(`${BASE}/ChangeSet`)
@UseInterceptors(PaginationInterceptor)
export class ChangeSetsController {
  constructor(private readonly changeSets: ChangeSets) {}

  @Get()
  @ListFormats()
  @ApiOperation({ summary: 'List change sets' })
  @ApiOkResponse({
    description: 'A page of change sets, newest first',
    schema: envelopeOf(schemaOf(ChangeSetRecord)),
  })
  list(
    @RequestQuery(changeSetListQuery, wholeQuery)
    { values, format }: ParsedQuery<typeof changeSetListQuery.parameters>,
  ) {
    return this.changeSets.list(values, requestedList(values, format));
  }

  @Get(':id')
  @ApiOperation({ summary: 'Read a change set' })
  @ApiOkResponse({ description: 'The change set', schema: schemaOf(ChangeSetRecord) })
  async read(@Param('id') text: string) {
    const id = parseId(text);
    if (Number.isNaN(id)) throw changeSetNotFound();
    return this.changeSets.read(id);
  }
}
