import { Validator } from '@seriousme/openapi-schema-validator';
import { RouteTable } from '../src/platform/http/routes.js';
import { OpenApiController } from '../src/openapi/openapi.controller.js';
import { ApiDocument, type Json } from './fuzz/api-document.js';
import { createFuzzData } from './fuzz/data.js';
import { DOCUMENTS, readDocuments } from './support/api-documents.js';
import { startTestApp, type TestApp } from './support/test-app.js';

interface DescribedOperation {
  method: string;
  path: string;
  parameters?: { in: string; name: string; required?: boolean; schema: object }[];
}

/** The schemas of numbers in a part of a document that have no format. */
function numbersWithoutFormat(part: unknown): unknown[] {
  if (typeof part !== 'object' || part === null) return [];
  const { type, format } = part as { type?: unknown; format?: unknown };
  const isNumber = type === 'number' || JSON.stringify(type) === '["number","null"]';
  return [
    ...(isNumber && format === undefined ? [part] : []),
    ...Object.entries(part).flatMap(([name, value]) =>
      name === 'example' ? [] : numbersWithoutFormat(value),
    ),
  ];
}

describe('the API documents', () => {
  let service: TestApp;
  beforeAll(async () => (service = await startTestApp()));
  afterAll(() => service.close());

  it.each(DOCUMENTS)('are valid OpenAPI 3.1: %s', async (address) => {
    const { body } = await service.http().get(address).expect(200);
    const result = await new Validator().validate(body as Record<string, unknown>);
    expect(result).toMatchObject({ valid: true });
    expect((body as { openapi: string }).openapi).toBe('3.1.0');
  });

  it('are byte-identical on every start', async () => {
    const other = await startTestApp();
    for (const address of DOCUMENTS) {
      const [one, two] = await Promise.all([service, other].map((app) => app.http().get(address)));
      expect(one!.text).toBe(two!.text);
    }
    await other.close();
  });

  it('have paths without the last slash, and the shapes of FPMA in one of them only', async () => {
    const names = async (address: string) => {
      const { body } = (await service.http().get(address)) as { body: Json };
      expect(Object.keys(body.paths!).filter((path) => /.\/$/.test(path))).toEqual([]);
      return [...Object.keys(body.paths!), ...Object.keys(body.components!.schemas!)];
    };
    const [own, fpma] = await Promise.all(DOCUMENTS.map(names));
    expect(own!.filter((name) => /Fpma|giews/.test(name))).toEqual([]);
    expect(fpma!.filter((name) => name.includes('Fpma'))).toEqual([
      '/FpmaSerie',
      '/FpmaSerieDomestic',
      '/FpmaSerieInternational',
      '/FpmaSeriePrice',
      '/FpmaSeriePrice/{uuid}',
      'FpmaSerie',
      'FpmaPeriod',
      'FpmaSeriePrices',
      'FpmaDatapoint',
    ]);
  });

  it('every path replies the same with and without a slash at its end, to each method', async () => {
    const { operations } = new ApiDocument(await readDocuments(service));
    const unknown = await service.http().get('/nothing').expect(404);
    const withoutIds = (text: string) => text.replace(/urn:uuid:[-\w]+/g, '');
    for (const { method, path } of operations) {
      const address = path
        .replace('{uuid}', '00000000-0000-4000-8000-000000000000')
        .replace('{code}', 'invalid')
        .replace('{id}', '999');
      for (const verb of method === 'GET' ? ['GET', 'HEAD', 'OPTIONS'] : [method]) {
        const [without, slash] = await Promise.all(
          [address, address.replace(/\/?$/, '/')].map((url) =>
            service.http()[verb.toLowerCase() as 'get'](url).redirects(0),
          ),
        );
        const { status, text = '' } = slash!;
        expect([verb, path, status, withoutIds(text)]).toEqual([
          verb,
          path,
          without!.status,
          withoutIds(without!.text ?? ''),
        ]);
        expect([verb, path, status < 300 || status >= 400]).toEqual([verb, path, true]);
        // The path has a route: what is missing is a record.
        if (status === 404) expect(text).not.toContain((unknown.body as { detail: string }).detail);
        expect([verb, path, status]).not.toEqual([verb, path, 405]);
      }
    }
  });

  it('describe every route, with unique operation ids', async () => {
    const { paths } = await readDocuments(service);
    const described = Object.entries(paths!).flatMap(([path, methods]) =>
      Object.keys(methods as object).map((method) => `${method.toUpperCase()} ${path}`),
    );
    const routed = service.app
      .get(RouteTable)
      .all()
      .map(({ method, pattern }) => `${method} ${pattern.replace(/:(\w+)/g, '{$1}')}`);
    // Pages are for people.
    const pages = [
      'GET /browse',
      'GET /robots.txt',
      'GET /commodities',
      'GET /commodities/{id}',
      'GET /compare',
      'GET /countries',
      'GET /countries/{iso3}',
      'GET /countries/{iso3}/commodities/{id}',
      'GET /data',
      'GET /help',
      'GET /help/{term}',
      'GET /help/guides',
      'GET /help/guides/{name}',
      'GET /help/guides/{guide}/{page}',
      'GET /markets',
      'GET /markets/{id}',
      'GET /releases',
      'GET /warnings',
      'GET /series/{uuid}/points/{periodicity}/{date}',
      'GET /series/{uuid}',
      'GET /images/service.preview.png',
      'GET /embed/series/{uuid}',
      'GET /embed/compare',
      'GET /embed/commodities/{id}',
      'GET /embed/countries/{iso3}',
      'GET /embed/countries/{iso3}/commodities/{id}',
      ...[
        '/commodities/{id}',
        '/compare',
        '/countries/{iso3}',
        '/countries/{iso3}/commodities/{id}',
        '/map',
        '/series/{uuid}',
        '/warnings',
      ].flatMap((page) => ['.svg', '.png', '.preview.png'].map((suffix) => `GET ${page}${suffix}`)),
    ];
    // Their scripts and styles, and the pages of maintainers.
    const isOfPages = (route: string) => /^\w+ \/(explorer|desk)(\/|$)/.test(route);
    const undocumented = [
      ...DOCUMENTS.map((address) => `GET ${address}`),
      'GET /docs',
      'GET /docs/{file}',
      // For assistants, which have descriptions of their own.
      'GET /llms.txt',
      'POST /mcp',
      ...pages,
    ];
    expect(described.sort()).toEqual(
      routed.filter((route) => !undocumented.includes(route) && !isOfPages(route)).sort(),
    );
    for (const address of DOCUMENTS) {
      const { body } = (await service.http().get(address)) as { body: Json };
      const ids = Object.values(body.paths!).flatMap((methods) =>
        Object.values(methods).map((operation) => String(operation.operationId)),
      );
      expect(new Set(ids).size).toBe(ids.length);
    }
  });

  it.each(DOCUMENTS)('give each route a tag, a summary and a response: %s', async (address) => {
    const { body } = (await service.http().get(address)) as { body: Json };
    const tags = (body.tags as unknown as { name: string }[]).map(({ name }) => name);
    for (const [path, methods] of Object.entries(body.paths!))
      for (const [method, operation] of Object.entries(methods as Record<string, Json>)) {
        const responses = Object.entries(
          operation.responses as unknown as Record<string, { description: string }>,
        );
        const success = responses.find(([status]) => status.startsWith('2'))?.[1].description;
        expect([method, path, operation.tags, operation.summary, success]).toEqual([
          method,
          path,
          [expect.stringMatching(new RegExp(`^(${tags.join('|')})$`))],
          expect.stringMatching(/./),
          expect.stringMatching(/./),
        ]);
      }
  });

  it('G1: documents each problem code at the address in `type`', async () => {
    const problem = await service.http().get('/api/v1/Commodity/?page_size=0').expect(400);
    const { body } = await service
      .http()
      .get((problem.body as { type: string }).type)
      .expect(200);
    expect(body).toEqual({
      code: 'invalid',
      status: 400,
      title: 'Invalid input',
      meaning: 'Parameters or fields are not valid; `errors` names each of them.',
    });
    for (const unknown of ['nothing', 'constructor', '__proto__'])
      await service.http().get(`/problems/${unknown}`).expect(404);
  });

  it('G2: rejects an unknown query parameter at every address that accepts a body', async () => {
    const writes = new ApiDocument(await readDocuments(service)).operations.filter(
      (operation) => operation.body !== null,
    );
    expect(writes.length).toBeGreaterThan(20);
    const token = await service.authHeader();
    for (const { method, path } of writes) {
      const address = path.replace('{uuid}', '00000000-0000-4000-8000-000000000000').replace('{id}', '1');
      const response = await service
        .http()
        [method.toLowerCase() as 'post' | 'put' | 'patch'](`${address}?unknown_name=1`)
        .set(token)
        .send({});
      expect([method, path, response.status]).toEqual([method, path, 400]);
      expect((response.body as { errors: object[] }).errors).toContainEqual(
        expect.objectContaining({ in: 'query', name: 'unknown_name', code: 'unknown_parameter' }),
      );
    }
  });

  it('have 304 for the reads that respond with an ETag, and for no others', async () => {
    const token = await service.authHeader();
    const { uuids, pointIds } = await createFuzzData(service);
    const send = (path: string) => service.http().get(path).set(token).redirects(0);
    const { operations } = new ApiDocument(await readDocuments(service));
    const answered: string[] = [];
    for (const { method, path, statuses } of operations) {
      if (method !== 'GET') continue;
      const id = path.includes('PriceSeriePrice') ? pointIds[0]! : 1;
      const address = path.replace('{uuid}', uuids[0]!).replace('{id}', String(id));
      const { status, headers } = await send(address);
      if (status !== 200) continue;
      answered.push(path);
      const conditional = await send(address).set('If-None-Match', '*');
      const hasTag = headers.etag !== undefined;
      expect([path, conditional.status, statuses.has('304')]).toEqual([path, hasTag ? 304 : 200, hasTag]);
    }
    expect(answered).toEqual(
      expect.arrayContaining([
        '/api/v1/Account',
        '/api/v1/Account/{id}',
        '/api/v1/Commodity/{id}',
        '/api/v1/PriceSeriePrice/{uuid}',
        '/api/v1/PriceSeriePrice/{uuid}/{id}',
      ]),
    );
  });

  it('name the headers with which a record is written and repeated', async () => {
    const { paths } = await readDocuments(service);
    const missing: string[] = [];
    for (const [path, methods] of Object.entries(paths!)) {
      for (const [method, { parameters, responses }] of Object.entries(methods)) {
        const sends = Array.from(parameters!, ({ name }) => String(name));
        const returns = (status: number) => Object.keys(responses![status]?.headers ?? {});
        const require = (header: string, headers: string[]) => {
          if (!headers.includes(header)) missing.push(`${method} ${path}: ${header}`);
        };
        for (const status of [201, 202]) if (responses![status]) require('Location', returns(status));
        if (responses![422]) require('Idempotency-Key', sends);
        if (responses![422]) require('ETag', returns(201));
        if (sends.includes('If-Match'))
          require('ETag', Object.keys(methods.get!.responses![200]!.headers ?? {}));
        if (sends.includes('If-Match') && method !== 'delete') require('ETag', returns(200));
      }
    }
    expect(missing).toEqual([]);
  });

  it('name preconditions only where If-Match is taken', async () => {
    const { paths } = await readDocuments(service);
    const wrong = Object.entries(paths!).flatMap(([path, methods]) =>
      Object.entries(methods)
        .filter(([method]) => method !== 'get')
        .filter(([, { parameters, responses }]) => {
          const takesIfMatch = Array.from(parameters!, ({ name }) => String(name)).includes('If-Match');
          return [412, 428].some((status) => (responses![status] !== undefined) !== takesIfMatch);
        })
        .map(([method]) => `${method} ${path}`),
    );
    expect(wrong).toEqual([]);
  });

  it('describe the parameters of the series lists', async () => {
    const { body } = (await service.http().get('/openapi.json')) as { body: Json };
    const parameters = body.paths!['/api/v1/PriceSerie']!.get!.parameters as unknown as {
      name: string;
      description: string;
    }[];
    expect(parameters.map(({ name }) => name)).toEqual(
      expect.arrayContaining([
        'iso3_country_codes',
        'iso3_country_codes_ne',
        'periodicity',
        'start_date',
        'end_date',
        'data_from',
        'data_to',
        'newerThan',
        'olderThan',
        'price_types_ids',
        'sources_ids',
        'commodity__hs_class_code',
        'admin_units',
        'market_types',
        'market_types_ne',
        'regional_average',
        'categories',
        'measure_units_ids',
        'commodity_ids',
        'market_ids',
        'currencies',
        'uuids',
        'search',
        'page',
        'page_size',
        'format',
      ]),
    );
    for (const { name, description } of parameters) expect(`${name}: ${description}`).toMatch(/: .{10,}/);
  });

  it.each([...DOCUMENTS, '/docs', '/docs/swagger-ui-bundle.js'])('are revalidated: %s', async (path) => {
    const { headers } = await service
      .http()
      .get(path)
      .expect(200)
      .expect('Cache-Control', 'public, no-cache');
    await service.http().get(path).set('If-None-Match', headers.etag!).expect(304);
  });

  it('say which parameters a request needs: without them it is 400, and without all others it is not', async () => {
    const { operations } = new ApiDocument(await readDocuments(service));
    const needed: [string, string[]][] = [];
    for (const { method, path, parameters = [] } of operations as unknown as DescribedOperation[]) {
      const names = parameters.filter((each) => each.in === 'query' && each.required).map(({ name }) => name);
      if (names.length > 0 && !path.startsWith('/giews/')) needed.push([`${method} ${path}`, names]);
      if (method !== 'GET') continue;
      const { body } = (await service
        .http()
        .get(path.replace('{uuid}', '00000000-0000-4000-8000-000000000000').replace(/\{\w+\}/, '1'))) as {
        body: { errors?: { in: string; name: string; code: string }[] };
      };
      const missing = (body.errors ?? []).filter((each) => each.code === 'required').map((each) => each.name);
      expect([path, missing]).toEqual([path, names]);
    }
    expect(needed.sort(([one], [other]) => (one < other ? -1 : 1))).toEqual([
      ['GET /api/v1/PriceCompare', ['uuids']],
      ['GET /api/v1/PriceSeriePrice/differences', ['from']],
      ['GET /api/v1/PriceSeriePrice/{uuid}/differences', ['from']],
      ['GET /api/v1/Suggest', ['q']],
      ['POST /api/v1/Import', ['format']],
    ]);
    const compare = (operations as unknown as DescribedOperation[]).find(({ path }) =>
      path.endsWith('/PriceCompare'),
    );
    expect(compare!.parameters!.find(({ name }) => name === 'uuids')!.schema).toEqual({
      type: 'array',
      items: { type: 'string', format: 'uuid' },
      minItems: 2,
      maxItems: 2,
    });
  });

  it('give ids of points and counts that pass 2^31 the format int64, and every number double', async () => {
    for (const address of DOCUMENTS) {
      const { body } = (await service.http().get(address)) as { body: Json };
      const without = numbersWithoutFormat(body);
      expect(without).toEqual([]);
    }
    const { body } = (await service.http().get('/openapi.json')) as { body: Json };
    const schemas = body.components!.schemas as unknown as Record<
      string,
      { properties?: Record<string, { format?: string }> }
    >;
    const wide = [
      ['Datapoint', 'id'],
      ['PointDifference', 'id'],
      ['ChangeSet', 'last_revision'],
      ['Edition', 'points'],
      ['EditionFile', 'bytes'],
      ['ImportReport', 'bytes'],
      ['ImportReport', 'read'],
    ] as const;
    for (const [schema, name] of wide)
      expect([schema, name, schemas[schema]!.properties![name]!.format]).toEqual([schema, name, 'int64']);
    const revisions = Object.entries(schemas).flatMap(([schema, { properties = {} }]) =>
      Object.entries(properties)
        .filter(([name]) => /(^|_)revision$/.test(name))
        .map(([name, { format }]) => [schema, name, format]),
    );
    expect(revisions).toContainEqual(['EditionCreate', 'revision', 'int64']);
    expect(revisions.filter(([, , format]) => format !== 'int64')).toEqual([]);
    const { parameters } = body.paths!['/api/v1/PriceSeriePrice/{uuid}/{id}']!
      .patch as unknown as DescribedOperation;
    expect(parameters!.find(({ name }) => name === 'id')!.schema).toEqual({
      type: 'integer',
      format: 'int64',
      minimum: 1,
    });
  });

  it('are compressed once for each encoding, whatever the host', async () => {
    const controller = service.app.get(OpenApiController);
    for (const [path, reply] of [
      ['/openapi.json', controller.openApi()],
      ['/docs/swagger-ui-bundle.js', controller.asset('swagger-ui-bundle.js')],
    ] as const) {
      const get = (host: string) =>
        service.http().get(path).set('Accept-Encoding', 'gzip').set('Host', host).expect(200);
      const { headers } = await get('one.example');
      expect(headers['content-encoding']).toBe('gzip');
      const variant = reply.body.in('gzip');
      expect(variant).not.toBeInstanceOf(Promise);
      await get('two.example');
      expect(reply.body.in('gzip')).toBe(variant);
    }
  });

  it('come with Swagger UI, which shows both and runs only scripts of this server', async () => {
    const page = await service
      .http()
      .get('/docs')
      .expect(200)
      .expect('Content-Type', 'text/html; charset=utf-8');
    expect(page.headers['content-security-policy']).toContain("script-src 'self';");
    const assets = [...page.text.matchAll(/(?:src|href)="(\/docs\/[^"]+)"/g)].map((match) => match[1]!);
    expect(assets).toHaveLength(5);
    const { text: script } = await service.http().get('/docs/start.js');
    for (const address of DOCUMENTS) expect(script).toContain(`url: '${address}'`);
    for (const asset of assets) await service.http().get(asset).expect(200);
    for (const asset of assets) {
      const { headers, body, text } = await service
        .http()
        .get(asset)
        .expect('Cache-Control', 'public, max-age=31536000, immutable');
      const plain = await service
        .http()
        .get(asset.replace(/\.[\w.]{16}(?=\.\w+$)/, ''))
        .expect('Cache-Control', 'public, no-cache')
        .expect('ETag', headers.etag!);
      expect([plain.body, plain.text]).toEqual([body, text]);
    }
    await service.http().get('/docs/package.json').expect(404);
    await service.http().get('/docs/..%2Fpackage.json').expect(404);
  });
});
