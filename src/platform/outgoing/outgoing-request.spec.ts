import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, createServer as createSocketServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { OutgoingFence, type Resolver } from './outgoing-fence.js';
import { OutgoingRequests } from './outgoing-request.js';

const FENCED =
  'The address is one of this machine or of an inner network, which OUTGOING_ALLOW does not name.';
const MAX_BYTES = 100_000;
const NO_PROXIES = { http: null, https: null, except: [] };

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

let server: Server;
let handler: Handler;
let asked: string[];
beforeEach(async () => {
  asked = [];
  server = createServer((request, response) => {
    asked.push(request.url!);
    handler(request, response);
  });
  server.on('error', () => undefined);
  await once(server.listen(0, '127.0.0.1'), 'listening');
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

const port = (of: Pick<Server, 'address'> = server) => (of.address() as AddressInfo).port;
const url = (path = '/', host = '127.0.0.1') => new URL(`http://${host}:${port()}${path}`);

interface Options {
  allowed?: readonly string[];
  resolve?: Resolver;
  headersOf?: (url: URL) => Record<string, string>;
  signal?: AbortSignal;
  proxies?: { http: string | null; https: string | null; except: readonly string[] };
}

const requests = ({ allowed = ['127.0.0.1'], resolve, proxies = NO_PROXIES }: Options) =>
  new OutgoingRequests(
    new OutgoingFence(allowed, resolve),
    proxies,
    { stallMs: 600, maxBytes: MAX_BYTES },
    'test',
  );

/** The whole reply of a GET, or why there is none. */
async function get(address: URL, options: Options = {}): Promise<unknown> {
  const { headersOf = () => ({}), signal = new AbortController().signal } = options;
  try {
    const reply = await requests(options).get({ url: address, headersOf, signal });
    const chunks: Uint8Array[] = [];
    for await (const chunk of reply.body) chunks.push(chunk);
    return [reply.status, Buffer.concat(chunks).toString()];
  } catch (error) {
    return (error as Error).message;
  }
}

const resolvesTo =
  (...answers: string[]): Resolver =>
  (_, callback) =>
    callback(null, [{ address: answers.length > 1 ? answers.shift()! : answers[0]!, family: 4 }]);

describe('an outgoing request', () => {
  it('is sent with its headers, and its reply is unpacked', async () => {
    handler = ({ headers }, response) => {
      response.setHeader('Content-Encoding', 'gzip');
      response.end(gzipSync(`${headers['user-agent']} ${headers['accept-encoding']} ${headers['x-key']}`));
    };
    expect(await get(url(), { headersOf: () => ({ 'X-Key': 'k' }) })).toEqual([200, 'test gzip k']);
  });

  it('connects to nothing that is not public', async () => {
    handler = (_, response) => response.end('inner');
    expect(await get(url(), { allowed: [] })).toBe(FENCED);
    expect(await get(url('/', 'example.org'), { allowed: [], resolve: resolvesTo('127.0.0.1') })).toBe(
      FENCED,
    );
    expect(await get(url('/', 'localhost'), { allowed: [] })).toBe(FENCED);
    expect(await get(new URL('http://169.254.169.254/latest/'))).toBe(FENCED);
    expect(await get(new URL('http://[::1]/'))).toBe(FENCED);
    expect(asked).toEqual([]);
  });

  it('asks a name server once, and connects to that answer', async () => {
    handler = (_, response) => response.end('first');
    let answers = 0;
    // Allowed is what the first answer has; the second one is a private address.
    const resolve: Resolver = (_, callback) =>
      callback(null, [{ address: answers++ === 0 ? '127.0.0.1' : '10.0.0.1', family: 4 }]);
    expect(await get(url('/', 'example.org'), { resolve })).toEqual([200, 'first']);
    expect(answers).toBe(1);
    expect(await get(url('/', 'example.org'), { resolve })).toBe(FENCED);
  });

  it.each([
    'http://169.254.169.254/latest/meta-data/',
    'http://127.0.0.2/',
    'http://[::ffff:10.0.0.1]/',
    '//10.0.0.1/',
  ])('follows no redirect to %s', async (location) => {
    handler = (_, response) => response.writeHead(302, { Location: location }).end();
    expect(await get(url())).toBe(FENCED);
  });

  it('checks what the name of a redirect resolves to', async () => {
    handler = (_, response) => response.writeHead(302, { Location: `http://b.org:${port()}/` }).end();
    expect(await get(url('/', 'a.org'), { resolve: resolvesTo('127.0.0.1', '192.168.0.1') })).toBe(FENCED);
    expect(asked).toHaveLength(1);
  });

  it('follows up to 5 redirects', async () => {
    const redirectsUntil =
      (last: number): Handler =>
      (request, response) => {
        const at = Number(request.url!.slice(1));
        if (at === last) response.end('there');
        else response.writeHead(301, { Location: `/${at + 1}` }).end('elsewhere');
      };
    handler = redirectsUntil(5);
    expect(await get(url('/0'))).toEqual([200, 'there']);
    handler = redirectsUntil(6);
    expect(await get(url('/0'))).toBe('The server redirects too often.');
    handler = (_, response) => response.writeHead(302, { Location: 'file:///etc/passwd' }).end();
    expect(await get(url())).toBe('A redirect leads to an address that is not https.');
    handler = (_, response) => response.writeHead(302, { Location: 'http://' }).end();
    expect(await get(url())).toBe('A redirect leads to no valid address.');
  });

  it('is told which address is asked after a redirect', async () => {
    const seen: (string | undefined)[] = [];
    handler = ({ url: path, headers }, response) => {
      seen.push(headers['x-key'] as string | undefined);
      if (path === '/') response.writeHead(307, { Location: `http://other.org:${port()}/x` }).end();
      else response.end();
    };
    const { origin } = url('/', 'own.org');
    const headersOf = (address: URL): Record<string, string> =>
      address.origin === origin ? { 'X-Key': 'k' } : {};
    expect(await get(url('/', 'own.org'), { headersOf, resolve: resolvesTo('127.0.0.1') })).toEqual([
      200,
      '',
    ]);
    expect(seen).toEqual(['k', undefined]);
  });

  it('is bounded in bytes, before and after decompression', async () => {
    handler = (_, response) => response.end('x'.repeat(MAX_BYTES + 1));
    expect(await get(url())).toBe('The server sends more than 100000 bytes.');
    // Made before the request, whose time is bounded.
    const bomb = gzipSync(Buffer.alloc(50_000_000));
    handler = (_, response) => response.setHeader('Content-Encoding', 'gzip').end(bomb);
    expect(await get(url())).toBe('The server sends more than 100000 bytes.');
    handler = (_, response) => {
      const more = () =>
        response.write('x'.repeat(10_000), () => void (response.destroyed || setImmediate(more)));
      more();
    };
    expect(await get(url())).toBe('The server sends more than 100000 bytes.');
  });

  it('is bounded in time: of the reply, and between its parts', async () => {
    handler = () => undefined;
    expect(await get(url())).toBe('The server did not reply in time.');
    handler = (_, response) => void response.write('a');
    expect(await get(url())).toBe('The server stopped sending data.');
    handler = (_, response) => {
      response.write('a');
      setTimeout(() => response.write('b'), 200);
      setTimeout(() => response.end('c'), 400);
    };
    expect(await get(url())).toEqual([200, 'abc']);
  });

  it('has failed where its reply is cut short', async () => {
    const cut = 'The connection was closed before all of the file had come.';
    handler = (_, response) => {
      response.setHeader('Content-Length', 1000);
      response.write('half', () => response.destroy());
    };
    expect(await get(url())).toBe(cut);
    handler = (_, response) => void response.write('half', () => response.destroy());
    expect(await get(url())).toBe(cut);
    handler = (_, response) => {
      response.setHeader('Content-Encoding', 'gzip');
      response.end(gzipSync('a'.repeat(5000)).subarray(0, 20));
    };
    expect(await get(url())).toBe('The compressed reply is damaged or cut short.');
    handler = (_, response) => response.setHeader('Content-Encoding', 'br').end('x');
    expect(await get(url())).toBe('The server sends a content encoding that was not asked for.');
  });

  it('says why there is no reply, without any address', async () => {
    handler = (_, response) => void response.socket!.destroy();
    expect(await get(url())).toBe('The server closed the connection.');
    const closed = createSocketServer();
    await once(closed.listen(0, '127.0.0.1'), 'listening');
    const address = new URL(`http://127.0.0.1:${port(closed)}/`);
    closed.close();
    expect(await get(address)).toBe('The server refused the connection.');
    const resolve: Resolver = (_, callback) =>
      callback(Object.assign(new Error(), { code: 'ENOTFOUND' }), []);
    expect(await get(url('/', 'example.org'), { resolve })).toBe(
      'The name of the server could not be resolved.',
    );
    expect(await get(new URL(url().href.replace('http:', 'https:')))).toMatch(
      /^The certificate or the encryption of the server is not valid/,
    );
    const garbage = createSocketServer((socket) => socket.end('220 mail.example.org ESMTP\r\n'));
    await once(garbage.listen(0, '127.0.0.1'), 'listening');
    expect(await get(new URL(`http://127.0.0.1:${port(garbage as Server)}/`))).toBe(
      'The server does not reply by HTTP.',
    );
    garbage.close();
  });

  it('ends when it is stopped', async () => {
    handler = (_, response) => void response.write('a');
    const stop = new AbortController();
    const pending = get(url(), { signal: stop.signal });
    await sleep(50);
    stop.abort();
    expect(await pending).toBe('The connection was closed before all of the file had come.');
  });

  describe('by a proxy', () => {
    let proxy: Server;
    let tunnels: string[];
    beforeEach(async () => {
      tunnels = [];
      proxy = createServer((request, response) =>
        response.end(`proxied ${request.url} ${request.headers['proxy-authorization'] ?? ''}`),
      );
      proxy.on('connect', (request: IncomingMessage, socket: Socket) => {
        tunnels.push(`${request.url} ${request.headers['proxy-authorization'] ?? ''}`);
        const target = connect(port(), '127.0.0.1', () => {
          socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
          target.pipe(socket).pipe(target);
        });
        for (const each of [target, socket]) each.on('error', () => undefined);
      });
      await once(proxy.listen(0, '127.0.0.1'), 'listening');
    });
    afterEach(() => {
      proxy.closeAllConnections();
      proxy.close();
    });
    const proxies = (except: readonly string[] = []) => {
      const address = `http://me:word@127.0.0.1:${port(proxy)}`;
      return { http: address, https: address, except };
    };

    it('asks it for http addresses, and opens a tunnel for https', async () => {
      const auth = `Basic ${Buffer.from('me:word').toString('base64')}`;
      const http = await get(new URL('http://example.org/a?b=c'), { allowed: [], proxies: proxies() });
      expect(http).toEqual([200, `proxied http://example.org/a?b=c ${auth}`]);
      // The server behind it has no certificate.
      expect(await get(new URL('https://example.org/'), { allowed: [], proxies: proxies() })).toMatch(
        /^The certificate or the encryption/,
      );
      expect(tunnels).toEqual([`example.org:443 ${auth}`]);
    });

    it('asks it for no inner name or address', async () => {
      for (const host of ['localhost', '127.0.0.1', '169.254.169.254', 'metadata.google.internal', '[::1]'])
        expect(await get(new URL(`https://${host}/`), { allowed: [], proxies: proxies() })).toBe(FENCED);
      expect(tunnels).toEqual([]);
    });

    it('does without it for the exceptions', async () => {
      handler = (_, response) => response.end('direct');
      const resolve = resolvesTo('127.0.0.1');
      for (const item of ['*', 'example.org', '.org', 'org', `example.org:${port()}`, '*.org'])
        expect(await get(url('/', 'example.org'), { proxies: proxies([item]), resolve })).toEqual([
          200,
          'direct',
        ]);
      for (const item of ['127.0.0.1', '127.0.0.0/8'])
        expect(await get(url('/'), { proxies: proxies([item]) })).toEqual([200, 'direct']);
      for (const item of ['ample.org', 'example.org:1', '10.0.0.0/8'])
        expect(await get(url('/', 'example.org'), { proxies: proxies([item]), resolve })).toEqual([
          200,
          expect.stringMatching(/^proxied/),
        ]);
    });
  });
});
