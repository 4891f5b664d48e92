import { Controller, HttpCode, Inject, Param, Post, Req, type Type } from '@nestjs/common';
import type { IncomingMessage } from 'node:http';
import { pricePaths } from '../../config/price-paths.js';
import { OperationResult } from '../../ledger/changes/operation-result.js';
import { OperationQuery, type OperationOptions } from '../../ledger/changes/change-reason.js';
import { NotFound } from '../../platform/errors/api-error.js';
import { type Caller, CurrentCaller } from '../../platform/http/caller.js';
import { infoOf } from '../../platform/http/request.js';
import { ValidBody } from '../../platform/http/params.js';
import { ApiBody, ApiOkResponse, ApiOperation, ApiProblems, ApiTags } from '../../platform/http/api-docs.js';
import { Id } from '../../platform/validation/fields.js';
import { parseId } from '../../platform/validation/parsers.js';
import { mergedTables } from './merged-tables.js';
import { type MergedTable, RecordMerging } from './record-merging.js';
import { ApiSchema, schemaOf } from '../../platform/validation/field.js';

/** Which record takes the place of the one in the address. */
@ApiSchema({ name: 'RecordMerge', limits: true })
export class RecordMergeDto {
  @Id({ example: 2 }) into!: number;
}

/** The route that merges records of a table that series refer to. */
function RecordMergeController(table: MergedTable): Type {
  const { name } = table;

  @ApiTags('Reference tables')
  @Controller(pricePaths(`${name}/:id/merge`))
  class MergeController {
    @Inject(RecordMerging) private readonly merging!: RecordMerging;

    @Post()
    @HttpCode(200)
    @ApiOperation({
      summary: `Merge a ${name} record into another`,
      description:
        'What refers to the record refers to the other one, its key becomes an alias, and it is gone.',
    })
    @ApiBody({ schema: schemaOf(RecordMergeDto), example: { into: 2 } })
    @ApiOkResponse({ description: 'What was changed', schema: schemaOf(OperationResult) })
    @ApiProblems('reference_missing', 'not_comparable', 'built_in')
    merge(
      @Param('id') text: string,
      @ValidBody(RecordMergeDto) { into }: RecordMergeDto,
      @Req() request: IncomingMessage,
      @CurrentCaller() caller: Caller,
      @OperationQuery() { reason, dryRun }: OperationOptions,
    ): Promise<OperationResult> {
      const id = parseId(text);
      if (Number.isNaN(id)) throw new NotFound('There is no such record.');
      const { id: requestId, commitDeadline: deadline } = infoOf(request);
      return dryRun
        ? this.merging.tryOut(table, id, into)
        : this.merging.merge(table, id, into, { caller, requestId, reason, deadline });
    }
  }
  return MergeController;
}

export const recordMergeControllers = mergedTables.map(RecordMergeController);
