import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { problemCodes } from '../../../src/platform/errors/problem-codes.js';
import { assertProblem } from '../support/assertions.js';
import { type HttpReply, jsonBody, sendRequest } from '../support/http.js';
import { MariaDb } from '../support/mariadb.js';
import { Nginx, nginxInstalled } from '../support/nginx.js';
import { writePricesFile } from '../support/prices-file.js';
import { ms, type Rule } from '../support/rule.js';
import { runBuiltCommand, Service } from '../support/service.js';

const LIST = '/api/v1/PriceSerie/?page_size=2';
const ALL_PRICES = '/api/v1/PriceSeriePrice/?format=csv';
const IMPORT = '/api/v1/Import/?format=prices&dry_run=true';
/** More than the 100 requests that an address may have in progress. */
const CONNECTIONS = 120;

/** Asserts an error of nginx itself, in the words of the service. */
function assertOwnProblem(reply: HttpReply, code: keyof typeof problemCodes): void {
  assertProblem(reply, problemCodes[code].status, code);
  const { title, type } = jsonBody(reply);
  assert.deepEqual(
    [title, type, reply.headers['cache-control'], reply.headers['x-request-id']],
    [problemCodes[code].title, `https://prices.example.org/problems/${code}`, 'no-store', undefined],
  );
}

/** The service's line of the log for a reply. */
async function logLine(replicas: readonly Service[], reply: HttpReply): Promise<Record<string, unknown>> {
  const id = String(reply.headers['x-request-id']);
  for (;;) {
    const line = replicas
      .flatMap(({ output }) => output.split('\n'))
      .find((text) => text.includes('"msg":"request"') && text.includes(id) && text.endsWith('}'));
    if (line !== undefined) return JSON.parse(line) as Record<string, unknown>;
    await sleep(20);
  }
}

/** What nginx tells the service of the client, whatever the client says itself. */
async function checkForwarding(nginx: Nginx, replicas: readonly Service[]): Promise<void> {
  const trace = '4bf92f3577b34da6a3ce929d0e0e4736';
  const reply = await nginx.request(LIST, {
    headers: {
      'X-Forwarded-For': '203.0.113.9',
      'X-Forwarded-Host': 'evil.example.org',
      'X-Forwarded-Proto': 'http',
      traceparent: `00-${trace}-00f067aa0ba902b7-01`,
    },
  });
  assert.equal(reply.status, 200, reply.text);
  assert.match(String(jsonBody(reply).next), /^https:\/\/prices\.example\.org\/api\/v1\/PriceSerie\/\?/);
  assert.match(String(reply.headers['strict-transport-security']), /^max-age=/);
  const { network, trace_id } = await logLine(replicas, reply);
  assert.deepEqual([network, trace_id], ['127.0.0.0/24', trace]);
}

/** Limits: the service's where it has one, and nginx's beyond. */
async function checkLimits(nginx: Nginx): Promise<void> {
  const target = (bytes: number) => {
    const path = '/api/v1/PriceSerie/?admin_units=';
    return nginx.request(path + 'x'.repeat(bytes - path.length));
  };
  assertProblem(await target(32 * 1024), 400, 'invalid');
  assertProblem(await target(32 * 1024 + 1), 414, 'uri_too_long');
  assertOwnProblem(await target(60 * 1024), 'uri_too_long');
  const header = (bytes: number) => nginx.request(LIST, { headers: { 'X-Long': 'x'.repeat(bytes) } });
  assert.equal((await header(15 * 1024)).status, 200);
  assertProblem(await header(17 * 1024), 431, 'headers_too_large');
  assertOwnProblem(await header(60 * 1024), 'headers_too_large');
  assertOwnProblem(await nginx.request('/%zz'), 'bad_request');
}

