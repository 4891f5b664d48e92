import {
  Controller,
  Delete,
  Get,
  Global,
  Header,
  HttpCode,
  Injectable,
  Module,
  Param,
  Patch,
  Post,
  Put,
  Req,
  UseInterceptors,
} from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { Test } from '@nestjs/testing';
import type { INestApplication } from '@nestjs/common';
import type { IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Writable } from 'node:stream';
import { PageCache, REVISION_SOURCE, type RevisionSource } from '../../src/platform/http/cache.js';
import { checkPreconditions, preconditions } from '../../src/platform/http/etag.js';
import { ApiError, NotAuthenticated, NotFound, Forbidden } from '../../src/platform/errors/api-error.js';
import {
  choice,
  dateOrRelative,
  flag,
  hsCode,
  iso3,
  many,
  date,
  one,
  recordId,
  text,
  uuid,
} from '../../src/platform/validation/parsers.js';
import { QuerySchema } from '../../src/platform/validation/query-schema.js';
import { Reply, RowStream } from '../../src/platform/http/reply.js';
import { JSON_MEDIA_TYPE } from '../../src/platform/formats/json.format.js';
import { wholeBody } from '../../src/platform/http/read-body.js';
import { HttpModule } from '../../src/platform/http/http.module.js';
import {
  HTTP_LIMITS,
  HTTP_OPTIONS,
  type HttpLimits,
  httpLimits,
  type HttpOptions,
} from '../../src/platform/http/options.js';
import { ReplyWriter } from '../../src/platform/http/reply-writer.js';
import { ConcurrencyLimits } from '../../src/platform/http/overload/limits.js';
import { infoOf } from '../../src/platform/http/request.js';
import { type ParsedQuery, RequestQuery, ValidBody, wholeQuery } from '../../src/platform/http/params.js';
import {
  AlwaysServed,
  CacheAreas,
  CacheControl,
  ListFormats,
  OwnMediaType,
  RawBody,
} from '../../src/platform/http/routes.js';
import { ServiceExpressAdapter } from '../../src/platform/http/express.adapter.js';
import { THROTTLE, type Throttle } from '../../src/platform/http/overload/throttle.js';
import { LineSink } from '../../src/platform/logging/line-sink.js';
import { ServiceLog } from '../../src/platform/logging/service-log.js';
import { Page, pageBounds, pageParameters, pageRequest } from '../../src/platform/listing/page.js';
import { PaginationInterceptor } from '../../src/platform/listing/pagination.interceptor.js';
import { RecordListing } from '../../src/platform/listing/record-listing.js';
import { Optional, OrNull } from '../../src/platform/validation/field.js';
import { CalendarDate, Decimal, Id, Text } from '../../src/platform/validation/fields.js';
import { Environment, type Variables } from '../../src/config/environment.js';
import { applicationOptions, configureApp } from '../../src/configure-app.js';
import { type HttpRequestOptions, type RawResponse, sendRequest } from '../support/http.js';

const CSV_MEDIA_TYPE = 'text/csv; charset=utf-8';

/*
 * A small application on the real HTTP layer, without a database: a list, records, bodies, streams
 * and routes for special cases. The service's own code parses parameters and checks requests.
 */

/** The data of the sample application, and what its handlers record. Tests change it freely. */
@Injectable()
export class SampleStore {
  items = Array.from({ length: 250 }, (_, index) => ({ id: index + 1, name: `item ${index + 1}` }));
  /** The data revision; null when it cannot be determined. */
  revision: string | null = '1';
  /** Calls of handlers: a hit of the page cache does not add one. */
  calls = 0;
  /** Streams that were stopped, or failed, before their end. */
  stopped = 0;
  /** Awaited by `GET slow`, and by a stream before it fails. */
  gate: Promise<void> = Promise.resolve();
}

