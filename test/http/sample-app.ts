import {
  Body,
  Controller,
  Delete,
  Get,
  Header,
  HttpCode,
  Injectable,
  Module,
  Param,
  Patch,
  Post,
  Put,
  Req,
} from '@nestjs/common';
import { APP_GUARD, NestFactory } from '@nestjs/core';
import type { INestApplication } from '@nestjs/common';
import type { IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Writable } from 'node:stream';
import { REVISION_SOURCE, type RevisionSource } from '../../src/common/caching/revision-source.js';
import { checkPreconditions, preconditions } from '../../src/common/caching/preconditions.js';
import { Clock } from '../../src/common/dates/clock.js';
import { NotAuthenticated, NotFound, Forbidden } from '../../src/common/errors/api-error.js';
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
} from '../../src/common/filtering/parsers.js';
import { QuerySchema } from '../../src/common/filtering/query-schema.js';
import { Reply, mediaTypes, RowStream } from '../../src/common/http/reply.js';
import { wholeBody } from '../../src/common/http/body-reader.js';
import type { RequestPipeline } from '../../src/common/http/request-pipeline.js';
import { HttpModule } from '../../src/common/http/http.module.js';
import { type HttpLimits, httpLimits } from '../../src/common/http/http-options.js';
import { contextOf } from '../../src/common/http/request-context.js';
import { RequestQuery } from '../../src/common/http/request-query.js';
import {
  AlwaysServed,
  CachedBy,
  ReplyFormats,
  CacheControl,
  RawBody,
} from '../../src/common/http/route-decorators.js';
import { ServiceExpressAdapter } from '../../src/common/http/service-express-adapter.js';
import { THROTTLE, type Throttle } from '../../src/common/http/throttle.js';
import { LineSink } from '../../src/common/logging/line-sink.js';
import { ServiceLog } from '../../src/common/logging/service-log.js';
import { Page, pageBounds, pageParameters, pageRequest } from '../../src/common/pagination/page.js';
import { envelopeReply } from '../../src/common/pagination/envelope.js';
import { validateBody } from '../../src/common/validation/validate-body.js';
import { CalendarDate, Decimal, RecordId, Text } from '../../src/common/validation/fields.js';
import { Environment, type Variables } from '../../src/config/environment.js';
import { applicationOptions, configureApp } from '../../src/configure-app.js';

/*
 * A small application on the real HTTP layer, without a database: a list, records, bodies, streams and whatever else shows a
 * rule. Every list of parameters and every order of checks is the service's own.
 */

/** As many items as a test wants the list to have. */
@Injectable()
export class Store {
  items = Array.from({ length: 250 }, (_, index) => ({ id: index + 1, name: `item ${index + 1}` }));
  revision: string | null = '1';
  /** Calls of handlers, to tell a hit from a miss. */
  calls = 0;
  /** What became of streams that were not read to the end. */
  stopped = 0;
  /** Waited for by `GET slow`, and before a source breaks. */
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
  @RecordId() thing_id?: number;
  @Text(20, { required: true }) thing_name!: string;
  @Decimal({ above: 0, nullable: true }) thing_rate?: number | null;
  @CalendarDate() thing_date?: string;
}

function authorise(request: IncomingMessage): void {
  if (request.headers.authorization === undefined) throw new NotAuthenticated();
  if (request.headers.authorization !== 'Bearer maintainer') throw new Forbidden();
}

/** Stands for the service's guard. */
class Guard {
  canActivate(context: { switchToHttp(): { getRequest(): IncomingMessage } }): boolean {
    const request = context.switchToHttp().getRequest();
    if (request.method !== 'GET' && request.method !== 'HEAD') authorise(request);
    return true;
  }
}

@Controller({ path: ['api/v1', 'other/prefix'] })
@CacheControl('series')
class ListController {
  constructor(private readonly store: Store) {}

  @Get('List')
  @ReplyFormats('json', 'csv', 'ndjson')
  @CachedBy('series')
  list(
    @RequestQuery(listSchema) query: { page?: number; page_size?: number },
    @Req() request: object,
  ): unknown {
    this.store.calls++;
    const context = contextOf(request);
    const { items } = this.store;
    if (context.format === 'csv') return new RowStream(mediaTypes.csv, csvLines(items));
    const asked = pageRequest(query);
    const { offset, limit } = pageBounds(asked, items.length);
    const page = new Page(items.length, items.slice(offset, offset + limit), asked.page, asked.pageSize);
    return envelopeReply(page, context);
  }

  @Get('Echo')
  echo(@RequestQuery(listSchema) query: object): object {
    this.store.calls++;
    return query;
  }

  @Get('Lenient')
  lenient(@RequestQuery(listSchema, { ignoreUnknown: true }) query: object): object {
    return query;
  }
}

function* csvLines(items: readonly { id: number; name: string }[]): Generator<string> {
  yield 'id,name\r\n';
  for (const { id, name } of items) yield `${id},${name}\r\n`;
}

@Controller('api/v1/Thing')
@CacheControl('reference')
class ThingController {
  constructor(private readonly store: Store) {}

  @Get()
  @CachedBy('references')
  all(): unknown {
    this.store.calls++;
    return this.store.items.slice(0, 3);
  }

