import { Controller, Get, Headers, Inject, Req } from '@nestjs/common';
import type { Request } from 'express';
import { batchesOf } from '../../lib/collections/batches.js';
import { BASE } from '../../config/price-paths.js';
import { ApiError, NotAcceptable, ValidationError } from '../../platform/errors/api-error.js';
import { JSON_MEDIA_TYPE } from '../../platform/formats/json.format.js';
import { negotiate } from '../../platform/http/accept.js';
import { HTTP_LIMITS, type HttpLimits } from '../../platform/http/options.js';
import { infoOf, type RequestInfo } from '../../platform/http/request.js';
import { RequestQuery } from '../../platform/http/params.js';
import { Reply, RowStream } from '../../platform/http/reply.js';
import {
  ApiHeader,
  ApiOkResponse,
  ApiOperation,
  ApiProblems,
  ApiTags,
} from '../../platform/http/api-docs.js';
import { OwnMediaType } from '../../platform/http/routes.js';
import { absoluteUrl } from '../../platform/listing/links.js';
import { choice, flag, integer, one } from '../../platform/validation/parsers.js';
import { QuerySchema, type QueryValues } from '../../platform/validation/query-schema.js';
import { Criteria } from '../../price-series/filters/criteria.js';
import { askedSeriesFilters, priceSeriesRanges } from '../../price-series/filters/price-series.filters.js';
import { asksForEvents, EVENT_STREAM, writeEvents } from './event-stream.js';
import { feedToken, positionOf, tokenOf, type FeedPosition } from './feed-position.js';
import { FeedReader, UnknownPosition, type FeedPage, type FeedRequest } from './feed-reader.js';
import { FeedWaiter } from './feed-waiter.js';
import { ChangePage } from './feed-item.js';
import { schemaOf } from '../../platform/validation/field.js';

const DEFAULT_LIMIT = 1000;
const MAX_LIMIT = 10_000;
/** Seconds. */
const MAX_WAIT = 60;
/** Milliseconds after which a stream of events says that it is still there. */
const HEARTBEAT = 15_000;
/** Items that are serialised at once. */
const ITEMS_PER_CHUNK = 50;

const parameters = {
  ...askedSeriesFilters,
  since: one(
    feedToken,
    'Only what has happened after this token, which is `next` of an earlier reply; `now` for a token alone.',
  ),
  limit: one(integer(1, MAX_LIMIT), `Most items of an answer; ${DEFAULT_LIMIT} by default.`),
  wait: one(integer(0, MAX_WAIT), 'Seconds to wait for an item where there is none yet.'),
  points: one(flag, 'Also the points that have changed, the entries of created series, and records.'),
  format: one(choice(['json']), 'The format of the reply.'),
};
type Values = QueryValues<typeof parameters>;

/** What has changed, for programs that keep a copy. */
@ApiTags('History')
@Controller(`${BASE}/Changes`)
export class ChangesController {
  constructor(
    private readonly reader: FeedReader,
    private readonly waiter: FeedWaiter,
    @Inject(HTTP_LIMITS) private readonly limits: HttpLimits,
  ) {}

  @Get()
  @OwnMediaType()
  @ApiOperation({
    summary: 'List what has changed, oldest first',
    description: 'Also as server-sent events: `Accept: text/event-stream`.',
  })
  @ApiHeader({ name: 'Last-Event-ID', description: 'In place of `since`, for server-sent events.' })
  @ApiOkResponse({
    description: 'Changes of series and records, and the token to go on from',
    content: {
      'application/json': { schema: schemaOf(ChangePage) },
      [EVENT_STREAM]: { schema: { type: 'string' } },
    },
  })
  @ApiProblems('token_unknown')
  async read(
    @RequestQuery(new QuerySchema(parameters, { ranges: priceSeriesRanges })) values: Values,
    @Req() message: Request,
    @Headers('last-event-id') lastEventId?: string,
  ): Promise<Reply | RowStream | undefined> {
    const info = infoOf(message);
    const events = asksForEvents(message.headers.accept);
    if (!events && negotiate(message.headers.accept, ['json']) === null)
      throw new NotAcceptable(['application/json', EVENT_STREAM]);
    const since = events && lastEventId ? eventPosition(lastEventId) : values.since;
    const request = {
      limit: values.limit ?? DEFAULT_LIMIT,
      points: values.points ?? false,
      criteria: Criteria.of(askedSeriesFilters, values),
    };
    try {
      if (events) return await this.stream(info, request, since);
      if (since === 'now') return pageReply({ items: [], next: await this.reader.now(), more: false });
      return pageReply(await this.page(info, { ...request, since: since ?? null }, values.wait ?? 0));
    } catch (error) {
      if (error instanceof UnknownPosition) throw tokenUnknown(info);
      throw error;
    }
  }

  private async page(info: RequestInfo, request: FeedRequest, wait: number): Promise<FeedPage> {
    const page = await this.reader.read(request, info.permit.expectItems);
    const until = performance.now() + wait * 1000;
    if (page.items.length > 0 || page.more || wait === 0 || info.request.method === 'HEAD') return page;
    info.permit.wait();
    return this.waiter.next(request, page, until, info.signal);
  }

  private async stream(
    info: RequestInfo,
    settings: Omit<FeedRequest, 'since'>,
    since: FeedPosition | 'now' | undefined,
  ): Promise<undefined> {
    const request = { ...settings, since: since === 'now' ? await this.reader.now() : (since ?? null) };
    const first = await this.reader.read(request, info.permit.expectItems);
    if (info.request.method !== 'HEAD') info.permit.wait();
    const next = async (page: FeedPage) => {
      if (this.waiter.stopped || info.isAborted) return null;
      return this.waiter.next(request, page, performance.now() + HEARTBEAT, info.signal);
    };
    await writeEvents(info, first, next, this.limits.stallMs);
  }
}

/** @throws ValidationError */
function eventPosition(text: string): FeedPosition {
  const position = positionOf(text);
  if (position !== null) return position;
  const detail = 'Last-Event-ID must be the id of an event of this stream.';
  throw new ValidationError([{ in: 'header', name: 'Last-Event-ID', code: 'invalid_format', detail }]);
}

/** 410: the token is of another history than that of the database. */
const tokenUnknown = (info: RequestInfo) =>
  new ApiError(
    'token_unknown',
    'The token is of data from before a backup was restored. Start again from the address in start.',
    { extra: { start: absoluteUrl(info, `/${BASE}/Changes/`) } },
  );

function pageReply({ items, next, more }: Pick<FeedPage, 'items' | 'next' | 'more'>): Reply | RowStream {
  const rest = `],"next":${JSON.stringify(tokenOf(next))},"more":${more}}`;
  if (items.length === 0) return Reply.text(`{"results":[${rest}`, JSON_MEDIA_TYPE);
  // What was read has been expected; only serialising it is left.
  return new RowStream(JSON_MEDIA_TYPE, chunksOf(items, rest), {}, 0);
}

function* chunksOf(items: FeedPage['items'], rest: string): Generator<string> {
  let before = '{"results":[';
  for (const batch of batchesOf(items, ITEMS_PER_CHUNK)) {
    yield before + batch.map((entry) => entry.json()).join(',');
    before = ',';
  }
  yield rest;
}
