import { Body, Controller, Delete, Get, Param, Patch, Req } from '@nestjs/common';
import type { IncomingMessage } from 'node:http';
import { CurrentCaller, type Caller } from '../common/access/caller.js';
import { preconditions } from '../common/caching/preconditions.js';
import { Reply, mediaTypes } from '../common/http/reply.js';
import { PRICE_PREFIXES } from '../common/http/prefixes.js';
import { contextOf } from '../common/http/request-context.js';
import { CachedBy, CacheControl } from '../common/http/route-decorators.js';
import { checkDatapointPatch } from './datapoint.dto.js';
import { DatapointsService, type ChangeRequest, type ServedDatapoint } from './datapoints.service.js';

/** Single prices of a series, for maintainers to correct. */
@Controller(PRICE_PREFIXES.map((prefix) => `${prefix}/PriceSeriePrice/:uuid/:id`))
export class DatapointsController {
  constructor(private readonly datapoints: DatapointsService) {}

  @Get()
  @CacheControl('series')
  @CachedBy('series+references+rates')
  async read(@Param('uuid') uuid: string, @Param('id') id: string, @Req() request: IncomingMessage) {
    return answer(await this.datapoints.read(uuid, pointNumber(id), contextOf(request).signal));
  }

  @Patch()
  async update(
    @Param('uuid') uuid: string,
    @Param('id') id: string,
    @Body() body: unknown,
    @Req() request: IncomingMessage,
    @CurrentCaller() caller: Caller,
  ) {
    const number = pointNumber(id);
    const patch = checkDatapointPatch(body, number, contextOf(request).violations);
    return answer(await this.datapoints.update(uuid, number, patch, changeRequest(request, caller)));
  }

  @Delete()
  async remove(
    @Param('uuid') uuid: string,
    @Param('id') id: string,
    @Req() request: IncomingMessage,
    @CurrentCaller() caller: Caller,
  ) {
    await this.datapoints.remove(uuid, pointNumber(id), changeRequest(request, caller));
    return Reply.empty();
  }
}

/** The number in an address; null for what cannot be an id. */
function pointNumber(text: string): number | null {
  const number = /^[1-9][0-9]{0,15}$/.test(text) ? Number(text) : NaN;
  return Number.isSafeInteger(number) ? number : null;
}

const answer = ({ json, tag }: ServedDatapoint) => Reply.text(json, mediaTypes.json, { etag: tag });

function changeRequest(request: IncomingMessage, caller: Caller): ChangeRequest {
  const { id, signal: gone } = contextOf(request);
  return { caller, requestId: id, conditions: preconditions(request), gone };
}