export const listSchema = new QuerySchema(
  {
    iso3_country_codes: many(iso3, 'Countries.'),
    price_types_ids: many(recordId, 'Price types.'),
    periodicity: many(choice(['daily', 'weekly', 'monthly']), 'Periods.'),
    start_date: one(date, 'From.'),
    end_date: one(date, 'To.'),
    newerThan: one(dateOrRelative, 'Last price on or after.'),
    olderThan: one(dateOrRelative, 'Last price on or before.'),
    commodity__hs_class_code: many(hsCode, 'HS codes.'),
    admin_units: many(text(), 'Administrative units.'),
    market_types: many(text(), 'Market types.'),
    regional_average: one(flag, 'Averages.'),
    uuids: many(uuid, 'Series.'),
    ...pageParameters,
  },
  {
    ranges: [
      ['start_date', 'end_date'],
      ['newerThan', 'olderThan'],
    ],
  },
);

class ThingDto {
  @Optional(Id()) thing_id?: number;
  @Text(20) thing_name!: string;
  @Optional(OrNull(Decimal({ above: 0 }))) thing_rate?: number | null;
  @Optional(CalendarDate()) thing_date?: string;
}

/** @throws NotAuthenticated, Forbidden */
function authorise(request: IncomingMessage): void {
  if (request.headers.authorization === undefined) throw new NotAuthenticated();
  if (request.headers.authorization !== 'Bearer maintainer') throw new Forbidden();
}

/** A simple version of the service's write guard: one token may write. */
class TokenGuard {
  canActivate(context: { switchToHttp(): { getRequest(): IncomingMessage } }): boolean {
    const request = context.switchToHttp().getRequest();
    if (request.method !== 'GET' && request.method !== 'HEAD') authorise(request);
    return true;
  }
}

@Controller({ path: ['api/v1', 'other/prefix'] })
@CacheControl('minute')
class ListController {
  constructor(private readonly store: SampleStore) {}

  @Get('List')
  @UseInterceptors(PaginationInterceptor)
  @ListFormats()
  @CacheAreas('series')
  list(
    @RequestQuery(listSchema, wholeQuery)
    { values, format }: ParsedQuery<typeof pageParameters>,
  ): unknown {
    this.store.calls++;
    const { items } = this.store;
    const request = format.name === 'csv' ? null : pageRequest(values);
    if (request === null) return RecordListing.of(listColumns, items, 'all');
    const { offset, limit } = pageBounds(request, items.length);
    const page = new Page(items.length, items.slice(offset, offset + limit), request.page, request.pageSize);
    return RecordListing.of(listColumns, page.items, page);
  }

  @Get('Echo')
  echo(@RequestQuery(listSchema) query: object): object {
    this.store.calls++;
    return query;
  }

  @Get('Lenient')
  lenient(@RequestQuery(listSchema, undefined, { ignoreUnknown: true }) query: object): object {
    return query;
  }
}

const listColumns = [
  { name: 'id', type: 'integer' },
  { name: 'name', type: 'string' },
] as const;

@Controller('api/v1/Thing')
@CacheControl('revalidate')
class ThingController {
  constructor(private readonly store: SampleStore) {}

  @Get()
  @CacheAreas('references')
  all(): unknown {
    this.store.calls++;
    return this.store.items.slice(0, 3);
  }

  @Get(':id')
  read(@Param('id') id: string): Reply {
    const item = this.store.items.find((one) => String(one.id) === id);
    if (item === undefined) throw new NotFound();
    return Reply.json(item, { etag: `thing-${id}-1` });
  }

  @Post()
  create(@ValidBody(ThingDto) thing: ThingDto, @Req() request: object): Reply {
    const { origin } = infoOf(request);
    return Reply.json(
      { id: 7, ...thing },
      { status: 201, headers: { Location: `${origin}/api/v1/Thing/7/` } },
    );
  }

  @Put(':id')
  replace(
    @ValidBody(ThingDto) thing: ThingDto,
    @Req() request: IncomingMessage,
    @Param('id') id: string,
  ): Reply {
    checkPreconditions(preconditions(request), () => `thing-${id}-1`, false);
    return Reply.json({ id: Number(id), ...thing }, { etag: `thing-${id}-2` });
  }

