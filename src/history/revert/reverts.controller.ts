import { Controller, HttpCode, Param, Post, Req } from '@nestjs/common';
import type { IncomingMessage } from 'node:http';
import { BASE } from '../../config/price-paths.js';
import { OperationQuery, type OperationOptions } from '../../ledger/changes/change-reason.js';
import { type Caller, CurrentCaller } from '../../platform/http/caller.js';
import { infoOf } from '../../platform/http/request.js';
import { ApiOkResponse, ApiOperation, ApiProblems, ApiTags } from '../../platform/http/api-docs.js';
import { NoBody, NoDeadline } from '../../platform/http/routes.js';
import { parseId } from '../../platform/validation/parsers.js';
import { changeSetNotFound } from '../change-sets.js';
import { Reverts, RevertResult } from './reverts.js';
import { schemaOf } from '../../platform/validation/field.js';

/** Reverts change sets, for maintainers. */
@ApiTags('History')
@Controller(`${BASE}/ChangeSet/:id/revert`)
export class RevertsController {
  constructor(private readonly reverts: Reverts) {}

  @Post()
  @HttpCode(200)
  @NoBody()
  @NoDeadline()
  @ApiOperation({
    summary: 'Revert a change set',
    description:
      'Points, rates and indices get the values from before the change set, unless they have changed since.',
  })
  @ApiOkResponse({ description: 'What was reverted', schema: schemaOf(RevertResult) })
  @ApiProblems('not_revertible', 'import_running')
  async revert(
    @Param('id') text: string,
    @OperationQuery() { reason, dryRun }: OperationOptions,
    @CurrentCaller() caller: Caller,
    @Req() request: IncomingMessage,
  ): Promise<RevertResult> {
    const id = parseId(text);
    if (Number.isNaN(id)) throw changeSetNotFound();
    return this.reverts.revert(id, { reason, dryRun, caller, requestId: infoOf(request).id });
  }
}
