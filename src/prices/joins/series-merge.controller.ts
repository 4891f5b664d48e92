import { Controller, HttpCode, Param, Post, Req } from '@nestjs/common';
import type { IncomingMessage } from 'node:http';
import { PRICE_PREFIXES } from '../../config/price-paths.js';
import { OperationQuery, type OperationOptions } from '../../ledger/changes/change-reason.js';
import { type Caller, CurrentCaller } from '../../platform/http/caller.js';
import { infoOf } from '../../platform/http/request.js';
import { ApiBody, ApiOkResponse, ApiOperation, ApiProblems, ApiTags } from '../../platform/http/api-docs.js';
import { SeriesMergeBody, SeriesMergeDto } from './series-merge.dto.js';
import { SeriesMerging } from './series-merging.js';
import { OperationResult } from '../../ledger/changes/operation-result.js';
import { schemaOf } from '../../platform/validation/field.js';

/** Joins a series into another one. */
@ApiTags('Price series')
@Controller(PRICE_PREFIXES.map((prefix) => `${prefix}/PriceSerie/:uuid/merge`))
export class SeriesMergeController {
  constructor(private readonly merging: SeriesMerging) {}

  @Post()
  @HttpCode(200)
  @ApiOperation({
    summary: 'Join a series into another',
    description:
      'The series is no longer listed; the other one shows its points. Imports go on writing to both.',
  })
  @ApiBody({
    schema: schemaOf(SeriesMergeDto),
    example: { into: 'a1e0af13-9a46-539d-a879-ad4c8df0caf2', prefer: 'from', end_date: '2024-12-31' },
  })
  @ApiOkResponse({ description: 'What was changed', schema: schemaOf(OperationResult) })
  @ApiProblems('not_comparable', 'reference_missing')
  merge(
    @Param('uuid') uuid: string,
    @SeriesMergeBody() body: SeriesMergeDto,
    @Req() request: IncomingMessage,
    @CurrentCaller() caller: Caller,
    @OperationQuery() { reason, dryRun }: OperationOptions,
  ) {
    const { id: requestId, commitDeadline: deadline } = infoOf(request);
    const author = { caller, requestId, reason, deadline };
    return dryRun ? this.merging.tryOut(uuid, body) : this.merging.merge(uuid, body, author);
  }
}
