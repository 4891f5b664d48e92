import assert from 'node:assert/strict';
import { assertProblem } from '../support/assertions.js';
import { jsonBody, type RequestOptions, type HttpReply } from '../support/http.js';
import { MariaDb } from '../support/mariadb.js';
import type { Rule } from '../support/rule.js';
import { Service, runBuiltCommand } from '../support/service.js';

const LISTS = ['PriceSerie', 'PriceSerieDomestic', 'PriceSerieInternational', 'PriceSeriePrice'].map(
  (name) => `/api/v1/${name}/`,
);

/** Invalid queries (Q1 to Q20), with the code of the violation. */
const QUERIES: readonly (readonly [query: string, violation: string])[] = [
  ['start_date=2023-02-30', 'invalid_date'],
  ['end_date=05/01/2023', 'invalid_date'],
  ['start_date=2024-02-01&end_date=2023-02-01', 'reversed_range'],
  ['commodity_ids=1,x', 'invalid_item'],
  ['market_ids=2147483648', 'out_of_range'],
  ['iso3_country_codes=KE', 'invalid_item'],
  ['periodicity=yearly', 'invalid_choice'],
  ['regional_average=maybe', 'invalid_boolean'],
  ['commodity__hs_class_code=12ab', 'invalid_item'],
  [`admin_units=${'x'.repeat(201)}`, 'too_long'],
  ['periodicity=daily&start_date=2023-01-01&start_date=2023-01-02', 'repeated_parameter'],
  ['sources_ids[]=1', 'unknown_parameter'],
  ['iso3_country_cods=KEN', 'unknown_parameter'],
  [`commodity_ids=${Array.from({ length: 501 }, (_, index) => index + 1).join(',')}`, 'too_many_items'],
  ['admin_units=%zz', 'invalid_encoding'],
];

/** Rejected requests (Q12 to Q21, B1 to B6), with status and code. */
const REQUESTS: readonly (readonly [path: string, options: RequestOptions, status: number, code: string])[] =
  [
    ['/api/v1/Commodity/?page=0', {}, 400, 'invalid'],
    ['/api/v1/PriceSerie/?page_size=10001', {}, 400, 'invalid'],
    ['/api/v1/Market/?nothing=1', {}, 400, 'invalid'],
    ['/api/v1/Nothing/', {}, 404, 'not_found'],
    ['/api/v1/commodity/', {}, 404, 'not_found'],
    ['/api/v1/Commodity/01/', {}, 404, 'not_found'],
    ['/api/v1/Commodity/99999999999999999999/', {}, 404, 'not_found'],
    [`/api/v1/PriceSerie/?search=${'x'.repeat(33_000)}`, {}, 414, 'uri_too_long'],
    ['/api/v1/Commodity/', { headers: { 'X-Long': 'x'.repeat(17_000) } }, 431, 'headers_too_large'],
    ['/api/v1/Commodity/', { headers: { Accept: 'image/png' } }, 406, 'not_acceptable'],
    ['/api/v1/PriceSerie/', { method: 'POST', body: {} }, 405, 'method_not_allowed'],
    ['/api/v1/Commodity/', { method: 'DELETE' }, 405, 'method_not_allowed'],
    ['/api/v1/Commodity/', { method: 'POST', body: { commodity_name: 'Rice' } }, 401, 'not_authenticated'],
    ['/api/v1/Market/1/', { method: 'PATCH', body: {} }, 401, 'not_authenticated'],
    ['/api/v1/Market/1/', { method: 'DELETE' }, 401, 'not_authenticated'],
    ['/api/v1/AuditLog/', {}, 401, 'not_authenticated'],
    [
      '/api/v1/Commodity/',
      { method: 'POST', body: {}, headers: { Authorization: 'Bearer x.y.z' } },
      401,
      'token_not_valid',
    ],
    ['/api/auth/login/', { method: 'POST', body: Buffer.from('{"username":') }, 400, 'parse_error'],
    ['/api/auth/login/', { method: 'POST', body: { username: 5 } }, 400, 'invalid'],
    [
      '/api/auth/login/',
      { method: 'POST', body: Buffer.from('a=b'), headers: { 'Content-Type': 'text/plain' } },
      415,
      'unsupported_media_type',
    ],
    ['/api/auth/login/', { method: 'POST', body: Buffer.alloc(103_000, 32) }, 413, 'too_large'],
  ];

/** The problem details of a reply, without the id of its request. */
function problemOf(reply: HttpReply) {
  const problem = jsonBody(reply);
  delete problem.instance;
  return problem;
}

export const rejectionsWithoutDatabase: Rule = {
  id: 'G5',
  title: 'rejections that need no data, with the database stopped',
  needsMariadb: true,
  async run() {
    const server = await MariaDb.start();
    assert.equal((await runBuiltCommand('migrate', [], server.url)).code, 0);
    const service = await Service.start({ databaseUrl: server.url });

    const sendAll = async () => {
      const problems: Record<string, unknown>[] = [];
      for (const list of LISTS) {
        for (const [query, violation] of QUERIES) {
          const reply = await service.request(`${list}?${query}`);
          assertProblem(reply, 400, 'invalid');
          const { errors } = jsonBody<{ errors: { code: string }[] }>(reply);
          assert.ok(
            errors.some(({ code }) => code === violation),
            `${list}?${query}: ${reply.text}`,
          );
          problems.push(problemOf(reply));
        }
      }
      for (const [path, options, status, code] of REQUESTS) {
        const reply = await service.request(path, options);
        assertProblem(reply, status, code);
        problems.push(problemOf(reply));
      }
      return problems;
    };

    const before = await sendAll();
    await server.stop();
    await service.waitForStatus('/health/ready', 503);
    assert.deepEqual(await sendAll(), before);
    for (const path of [...LISTS.slice(0, 3), '/api/v1/Commodity/', '/api/v1/Market/1/'])
      assertProblem(await service.request(path), 503, 'unavailable');
    await service.stop();
    return { rejections: before.length };
  },
};
