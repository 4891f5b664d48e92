import { Controller, Delete, Param, Req } from '@nestjs/common';
import type { IncomingMessage } from 'node:http';
import { pricePaths } from '../config/price-paths.js';
import { ChangeReason } from '../ledger/changes/change-reason.js';
import { type Caller, CurrentCaller } from '../platform/http/caller.js';
import { infoOf } from '../platform/http/request.js';
import { Reply } from '../platform/http/reply.js';
import { ApiNoContentResponse, ApiOperation, ApiProblems, ApiTags } from '../platform/http/api-docs.js';
import { SeriesRemoval } from './series-removal.service.js';

/** Removes a series without points. */
@ApiTags('Price series')
@Controller(pricePaths('PriceSerie/:uuid'))
export class SeriesRemovalController {
  constructor(private readonly removal: SeriesRemoval) {}

  @Delete()
  @ApiOperation({ summary: 'Remove a series without points' })
  @ApiNoContentResponse({ description: 'Removed' })
  @ApiProblems('in_use')
  async remove(
    @Param('uuid') uuid: string,
    @Req() request: IncomingMessage,
    @CurrentCaller() caller: Caller,
    @ChangeReason() reason: string,
  ) {
    const { id: requestId, commitDeadline: deadline } = infoOf(request);
    await this.removal.remove(uuid, { caller, requestId, reason, deadline });
    return Reply.empty();
  }
}
