import {
  BadRequestException,
  Body,
  type CallHandler,
  type CanActivate,
  Controller,
  type ExecutionContext,
  ForbiddenException,
  Get,
  HttpException,
  type INestApplication,
  Injectable,
  type MiddlewareConsumer,
  Module,
  type NestInterceptor,
  type NestMiddleware,
  type NestModule,
  Param,
  ParseIntPipe,
  Post,
  Query,
  Redirect,
  Req,
  RequestMethod,
  Res,
  Search,
  StreamableFile,
  UseGuards,
  UsePipes,
  ValidationPipe,
} from '@nestjs/common';
import { IsInt, IsString, Max } from 'class-validator';
import express, { type Application, type NextFunction, type Request, type Response } from 'express';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { map } from 'rxjs';
import supertest from 'supertest';
import { PageCache } from '../../src/platform/http/cache.js';
import type { ServiceExpressAdapter } from '../../src/platform/http/express.adapter.js';
import { expectProblem } from '../support/problems.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { startSampleApp } from './sample-app.js';

/*
 * Extensions that a company adds without changing the service's sources: Express middleware, a
 * module with its own controllers, interceptors and guards. All of them behave as Nest's
 * documentation says, and errors are returned as problem details.
 */

class OrderDto {
  @IsString() name!: string;
  @IsInt() @Max(10) amount!: number;
}

@Injectable()
class DayGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const day = context.switchToHttp().getRequest<Request>().headers['x-day'];
    if (day === 'tuesday') throw new ForbiddenException('Not on Tuesdays');
    return day !== 'sunday';
  }
}

@Controller('company')
class CompanyController {
  @Post('orders')
  @UsePipes(new ValidationPipe({ whitelist: true, forbidNonWhitelisted: true }))
  order(@Body() dto: OrderDto) {
    return { isDto: dto instanceof OrderDto, ...dto };
  }

  @Get('accepted')
  accepted(@Res() response: Response) {
    response.status(202).json({ accepted: true });
  }

  @Get('sent')
  sent(@Res() response: Response) {
    response.type('text/plain').send('sent by Express');
  }

  @Get('cookies')
  cookie(@Res({ passthrough: true }) response: Response) {
    response.cookie('theme', 'dark');
    return { set: true };
  }

  @Get('text')
  text() {
    return 'plain text';
  }

  @Get('nothing')
  nothing() {}

  @Get('file')
  file() {
    return new StreamableFile(Readable.from(['a,b\r\n', '1,2\r\n']), { type: 'text/csv' });
  }

  @Get('moved')
  @Redirect('/company/text', 301)
  moved() {}

  @Get('echo')
  echo(@Query('word') word: string, @Query('list') list: string[], @Req() request: Request) {
    return { word, list, all: request.query, ip: request.ip, protocol: request.protocol };
  }

  @Search('numbers/all')
  all() {
    return { searched: true };
  }

  @Get('numbers/:number')
  number(@Param('number', ParseIntPipe) number: number) {
    return { number };
  }

  @Get('guarded')
  @UseGuards(DayGuard)
  guarded() {
    return { open: true };
  }

  @Get('errors/:kind')
  error(@Param('kind') kind: string) {
    if (kind === 'nest') throw new BadRequestException('The kind is wrong');
    if (kind === 'teapot') throw new HttpException('I am a teapot', 418);
    if (kind === 'conflict') throw new HttpException({ reason: 'taken' }, 409);
    throw new Error('SELECT secret FROM account');
  }
}

@Injectable()
class CompanyMiddleware implements NestMiddleware {
  use(_request: Request, response: Response, next: NextFunction) {
    response.setHeader('X-Company-Module', 'yes');
    next();
  }
}

function countingReads(_request: Request, _response: Response, next: NextFunction) {
  next();
}

@Module({ controllers: [CompanyController] })
class CompanyModule implements NestModule {
  configure(consumer: MiddlewareConsumer) {
    consumer.apply(CompanyMiddleware).forRoutes(CompanyController);
    consumer.apply(countingReads).forRoutes({ path: '*path', method: RequestMethod.GET });
  }
}

class WrapInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler) {
    const { path } = context.switchToHttp().getRequest<Request>();
    const wrapped = path.startsWith('/company/numbers');
    return next.handle().pipe(map((value: unknown) => (wrapped ? { wrapped: value } : value)));
  }
}

/** Cookies set so far. */
let visits = 0;

/** Extends an application after `configureApp`. */
function extend(app: INestApplication): void {
  app.use((request: Request, response: Response, next: NextFunction) => {
    response.setHeader('X-Company', 'acme');
    if (request.query['_'] === 'cookie') response.cookie('visit', String(++visits));
    if (request.path === '/company/teapot') response.status(418).json({ short: 'and stout' });
    else if (request.path === '/company/failing') next(new Error('secret cause'));
    else if (request.path === '/company/denied') throw new ForbiddenException();
    else next();
  });
  app.use('/company/parsed', express.json());
  app.useGlobalInterceptors(new WrapInterceptor());
  const adapter = app.getHttpAdapter() as ServiceExpressAdapter;
  const plain = (_request: Request, response: Response) => void response.json({ plain: true });
  adapter.get(/^\/plain\/\d+$/, plain);
  const routes = adapter.getInstance<Application>();
  routes.get(/^\/company\/[a-z]+\/old$/, plain);
  routes.route('/plain/things').get(plain).post(plain);
  routes.get(['/plain/one', '/plain/two'], plain);
  routes.get('/plain-files/*path', plain);
  routes.route('/plain/heads').get(plain).head(plain);
  routes.all('/plain/every', plain);
  routes.get(['/plain/slashed/', '/plain/slashes//'], plain);
}

let service: TestApp;
let token: { Authorization: string };
beforeAll(async () => {
  service = await startTestApp({}, [CompanyModule], extend);
  token = await service.authHeader();
});
afterAll(() => service.close());

describe('Express middleware', () => {
  it('is called for every route, including those of the service, and may set headers', async () => {
    for (const path of ['/company/text', '/api/v1/Commodity/', '/health/live', '/nowhere']) {
      const { headers } = await service.http().get(path);
      expect(headers).toMatchObject({ 'x-company': 'acme', 'x-content-type-options': 'nosniff' });
    }
  });

  it('gives no client the cookie of another', async () => {
    for (let visit = 1; visit <= 4; visit++) {
      const { headers } = await service.http().get('/api/v1/Commodity/?name=x&_=cookie').expect(200);
      expect(headers['set-cookie']).toEqual([`visit=${visit}; Path=/`]);
    }
  });

  it('may send a response itself', async () => {
    const { status, body } = await service.http().get('/company/teapot');
    expect([status, body]).toEqual([418, { short: 'and stout' }]);
  });

  it('that throws results in problem details', async () => {
    const failed = await service.http().get('/company/failing');
    expectProblem(failed, { status: 500, code: 'error' });
    expect(failed.text).not.toContain('secret');
    expectProblem(await service.http().get('/company/denied'), { status: 403, code: 'forbidden' });
  });

  it('that parses bodies does not cause errors that quote them', async () => {
    const malformed = await service
      .http()
      .post('/company/parsed')
      .set('Content-Type', 'application/json')
      .send('{"password":"secret"');
    expectProblem(malformed, { status: 400, code: 'parse_error' });
    expect(malformed.text).not.toMatch(/secret|JSON at position/);
    const tooLarge = await service
      .http()
      .post('/company/parsed')
      .send({ text: 'x'.repeat(200_000) });
    expect([tooLarge.status, tooLarge.headers['content-type']]).toEqual([
      413,
      'application/problem+json; charset=utf-8',
    ]);
  });

  it('of a module is called for the routes of that module only', async () => {
    expect((await service.http().get('/company/text')).headers).toHaveProperty('x-company-module', 'yes');
    expect((await service.http().get('/api/v1/Source/')).headers).not.toHaveProperty('x-company-module');
  });
});

