import { Controller, Get, Param, Patch, Req, UseInterceptors } from '@nestjs/common';
import type { IncomingMessage } from 'node:http';
import { BASE } from '../../config/price-paths.js';
import { preconditions } from '../../platform/http/etag.js';
import { type Caller, CurrentCaller } from '../../platform/http/caller.js';
import { infoOf } from '../../platform/http/request.js';
import { type ParsedQuery, RequestQuery, ValidBody, wholeQuery } from '../../platform/http/params.js';
import { Reply } from '../../platform/http/reply.js';
import { ListFormats, Roles } from '../../platform/http/routes.js';
import {
  ApiBody,
  ApiIfMatch,
  ApiOkResponse,
  ApiOperation,
  ApiProblems,
  ApiTags,
  envelopeOf,
  ETAG_HEADER,
} from '../../platform/http/api-docs.js';
import { listQuery } from '../../platform/listing/list-parameters.js';
import { pageParameters, requestedList } from '../../platform/listing/page.js';
import { PaginationInterceptor } from '../../platform/listing/pagination.interceptor.js';
import { RecordListing } from '../../platform/listing/record-listing.js';
import { parseId } from '../../platform/validation/parsers.js';
import { QuerySchema } from '../../platform/validation/query-schema.js';
import { AccountPatchDto } from './account.dto.js';
import { accountColumns, AccountRecord, AccountRecords, accountTag } from './account-records.js';
import { schemaOf } from '../../platform/validation/field.js';

const accountQuery = listQuery(new QuerySchema(pageParameters), accountColumns);

const reply = (account: AccountRecord) => Reply.json(account, { etag: accountTag(account) });

const account = { description: 'The account', schema: schemaOf(AccountRecord), headers: ETAG_HEADER };

/** The accounts, for admins. */
@ApiTags('Accounts')
@Controller(`${BASE}/Account`)
@Roles('admin')
export class AccountsController {
  constructor(private readonly accounts: AccountRecords) {}

  @Get()
  @UseInterceptors(PaginationInterceptor)
  @ListFormats()
  @ApiOperation({ summary: 'List accounts' })
  @ApiOkResponse({ description: 'A page of accounts, by id', schema: envelopeOf(schemaOf(AccountRecord)) })
  async list(
    @RequestQuery(accountQuery, wholeQuery)
    { values, format }: ParsedQuery<typeof accountQuery.parameters>,
  ) {
    return RecordListing.pageOf(accountColumns, await this.accounts.list(), requestedList(values, format));
  }

  @Get(':id')
  @ApiOperation({ summary: 'Read an account' })
  @ApiOkResponse(account)
  async read(@Param('id') id: string) {
    return reply(await this.accounts.read(parseId(id)));
  }

  @Patch(':id')
  @ApiOperation({
    summary: 'Change the role of an account, or enable or disable it',
    description: 'A disabled account loses its sessions and tokens at once.',
  })
  @ApiBody({ schema: schemaOf(AccountPatchDto), example: { enabled: false } })
  @ApiOkResponse(account)
  @ApiProblems('last_admin')
  @ApiIfMatch()
  async update(
    @Param('id') id: string,
    @ValidBody(AccountPatchDto) changes: AccountPatchDto,
    @Req() request: IncomingMessage,
    @CurrentCaller() caller: Caller,
  ) {
    const { id: requestId, commitDeadline: deadline } = infoOf(request);
    const editor = { caller, requestId, deadline };
    return reply(await this.accounts.update(parseId(id), changes, preconditions(request), editor));
  }
}
