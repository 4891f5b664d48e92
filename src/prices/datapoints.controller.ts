import { Controller, Delete, Get, Param, Patch, Req } from '@nestjs/common';
import type { IncomingMessage } from 'node:http';
import { CurrentCaller, type Caller } from '../platform/http/request/caller.js';
import { preconditions } from '../platform/http/cache/preconditions.js';
import { Reply } from '../platform/http/response/reply.js';
import { JSON_MEDIA_TYPE } from '../platform/formats/json.format.js';
import { PRICE_PREFIXES } from '../config/price-paths.js';
import { contextOf } from '../platform/http/request/request-context.js';
import { CacheControl } from '../platform/http/routes/route-decorators.js';
import { CachedBy } from '../database/revision/cached-by.js';
import { DatapointPatch, type DatapointDto, parsePointNumber } from './datapoint.dto.js';
import { DatapointsService, type ChangeRequest, type ServedDatapoint } from './datapoints.service.js';

/** Single prices of a series, for maintainers to correct. */
@Controller(PRICE_PREFIXES.map((prefix) => `${prefix}/PriceSeriePrice/:uuid/:id`))
export class DatapointsController {
  constructor(private readonly datapoints: DatapointsService) {}

  @Get()
  @CacheControl('minute')
  @CachedBy('series', 'references', 'rates')
  async read(@Param('uuid') uuid: string, @Param('id') id: string, @Req() request: IncomingMessage) {
    return toReply(await this.datapoints.read(uuid, parsePointNumber(id), contextOf(request).signal));
  }

  @Patch()
  async update(
    @Param('uuid') uuid: string,
    @Param('id') id: string,
    @DatapointPatch() patch: DatapointDto,
    @Req() request: IncomingMessage,
    @CurrentCaller() caller: Caller,
  ) {
    const number = parsePointNumber(id);
    return toReply(await this.datapoints.update(uuid, number, patch, changeRequest(request, caller)));
  }

  @Delete()
  async remove(
    @Param('uuid') uuid: string,
    @Param('id') id: string,
    @Req() request: IncomingMessage,
    @CurrentCaller() caller: Caller,
  ) {
    await this.datapoints.remove(uuid, parsePointNumber(id), changeRequest(request, caller));
    return Reply.empty();
  }
}

const toReply = ({ json, tag }: ServedDatapoint) => Reply.text(json, JSON_MEDIA_TYPE, { etag: tag });

function changeRequest(request: IncomingMessage, caller: Caller): ChangeRequest {
  const { id, signal } = contextOf(request);
  return { caller, requestId: id, conditions: preconditions(request), signal };
}