describe('routes put on Express itself', () => {
  it.each(['/plain/5', '/company/very/old', '/plain/things', '/plain/two', '/plain-files/a/b'])(
    'answer at %s',
    async (path) => {
      const { status, body, headers } = await service.http().get(path);
      expect([status, body]).toEqual([200, { plain: true }]);
      expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff' });
    },
  );

  it('have their methods in OPTIONS, and 405 for the others', async () => {
    const things = await service.http().options('/plain/things').expect(204);
    expect(things.headers.allow).toBe('GET, HEAD, OPTIONS, POST');
    const numbered = await service.http().options('/plain/5').expect(204);
    expect(numbered.headers.allow).toBe('GET, HEAD, OPTIONS');
    const put = await service.http().put('/plain/things');
    expectProblem(put, { status: 405, code: 'method_not_allowed' });
    expect(put.headers.allow).toBe('GET, HEAD, OPTIONS, POST');
    expectProblem(await service.http().options('/plain/other'), { status: 404, code: 'not_found' });
    expectProblem(await service.http().post('/nowhere'), { status: 404, code: 'not_found' });
  });

  it('have HEAD once in OPTIONS where they have it beside GET', async () => {
    const { headers } = await service.http().options('/plain/heads').expect(204);
    expect(headers.allow).toBe('GET, HEAD, OPTIONS');
  });

  it('have the methods of @All() in OPTIONS where all() of Express has put them there', async () => {
    const { headers } = await service.http().options('/plain/every').expect(204);
    expect(headers.allow).toBe('DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT');
  });

  it.each(['/plain/one', '/plain/one/', '/plain/slashed', '/plain/slashed/', '/plain/slashes'])(
    'have OPTIONS and 405 at %s, with and without the last slash',
    async (path) => {
      expect((await service.http().get(path)).body).toEqual({ plain: true });
      const { headers } = await service.http().options(path).expect(204);
      expect(headers.allow).toBe('GET, HEAD, OPTIONS');
      expectProblem(await service.http().put(path), { status: 405, code: 'method_not_allowed' });
    },
  );

  it('may be there before configureApp', async () => {
    const early = (_request: Request, response: Response) => void response.json({ early: true });
    const { app, url } = await startSampleApp({
      extend: (adapter) => {
        adapter.get('/early', early);
        adapter.getInstance<Application>().all(/-all$/, early);
      },
    });
    try {
      for (const path of ['/early', '/for-all'])
        expect((await supertest(url).get(path)).body).toEqual({ early: true });
      const { headers } = await supertest(url).options('/early').expect(204);
      expect(headers.allow).toBe('GET, HEAD, OPTIONS');
    } finally {
      await app.close();
    }
  });
});

