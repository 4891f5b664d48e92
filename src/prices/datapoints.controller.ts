import { Body, Controller, Delete, Get, Param, Patch, Req } from '@nestjs/common';
import type { IncomingMessage } from 'node:http';
import { CurrentCaller, type Caller } from '../common/access/caller.js';
import { preconditions } from '../common/caching/preconditions.js';
import { Reply, mediaTypes } from '../common/http/reply.js';
import { PRICE_PREFIXES } from '../common/http/prefixes.js';
import { contextOf } from '../common/http/request-context.js';
import { CachedBy, CacheControl } from '../common/http/route-decorators.js';
import { validateDatapointPatch } from './datapoint.dto.js';
import { DatapointsService, type ChangeRequest, type ServedDatapoint } from './datapoints.service.js';

/** Single prices of a series, for maintainers to correct. */
@Controller(PRICE_PREFIXES.map((prefix) => `${prefix}/PriceSeriePrice/:uuid/:id`))
export class DatapointsController {
  constructor(private readonly datapoints: DatapointsService) {}

  @Get()
  @CacheControl('series')
  @CachedBy('series+references+rates')
  async read(@Param('uuid') uuid: string, @Param('id') id: string, @Req() request: IncomingMessage) {
    return toReply(await this.datapoints.read(uuid, parseId(id), contextOf(request).signal));
  }

  @Patch()
  async update(
    @Param('uuid') uuid: string,
    @Param('id') id: string,
    @Body() body: unknown,
    @Req() request: IncomingMessage,
    @CurrentCaller() caller: Caller,
  ) {
    const pointId = parseId(id);
    const patch = validateDatapointPatch(body, pointId, contextOf(request).violations);
    return toReply(await this.datapoints.update(uuid, pointId, patch, changeRequest(request, caller)));
  }

  @Delete()
  async remove(
    @Param('uuid') uuid: string,
    @Param('id') id: string,
    @Req() request: IncomingMessage,
    @CurrentCaller() caller: Caller,
  ) {
    await this.datapoints.remove(uuid, parseId(id), changeRequest(request, caller));
    return Reply.empty();
  }
}

/** The id in a path; null for text that cannot be one. */
function parseId(text: string): number | null {
  const number = /^[1-9][0-9]{0,15}$/.test(text) ? Number(text) : NaN;
  return Number.isSafeInteger(number) ? number : null;
}

const toReply = ({ json, tag }: ServedDatapoint) => Reply.text(json, mediaTypes.json, { etag: tag });

function changeRequest(request: IncomingMessage, caller: Caller): ChangeRequest {
  const { id, signal } = contextOf(request);
  return { caller, requestId: id, conditions: preconditions(request), signal };
}