  @Patch(':id')
  change(@ValidBody(ThingDto, { partial: true }) changes: ThingDto): object {
    return changes;
  }

  @Delete(':id')
  @HttpCode(204)
  remove(): void {}
}

@Controller('api/v1')
class SpecialCaseController {
  constructor(private readonly store: SampleStore) {}

  @Get('slow')
  async slow(): Promise<object> {
    await this.store.gate;
    return { slow: true };
  }

  @Get('failure')
  failure(): never {
    throw new Error('SELECT secret FROM account');
  }

  @Get('bad-header')
  badHeader(): Reply {
    return Reply.json({}, { headers: { Location: 'a\nb' } });
  }

  @Get('spelt-otherwise')
  @CacheAreas('series')
  speltOtherwise(): Reply {
    const headers = { 'content-type': 'text/css', 'cache-control': 'public, no-cache', vary: '*' };
    return Reply.json({}, { headers: { ...headers, connection: 'close' } });
  }

  @Get('moved-otherwise')
  movedOtherwise(): Reply {
    return Reply.json({}, { status: 303, headers: { location: '/api/v1/Thing/7' } });
  }

  @Get('stream-otherwise')
  @CacheAreas('series')
  streamOtherwise(): RowStream {
    this.store.calls++;
    return new RowStream(JSON_MEDIA_TYPE, this.chunks(64), { headers: { connection: 'close' } });
  }

  @Get('wrong-otherwise')
  wrongOtherwise(): never {
    throw new ApiError('unavailable', 'Not now.', { headers: { 'cache-control': 'no-cache' } });
  }

  @Get('header')
  @Header('X-Decorated', 'yes')
  header(): object {
    return {};
  }

  @Get('files/*file')
  file(@Param('file') file: string[]): object {
    return { file };
  }

  @Get('big')
  @CacheControl('minute')
  @CacheAreas('series')
  big(): RowStream {
    this.store.calls++;
    return new RowStream(JSON_MEDIA_TYPE, this.chunks(64));
  }

  @Get('endless')
  endless(): RowStream {
    return new RowStream(CSV_MEDIA_TYPE, this.chunks(Infinity));
  }

  @Get('fails/:after')
  fails(@Param('after') after: string): RowStream {
    return new RowStream(CSV_MEDIA_TYPE, this.chunks(Infinity, Number(after)));
  }

  @Get('stalls')
  stalls(): RowStream {
    return new RowStream(CSV_MEDIA_TYPE, stalling());
  }

  @Get('page.html')
  @OwnMediaType()
  html(): Reply {
    const headers = { 'Content-Security-Policy': "default-src 'self'" };
    return Reply.text('<!doctype html>', 'text/html; charset=utf-8', { headers });
  }

  @Post('Upload')
  @HttpCode(200)
  @RawBody({ types: ['text/csv', 'application/gzip'], encodings: ['gzip'] })
  async upload(@Req() request: IncomingMessage): Promise<object> {
    const body = await wholeBody(infoOf(request), { limit: 300 * 1024, stallMs: 500 });
    return { bytes: body.length };
  }

  /** Chunks of 8191 bytes, and one that ends the array; throws after `failAfter` of them. */
  private async *chunks(count: number, failAfter = Infinity): AsyncGenerator<string> {
    let finished = false;
    try {
      for (let index = 0; index < count; index++) {
        if (index >= failAfter) {
          await this.store.gate;
          throw new Error('The source failed.');
        }
        yield `${index === 0 ? '[' : ','}"${String(index).padStart(8, '0')}${'x'.repeat(8180)}"`;
      }
      yield ']';
      finished = true;
    } finally {
      if (!finished) this.store.stopped++;
    }
  }
}

async function* stalling(): AsyncGenerator<string> {
  yield 'x'.repeat(32 * 1024);
  await new Promise(() => undefined);
}

@Controller('health')
@AlwaysServed()
class HealthController {
  @Get('live')
  live(): object {
    return { status: 'ok' };
  }
}