/** Uploads: read by the service only once it has checked the token, and up to its own limit. */
async function checkUploads(nginx: Nginx, token: string): Promise<void> {
  const send = (bytes: number, headers: Record<string, string>) =>
    nginx.request(IMPORT, {
      method: 'POST',
      headers: { 'Content-Type': 'text/csv', ...headers },
      body: Buffer.alloc(bytes, 'a,b\n'),
    });
  const authorization = { Authorization: `Bearer ${token}` };
  assertProblem(await send(5 * 1024 * 1024, {}), 401, 'not_authenticated');
  assertProblem(await send(25 * 1024 * 1024, authorization), 413, 'too_large');
  const imported = await send(5 * 1024 * 1024, authorization);
  assert.ok([200, 400].includes(imported.status), `${imported.status} ${imported.error} ${imported.text}`);
}

/** Sends more requests than nginx allows an address at once, whose bodies never arrive. */
async function checkConnections(nginx: Nginx): Promise<void> {
  const sockets = await Promise.all(Array.from({ length: CONNECTIONS }, () => nginx.connect()));
  for (const socket of sockets) {
    socket.write('POST /api/auth/login/ HTTP/1.1\r\nHost: prices.example.org\r\n');
    socket.write('Content-Type: application/json\r\nContent-Length: 50\r\n\r\n{');
  }
  let reply: HttpReply;
  do reply = await nginx.request('/health/live');
  while (reply.status === 200);
  assertOwnProblem(reply, 'throttled');
  assert.equal(reply.headers['retry-after'], '5');
  for (const socket of sockets) socket.destroy();
  do reply = await nginx.request('/health/live');
  while (reply.status === 429);
  assert.equal(reply.status, 200);
}

export const nginxSite: Rule = {
  id: 'NGINX',
  title: 'the nginx site of deploy/ in front of two replicas: forwarding, limits, streams, failover',
  needsMariadb: true,
  skipReason: nginxInstalled ? undefined : 'nginx is not installed',
  async run() {
    const { url: databaseUrl } = await MariaDb.start();
    const migrated = await runBuiltCommand('migrate', [], databaseUrl);
    assert.equal(migrated.code, 0, migrated.output);
    const file = writePricesFile(40, 500);
    const imported = await runBuiltCommand('import', ['prices', file], databaseUrl);
    assert.equal(imported.code, 0, imported.output);
    const start = () => Service.start({ databaseUrl, settings: { TRUST_PROXY: 'loopback' } });
    const replicas = [await start(), await start()] as const;
    const nginx = await Nginx.start([replicas[0].port, replicas[1].port]);

    await checkForwarding(nginx, replicas);
    const moved = await sendRequest(nginx.plainPort, LIST, { headers: { Host: 'prices.example.org' } });
    assert.deepEqual([moved.status, moved.headers.location], [308, `https://prices.example.org${LIST}`]);
    await assert.rejects(nginx.connect('other.example.org'), /unrecognized name/i);
    assertProblem(await nginx.request('/metrics'), 404, 'not_found');
    await checkLimits(nginx);
    await checkUploads(nginx, await replicas[0].login());
    await checkConnections(nginx);

    const forwarded = { Host: 'prices.example.org', 'X-Forwarded-Proto': 'https' };
    const direct = await replicas[0].request(ALL_PRICES, { headers: forwarded });
    const streamed = await nginx.request(ALL_PRICES);
    assert.equal(streamed.text, direct.text);
    assert.equal(streamed.headers.etag, direct.headers.etag);
    const gzip = await nginx.request(LIST, { headers: { 'Accept-Encoding': 'gzip' } });
    assert.ok(!String(gzip.headers.etag).startsWith('W/'), String(gzip.headers.etag));

    await replicas[0].kill();
    const reads = await Promise.all(Array.from({ length: 40 }, () => nginx.request(LIST)));
    assert.deepEqual([...new Set(reads.map(({ status }) => status))], [200]);
    await replicas[1].stop();
    const down = await nginx.request(LIST);
    assertOwnProblem(down, 'unavailable');
    return { 'bytes of all prices': direct.text.length, 'both stopped, 503 after ms': ms(down.ms) };
  },
};
