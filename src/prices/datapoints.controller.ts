import { Controller, Delete, Get, Param, Patch, Post, Req } from '@nestjs/common';
import type { IncomingMessage } from 'node:http';
import { accountKey, type Caller, CurrentCaller } from '../platform/http/caller.js';
import { preconditions } from '../platform/http/etag.js';
import { Reply } from '../platform/http/reply.js';
import { JSON_MEDIA_TYPE } from '../platform/formats/json.format.js';
import { PRICE_PREFIXES } from '../config/price-paths.js';
import { infoOf, RequestSignal } from '../platform/http/request.js';
import { RequestQuery, ValidBody } from '../platform/http/params.js';
import type { QueryValues } from '../platform/validation/query-schema.js';
import { CacheControl } from '../platform/http/routes.js';
import { ChangeReason } from '../ledger/changes/change-reason.js';
import { CachedBy } from '../ledger/revision/cached-by.js';
import {
  ApiBody,
  ApiCreatedResponse,
  ApiIdempotencyKey,
  ApiIfMatch,
  ApiNoContentResponse,
  ApiOkResponse,
  ApiOperation,
  ApiProblems,
  ApiTags,
  ETAG_HEADER,
  LOCATION_HEADER,
} from '../platform/http/api-docs.js';
import { absoluteUrl } from '../platform/listing/links.js';
import { dayFromIso } from '../lib/dates/calendar-date.js';
import { Idempotency, idempotencyKey } from '../idempotency/idempotency.js';
import { dateViolations, NewPointDto, periodOf } from './corrections/correction-batch.js';
import { pointId } from './store/point-id.js';
import { DatapointPatch, parsePointNumber, PricePatch } from './datapoint.dto.js';
import { datapointQuery, priceView } from './prices.parameters.js';
import { DatapointsService, type ChangeRequest, type ServedDatapoint } from './datapoints.service.js';
import { Datapoint } from './read/datapoint.js';
import { schemaOf } from '../platform/validation/field.js';

const datapoint = { description: 'The point', schema: schemaOf(Datapoint), headers: ETAG_HEADER };

/** Single prices of a series, for maintainers to correct. */
@ApiTags('Prices')
@Controller(PRICE_PREFIXES.map((prefix) => `${prefix}/PriceSeriePrice/:uuid/:id`))
export class DatapointsController {
  constructor(private readonly datapoints: DatapointsService) {}

  @Get()
  @CacheControl('minute')
  @CachedBy('series', 'references', 'rates')
  @ApiOperation({ summary: 'Read one price' })
  @ApiOkResponse(datapoint)
  async read(
    @Param('uuid') uuid: string,
    @Param('id') id: string,
    @RequestQuery(datapointQuery) query: QueryValues<typeof datapointQuery.parameters>,
    @RequestSignal() signal: AbortSignal,
  ) {
    const number = parsePointNumber(id);
    const view = priceView(query);
    return toReply(
      query.explain === true
        ? await this.datapoints.explain(uuid, number, view, signal)
        : await this.datapoints.read(uuid, number, view, signal),
    );
  }

  @Patch()
  @ApiOperation({ summary: 'Correct one stored price' })
  @ApiBody({ schema: schemaOf(PricePatch), example: { price_value: 12.5 } })
  @ApiOkResponse({ ...datapoint, description: 'The updated point' })
  @ApiProblems('calculated', 'joined')
  @ApiIfMatch()
  async update(
    @Param('uuid') uuid: string,
    @Param('id') id: string,
    @DatapointPatch() patch: PricePatch,
    @Req() request: IncomingMessage,
    @CurrentCaller() caller: Caller,
    @ChangeReason() reason: string,
  ) {
    const number = parsePointNumber(id);
    return toReply(await this.datapoints.update(uuid, number, patch, changeRequest(request, caller, reason)));
  }

  @Delete()
  @ApiOperation({ summary: 'Remove one stored price' })
  @ApiNoContentResponse({ description: 'Removed' })
  @ApiProblems('calculated', 'joined')
  @ApiIfMatch()
  async remove(
    @Param('uuid') uuid: string,
    @Param('id') id: string,
    @Req() request: IncomingMessage,
    @CurrentCaller() caller: Caller,
    @ChangeReason() reason: string,
  ) {
    await this.datapoints.remove(uuid, parsePointNumber(id), changeRequest(request, caller, reason));
    return Reply.empty();
  }
}

const toReply = ({ json, tag, revision }: ServedDatapoint & { revision?: number }) =>
  Reply.text(json, JSON_MEDIA_TYPE, { etag: tag, ...(revision === undefined ? {} : { revision }) });

function changeRequest(request: IncomingMessage, caller: Caller, reason: string): ChangeRequest {
  const { id, commitDeadline: deadline, signal } = infoOf(request);
  return { caller, requestId: id, conditions: preconditions(request), reason, deadline, signal };
}

/** The series that a maintainer can add a price to. */
@ApiTags('Prices')
@Controller(PRICE_PREFIXES.map((prefix) => `${prefix}/PriceSeriePrice/:uuid`))
export class NewDatapointController {
  constructor(
    private readonly datapoints: DatapointsService,
    private readonly idempotency: Idempotency,
  ) {}

  @Post()
  @ApiOperation({ summary: 'Add one price' })
  @ApiIdempotencyKey()
  @ApiBody({
    schema: schemaOf(NewPointDto),
    example: { date: '2026-11-01', periodicity: 'daily', price_value: 12.5 },
  })
  @ApiCreatedResponse({ ...datapoint, headers: { ...datapoint.headers, ...LOCATION_HEADER } })
  @ApiProblems('calculated', 'duplicate', 'joined')
  async add(
    @Param('uuid') uuid: string,
    @ValidBody(NewPointDto, { crossFieldRules: dateViolations }) body: NewPointDto,
    @Req() request: IncomingMessage,
    @CurrentCaller() caller: Caller,
    @ChangeReason() reason: string,
  ) {
    const { id: requestId, path, commitDeadline: deadline, signal } = infoOf(request);
    const context = await this.datapoints.seriesContext(uuid, signal);
    const point = {
      uuid,
      key: {
        serieId: context.serieId,
        period: periodOf(body.periodicity),
        day: dayFromIso(body.date)!,
      },
    };
    return this.idempotency.once(
      {
        key: idempotencyKey(request.headers),
        account: accountKey(caller),
        path,
        body,
        changeSet: { kind: 'correction', reason },
        deadline,
      },
      async (transaction) => {
        const added = await this.datapoints.add(transaction, point, body, context, { caller, requestId });
        const { serieId, period, day } = point.key;
        const address = `${path.replace(/\/?$/, '/')}${pointId(serieId, period, day)}/`;
        const headers = { Location: absoluteUrl(infoOf(request), address) };
        return Reply.text(String(added.json), JSON_MEDIA_TYPE, { etag: added.tag, status: 201, headers });
      },
    );
  }
}