describe('another HTTP server on the same Express application', () => {
  let url: string;
  let server: Server;
  beforeAll(async () => {
    server = createServer((service.app.getHttpAdapter() as ServiceExpressAdapter).getInstance<Application>());
    await once(server.listen(0, '127.0.0.1'), 'listening');
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => server.close());

  it('has the same replies', async () => {
    for (const path of ['/company/text', '/api/v1/Commodity/?name=x', '/nowhere']) {
      const own = await service.http().get(path);
      const other = await supertest(url).get(path);
      expect([other.status, other.headers['x-content-type-options']]).toEqual([own.status, 'nosniff']);
      expect(other.headers['content-type']).toBe(own.headers['content-type']);
      if (own.status === 200)
        expect(other.text).toBe(own.text.replaceAll(/127\.0\.0\.1:\d+/g, new URL(url).host));
    }
    const created = await supertest(url).post('/company/orders').set(token).send({ name: 'rice', amount: 5 });
    expect([created.status, created.body]).toEqual([201, { isDto: false, name: 'rice', amount: 5 }]);
    expectProblem(await supertest(url).post('/company/orders').send({}), {
      status: 401,
      code: 'not_authenticated',
    });
  });

  it('has its replies stored in the page cache', async () => {
    const cache = service.app.get(PageCache);
    const { size } = cache;
    for (let time = 1; time <= 3; time++)
      await supertest(url).get('/api/v1/Commodity/?name=elsewhere').expect(200);
    expect(cache.size).toBe(size + 1);
  });
});

describe('handlers', () => {
  it('with a plain @Body() DTO are validated by ValidationPipe', async () => {
    const post = (body: object) => service.http().post('/company/orders').set(token).send(body);
    const created = await post({ name: 'rice', amount: 5 });
    expect([created.status, created.body]).toEqual([201, { isDto: false, name: 'rice', amount: 5 }]);
    expectProblem(await post({ name: 'rice', amount: 11 }), { status: 400, code: 'invalid' });
    expectProblem(await post({ name: 'rice', amount: 1, more: true }), { status: 400, code: 'invalid' });
  });

  it('require a token for writes, and valid JSON, like those of the service', async () => {
    expectProblem(await service.http().post('/company/orders').send({}), {
      status: 401,
      code: 'not_authenticated',
    });
    const post = (type: string, text: string) =>
      service.http().post('/company/orders').set(token).set('Content-Type', type).send(text);
    expectProblem(await post('text/plain', 'x'), { status: 415, code: 'unsupported_media_type' });
    expectProblem(await post('application/json', '{"name"'), { status: 400, code: 'parse_error' });
  });

  it('with @Res() write the response themselves', async () => {
    const accepted = await service.http().get('/company/accepted');
    expect([accepted.status, accepted.body]).toEqual([202, { accepted: true }]);
    const sent = await service.http().get('/company/sent');
    expect([sent.status, sent.text, sent.headers['content-type']]).toEqual([
      200,
      'sent by Express',
      'text/plain; charset=utf-8',
    ]);
    const cookie = await service.http().get('/company/cookies');
    expect([cookie.body, cookie.headers['set-cookie']]).toEqual([{ set: true }, ['theme=dark; Path=/']]);
  });

  it('may have any method that Nest knows', async () => {
    const { port } = service.app.getHttpServer().address() as AddressInfo;
    const url = `http://127.0.0.1:${port}/company/numbers/all`;
    const response = await fetch(url, { method: 'SEARCH', headers: token });
    expect([response.status, await response.json()]).toEqual([200, { wrapped: { searched: true } }]);
    const { headers } = await service.http().options('/company/numbers/all').expect(204);
    expect(headers.allow).toBe('OPTIONS, SEARCH');
  });

  it('may return strings, nothing, files and redirects as in Nest', async () => {
    const text = await service.http().get('/company/text');
    expect([text.text, text.headers['content-type']]).toEqual(['plain text', 'text/html; charset=utf-8']);
    const nothing = await service.http().get('/company/nothing');
    expect([nothing.status, nothing.text]).toEqual([200, '']);
    const file = await service.http().get('/company/file');
    expect([file.text, file.headers['content-type']]).toEqual(['a,b\r\n1,2\r\n', 'text/csv']);
    const moved = await service.http().get('/company/moved');
    expect([moved.status, moved.headers.location]).toEqual([301, '/company/text']);
  });

  it('may read the query, the path and the client address as in Nest', async () => {
    const { body } = await service.http().get('/company/echo?word=caf%C3%A9&list=a&list=b');
    expect(body).toEqual({
      word: 'café',
      list: ['a', 'b'],
      all: { word: 'café', list: ['a', 'b'] },
      ip: expect.stringContaining('127.0.0.1'),
      protocol: 'http',
    });
    expectProblem(await service.http().get('/company/numbers/abc'), { status: 400, code: 'invalid' });
  });

  it('that declare no query parameters reject any', async () => {
    expectProblem(await service.http().get('/company/text?x=1'), { status: 400, code: 'invalid' });
  });
});

it('global interceptors see and may change what handlers return', async () => {
  const { body } = await service.http().get('/company/numbers/5');
  expect(body).toEqual({ wrapped: { number: 5 } });
});

it('guards may reject a request with and without a message', async () => {
  const get = (day: string) => service.http().get('/company/guarded').set('X-Day', day);
  expect((await get('monday')).body).toEqual({ open: true });
  expectProblem(await get('tuesday'), { status: 403, code: 'forbidden' });
  expectProblem(await get('sunday'), { status: 403, code: 'forbidden' });
});

it('HttpExceptions of any status result in problem details', async () => {
  const get = (kind: string) => service.http().get(`/company/errors/${kind}`);
  expectProblem(await get('nest'), { status: 400, code: 'invalid' });
  const teapot = await get('teapot');
  expect([teapot.status, teapot.body]).toMatchObject([418, { status: 418, code: 'error' }]);
  const conflict = await get('conflict');
  expect(conflict.status).toBe(409);
  const unknown = await get('other');
  expectProblem(unknown, { status: 500, code: 'error' });
  expect(unknown.text).not.toContain('secret');
});