  @Get(':id')
  read(@Param('id') id: string): Reply {
    const found = this.store.items.find((item) => String(item.id) === id);
    if (found === undefined) throw new NotFound();
    return Reply.json(found, { etag: `thing-${id}-1` });
  }

  @Post()
  create(@Body() body: unknown, @Req() request: object): Reply {
    const { origin, violations: faults } = contextOf(request);
    const thing = validateBody(ThingDto, body, { violations: faults });
    return Reply.json(
      { id: 7, ...thing },
      { status: 201, headers: { Location: `${origin}/api/v1/Thing/7/` } },
    );
  }

  @Put(':id')
  replace(@Body() body: unknown, @Req() request: IncomingMessage, @Param('id') id: string): Reply {
    const thing = validateBody(ThingDto, body, { violations: contextOf(request).violations });
    checkPreconditions(preconditions(request), `thing-${id}-1`, false);
    return Reply.json({ id: Number(id), ...thing }, { etag: `thing-${id}-2` });
  }

  @Patch(':id')
  change(@Body() body: unknown, @Req() request: object): object {
    return validateBody(ThingDto, body, { partial: true, violations: contextOf(request).violations });
  }

  @Delete(':id')
  @HttpCode(204)
  remove(): void {}
}

@Controller('api/v1')
class OddController {
  constructor(private readonly store: Store) {}

  @Get('slow')
  async slow(): Promise<object> {
    await this.store.gate;
    return { slow: true };
  }

  @Get('fault')
  fault(): never {
    throw new Error('SELECT secret FROM account');
  }

  @Get('bad-header')
  badHeader(): Reply {
    return Reply.json({}, { headers: { Location: 'a\nb' } });
  }

  @Get('header')
  @Header('X-Decorated', 'yes')
  header(): object {
    return {};
  }

  @Get('files/*file')
  file(@Param('file') file: string): object {
    return { file };
  }

  @Get('big')
  @CacheControl('series')
  @CachedBy('series')
  big(): RowStream {
    this.store.calls++;
    return new RowStream(mediaTypes.json, this.parts(64));
  }

  @Get('endless')
  endless(): RowStream {
    return new RowStream(mediaTypes.csv, this.parts(Infinity));
  }

  @Get('breaks/:after')
  breaks(@Param('after') after: string): RowStream {
    return new RowStream(mediaTypes.csv, this.parts(Infinity, Number(after)));
  }

  @Get('stalls')
  stalls(): RowStream {
    return new RowStream(mediaTypes.csv, stalling());
  }

  @Get('page.html')
  @ReplyFormats()
  html(): Reply {
    const headers = { 'Content-Security-Policy': "default-src 'self'" };
    return Reply.text('<!doctype html>', 'text/html; charset=utf-8', { headers });
  }

  @Post('Upload')
  @HttpCode(200)
  @RawBody({ types: ['text/csv', 'application/gzip'], encodings: ['gzip'] })
  async upload(@Req() request: IncomingMessage): Promise<object> {
    const body = await wholeBody(contextOf(request), { limit: 300 * 1024, stallMs: 500 });
    return { bytes: body.length };
  }

  private async *parts(count: number, breakAfter = Infinity): AsyncGenerator<string> {
    let finished = false;
    try {
      for (let index = 0; index < count; index++) {
        if (index >= breakAfter) {
          await this.store.gate;
          throw new Error('the source broke');
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
  door: RequestPipeline;
  store: Store;
  /** `http://127.0.0.1:port` */
  url: string;
  port: number;
  /** Lines of the log so far. */
  lines: () => Record<string, unknown>[];
  logText: () => string;
  clock: { now: number };
}

export interface SampleOptions {
  variables?: Variables;
  limits?: Partial<HttpLimits>;
  throttle?: Throttle;
}

/** Starts the sample application on a free port of this machine. */
export async function startSample(options: SampleOptions = {}): Promise<SampleApp> {
  const clock = { now: Date.UTC(2024, 2, 31, 12) };
  const store = new Store();
  const revision: RevisionSource = { current: () => store.revision };

  @Module({
    imports: [HttpModule],
    controllers: [ListController, ThingController, OddController, HealthController],
    providers: [
      { provide: Store, useValue: store },
      { provide: APP_GUARD, useClass: Guard },
      { provide: Environment, useValue: new Environment({ LOG_LEVEL: 'info', ...options.variables }) },
      { provide: Clock, useValue: { now: () => clock.now } },
      { provide: REVISION_SOURCE, useValue: revision },
      ...(options.throttle ? [{ provide: THROTTLE, useValue: options.throttle }] : []),
    ],
  })
  class SampleModule {}

  let logged = '';
  const target = new Writable({
    write(chunk: Buffer, _, done) {
      logged += chunk.toString();
      done();
    },
  });
  const log = new ServiceLog('info', new LineSink(target));
  const adapter = new ServiceExpressAdapter({ ...httpLimits, ...options.limits });
  const app = await NestFactory.create(SampleModule, adapter, { ...applicationOptions, logger: false });
  const door = configureApp(app, log);
  await app.listen(0, '127.0.0.1');
  const { port } = app.getHttpServer().address() as AddressInfo;
  const logText = () => {
    log.sink.flush();
    return logged;
  };
  return {
    app,
    door,
    store,
    url: `http://127.0.0.1:${port}`,
    port,
    clock,
    logText,
    lines: () =>
      logText()
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as Record<string, unknown>),
  };
}