export interface SampleApp {
  app: INestApplication;
  /** Count the requests in progress. */
  limits: ConcurrencyLimits;
  cache: PageCache;
  /** Closes connections after their response from now on. */
  drain: () => void;
  store: SampleStore;
  /** `http://127.0.0.1:port` */
  url: string;
  port: number;
  /** Lines of the log so far, parsed. */
  logLines: () => Record<string, unknown>[];
  logText: () => string;
  clock: { now: number };
}

export interface SampleAppOptions {
  variables?: Variables;
  limits?: Partial<HttpLimits>;
  throttle?: Throttle;
  /** Called before `configureApp`. */
  extend?: (adapter: ServiceExpressAdapter) => void;
}

/** Starts the sample application on a free port of 127.0.0.1. */
export async function startSampleApp(options: SampleAppOptions = {}): Promise<SampleApp> {
  const clock = { now: Date.UTC(2024, 2, 31, 12) };
  const store = new SampleStore();
  const revision: RevisionSource = {
    areas: ['references', 'series', 'rates'],
    current: () => store.revision,
    newest: () => (store.revision === null ? null : '1'),
  };

  let logged = '';
  const target = new Writable({
    write(chunk: Buffer, _, done) {
      logged += chunk.toString();
      done();
    },
  });
  const log = new ServiceLog('info', new LineSink(target));
  const limits = { ...httpLimits, ...options.limits };
  const environment = new Environment({ LOG_LEVEL: 'info', ...options.variables });
  const httpOptions: HttpOptions = {
    publicUrl: environment.publicUrl,
    trustProxy: environment.trustProxy,
    connectionsPerAddress: environment.maxConnectionsPerAddress,
    corsOrigins: environment.corsOrigins,
    maxPageSize: environment.maxPageSize,
    sourcesPath: '/api/v1/sources/',
    release: 'test',
    clock: () => clock.now,
  };

  @Global()
  @Module({
    providers: [
      { provide: ServiceLog, useValue: log },
      { provide: HTTP_OPTIONS, useValue: httpOptions },
      { provide: REVISION_SOURCE, useValue: revision },
      { provide: THROTTLE, useValue: options.throttle ?? null },
    ],
    exports: [ServiceLog, HTTP_OPTIONS, REVISION_SOURCE, THROTTLE],
  })
  class BindingsModule {}

  // As in the service: the module is imported after `HttpModule`, whose guard runs first.
  @Module({ providers: [{ provide: APP_GUARD, useClass: TokenGuard }] })
  class GuardModule {}

  @Module({
    imports: [BindingsModule, HttpModule, GuardModule],
    controllers: [ListController, ThingController, SpecialCaseController, HealthController],
    providers: [{ provide: SampleStore, useValue: store }],
  })
  class SampleModule {}

  const testing = await Test.createTestingModule({ imports: [SampleModule] })
    .overrideProvider(HTTP_LIMITS)
    .useValue(limits)
    .compile();
  const adapter = new ServiceExpressAdapter(limits);
  const app = testing.createNestApplication(adapter, { ...applicationOptions, logger: false });
  options.extend?.(adapter);
  configureApp(app);
  await app.listen(0, '127.0.0.1');
  const { port } = app.getHttpServer().address() as AddressInfo;
  const logText = () => {
    log.sink.flush();
    return logged;
  };
  return {
    app,
    limits: app.get(ConcurrencyLimits),
    cache: app.get(PageCache),
    drain: () => (app.get(ReplyWriter).closing = true),
    store,
    url: `http://127.0.0.1:${port}`,
    port,
    clock,
    logText,
    logLines: () =>
      logText()
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as Record<string, unknown>),
  };
}

/** Requests an address twice, after which the page cache has it; returns the second response. */
export async function warmCache(
  { url }: SampleApp,
  path: string,
  options: HttpRequestOptions = {},
): Promise<RawResponse> {
  await sendRequest(url, path, options);
  return sendRequest(url, path, options);
}
