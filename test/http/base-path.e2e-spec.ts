import { createServer, request as send, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { RouteTable } from '../../src/platform/http/routes.js';
import { OWN_PATHS } from '../../src/config/environment.js';
import { SampleData } from '../../src/sample/sample-data.js';
import { BROWSER_ACCEPT } from '../explorer/pages.js';
import { sendRequest } from '../support/http.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

const PREFIX = '/prices';
/** Addresses that are followed of each form, such as all pages of series. */
const OF_EACH_FORM = 2;

/** A proxy of a site that has the service below a path, as nginx's `location /prices/`. */
async function startProxy(
  strips: boolean,
): Promise<{ origin: string; to: (port: number) => void; server: Server }> {
  let target = 0;
  const server = createServer((request, response) => {
    if (!request.url!.startsWith(`${PREFIX}/`)) return void response.writeHead(404).end('another site');
    const path = strips ? request.url!.slice(PREFIX.length) : request.url!;
    const { method, headers } = request;
    const forwarded = send({ port: target, host: '127.0.0.1', path, method, headers }, (reply) => {
      response.writeHead(reply.statusCode!, reply.headers);
      reply.pipe(response);
    });
    request.pipe(forwarded);
  });
  // A slow machine must not lose a request to the end of an idle connection.
  server.keepAliveTimeout = 0;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { origin: `http://127.0.0.1:${port}`, to: (of) => void (target = of), server };
}

const decoded = (text: string) =>
  text.replaceAll('&amp;', '&').replaceAll('&#39;', "'").replaceAll('&quot;', '"');

/** The addresses of the own site that a reply prints, as a client would resolve them. */
function printed(text: string, type: string, address: string): string[] {
  const { origin } = new URL(address);
  const absolute = [...decoded(text).matchAll(/https?:\/\/127\.0\.0\.1:\d+[^\s"'<>)\\]*[^\s"'<>)\\:]/g)].map(
    ([found]) => found,
  );
  const relative = type.startsWith('text/html')
    ? [...text.matchAll(/\s(?:href|src|action)="(\/[^"]*|\?[^"]*)"/g)].map(([, found]) => decoded(found!))
    : [];
  return [...absolute, ...relative.map((found) => new URL(found, address).href)].filter((found) =>
    found.startsWith(`${origin}/`),
  );
}

/** Addresses that differ in ids and values only have one form. */
const formOf = (address: string) =>
  new URL(address).pathname.replace(/[0-9a-f]{8}-[-0-9a-f]{27}|\d+|\b[A-Z]{3}\b/g, '*') +
  [...new URL(address).searchParams.keys()].sort().join();

describe.each([
  ['removes its path', true],
  ['leaves its path', false],
])('behind a proxy that %s', (_, strips) => {
  let service: TestApp;
  let proxy: Awaited<ReturnType<typeof startProxy>>;
  beforeAll(async () => {
    proxy = await startProxy(strips);
    service = await startTestApp({ PUBLIC_URL: proxy.origin + PREFIX });
    await service.app.get(SampleData).load();
    proxy.to((service.app.getHttpServer() as { address(): AddressInfo }).address().port);
  }, 120_000);
  afterAll(async () => {
    proxy.server.close();
    proxy.server.closeAllConnections();
    await service.close();
  });

  it('every address that the service prints begins with the path, and answers', async () => {
    const start = proxy.origin + PREFIX;
    const followed = new Map<string, number>();
    const waiting = [
      '/',
      '/api/v1/',
      '/api/v1/FpmaSerie/?page_size=30',
      '/openapi.json',
      '/docs',
      '/llms.txt',
      '/desk/login',
    ].flatMap((path) => [
      [start + path, BROWSER_ACCEPT] as const,
      [start + path, 'application/json'] as const,
    ]);
    const outside: string[] = [];
    const broken: string[] = [];
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const [address, accept] = next;
      const reply = await fetch(address, { headers: { Accept: accept }, redirect: 'manual' });
      // Lists that need a parameter say so, and the login is a page alone.
      const isAnswered = reply.status < 400 || [400, 406].includes(reply.status);
      if (!isAnswered) broken.push(`${reply.status} ${address}`);
      const type = reply.headers.get('content-type') ?? '';
      const text = /html|json|markdown/.test(type) ? await reply.text() : (await reply.arrayBuffer(), '');
      const location = reply.headers.get('location');
      const found = [
        ...printed(text, type, address),
        ...(location === null ? [] : [new URL(location, address).href]),
      ];
      for (const each of found) {
        if (!each.startsWith(`${start}/`) && each !== start) {
          outside.push(`${address}: ${each}`);
          continue;
        }
        const form = formOf(each);
        const times = followed.get(form) ?? 0;
        // Forms and calls of programs are printed with places for values.
        if (times >= OF_EACH_FORM || /\{|%7B|\/mcp$|\/desk\/logout$/.test(each)) continue;
        followed.set(form, times + 1);
        if (followed.size < 150) waiting.push([each, BROWSER_ACCEPT]);
      }
    }
    expect(outside.slice(0, 10)).toEqual([]);
    expect(broken.slice(0, 10)).toEqual([]);
    expect(followed.size).toBeGreaterThan(60);
  }, 240_000);

  it('pages of a list are read to their end by `next`', async () => {
    let address: string | null =
      `${proxy.origin}${PREFIX}/giews/v4/price_module/api/v1/FpmaSerie/?page_size=30`;
    let series = 0;
    let count = -1;
    while (address !== null) {
      const page = (await (await fetch(address)).json()) as {
        count: number;
        next: string | null;
        results: object[];
      };
      series += page.results.length;
      ({ count, next: address } = page);
    }
    expect(series).toBe(count);
  });

  it('a target with scheme and host has the path, too', async () => {
    const { port } = (service.app.getHttpServer() as { address(): AddressInfo }).address();
    const absolute = `http://another.example${strips ? '' : PREFIX}/api/v1/Commodity/`;
    expect((await sendRequest(`http://127.0.0.1:${port}`, absolute)).status).toBe(200);
  });

  it('addresses in documents, problems and cookies follow', async () => {
    const json = async (path: string) => (await fetch(proxy.origin + PREFIX + path)).json() as Promise<never>;
    expect(((await json('/openapi.json')) as { servers: object }).servers).toEqual([{ url: PREFIX }]);
    expect(((await json('/api/v1/nothing')) as { type: string }).type).toBe(
      `${proxy.origin}${PREFIX}/problems/not_found`,
    );
    const start = /\/docs\/start[^"]*/.exec(await (await fetch(`${proxy.origin}${PREFIX}/docs`)).text())![0];
    expect(await (await fetch(proxy.origin + PREFIX + start)).text()).toContain(`'${PREFIX}/openapi.json'`);
    const login = await fetch(`${proxy.origin}${PREFIX}/desk/login`, {
      method: 'POST',
      redirect: 'manual',
      headers: { Origin: proxy.origin, Accept: BROWSER_ACCEPT },
      body: new URLSearchParams({ username: 'admin', password: 'tundra lamp 47 orchid' }),
    });
    expect([login.status, login.headers.get('location')]).toEqual([303, `${PREFIX}/desk/`]);
    expect(login.headers.get('set-cookie')).toMatch(
      /^desk_session=[\w-]{43}; Path=\/prices\/desk\/; HttpOnly/,
    );
  });
});

it('the paths that PUBLIC_URL may not begin with are those of the routes', async () => {
  const service = await startTestApp();
  const roots = service.app
    .get(RouteTable)
    .all()
    .map(({ pattern }) => pattern.split('/')[1]!.replace(/^:.*/, ''))
    .filter((root) => root !== '');
  expect([...new Set(roots)].sort()).toEqual([...OWN_PATHS]);
  await service.close();
});
