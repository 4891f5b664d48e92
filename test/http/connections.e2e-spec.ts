import { once } from 'node:events';
import type { Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { ConcurrencyLimits } from '../../src/platform/http/overload/limits.js';
import type { Variables } from '../../src/config/environment.js';
import { expectRawProblem, parseRawResponse } from '../support/http.js';
import { startTestApp, type TestApp, testAdmin } from '../support/test-app.js';
import { type SampleAppOptions, startSampleApp } from './sample-app.js';

/** A connection from an address of the loopback, and what it receives. */
interface Client {
  socket: Socket;
  received: string;
  closed: boolean;
}

let service: Pick<TestApp, 'app' | 'close'>;
let clients: Client[];

beforeEach(() => (clients = []));
afterEach(async () => {
  for (const { socket } of clients) socket.destroy();
  await service.close();
});

/** Opens a connection from `127.0.0.<host>` and sends a text. */
async function open(host: number, text = ''): Promise<Client> {
  const { port } = service.app.getHttpServer().address() as AddressInfo;
  const socket = connect({ port, host: '127.0.0.1', localAddress: `127.0.0.${host}` });
  const client: Client = { socket, received: '', closed: false };
  socket.on('data', (chunk) => (client.received += String(chunk)));
  socket.on('error', () => undefined);
  socket.on('close', () => (client.closed = true));
  clients.push(client);
  await once(socket, 'connect');
  socket.write(text);
  return client;
}

/** Waits for what happens soon, or the test's time limit. */
async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await sleep(5);
}

const head = (length: number) =>
  `POST /api/auth/login/ HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`;

describe('F12: bodies that arrive slowly', () => {
  it('do not count as work, and above their limit the oldest are rejected', async () => {
    const app = await startTestApp();
    service = app;
    const { bodies, requests } = app.app.get(ConcurrencyLimits);
    const slow: Client[] = [];
    for (let index = 0; index < 200; index++)
      slow.push(await open(2 + (index % 4), `${head(100)}{"username":`));
    await until(() => bodies.size === 200);
    expect(requests.size).toBe(0);
    await app.http().get('/api/v1/Commodity/?name=x').expect(200);
    expect(slow.filter(({ received }) => received !== '')).toEqual([]);

    // Another one that arrives in two parts is waited for; the oldest makes room.
    const body = JSON.stringify(testAdmin);
    const login = await open(9, `${head(body.length)}${body.slice(0, 10)}`);
    await until(() => slow[0]!.closed);
    const rejected = parseRawResponse(slow[0]!.received);
    expectRawProblem(rejected, 'unavailable');
    expect(rejected.headers).toMatchObject({ connection: 'close', 'retry-after': '1' });
    login.socket.write(body.slice(10));
    await until(() => login.received.includes('"access"'));
    expect(login.received).toMatch(/^HTTP\/1\.1 200 /);
    expect(slow.slice(1).filter(({ received }) => received !== '')).toEqual([]);

    for (const { socket } of slow) socket.destroy();
    await until(() => bodies.size === 0);
  });
});

const GET = 'GET /health/live HTTP/1.1\r\nHost: localhost\r\n\r\n';

/** Sends a request on a connection that is open, and waits for the response. */
async function request(client: Client): Promise<void> {
  const { received } = client;
  client.socket.write(GET);
  await until(() => client.received.length > received.length || client.closed);
}

const closedOf = (of: Client[]) => of.map(({ closed }) => closed);

describe('F12: connections of one address', () => {
  const start = async (variables: Variables) => (service = await startTestApp(variables));

  it('above the limit, the idle one whose last request is oldest is closed', async () => {
    await start({ MAX_CONNECTIONS_PER_ADDRESS: '3' });
    const [first, second, third] = [await open(2), await open(2), await open(2)];
    for (const client of [second, first, third]) await request(client);
    const other = await open(3);
    await request(other);
    expect(closedOf([first, second, third])).toEqual([false, false, false]);

    const fourth = await open(2);
    await until(() => second.closed);
    await request(fourth);
    expect(fourth.received).toMatch(/^HTTP\/1\.1 200 /);
    await request(first);
    const fifth = await open(2);
    await until(() => third.closed);
    await request(fifth);
    expect(closedOf([first, fourth, fifth, other])).toEqual([false, false, false, false]);
  });

  it('the new one is closed where all have a request in progress', async () => {
    await start({ MAX_CONNECTIONS_PER_ADDRESS: '3' });
    const { bodies } = service.app.get(ConcurrencyLimits);
    const busy = await Promise.all([1, 2, 3].map(() => open(2, `${head(100)}{"username":`)));
    await until(() => bodies.size === 3);
    const added = await open(2);
    await until(() => added.closed);
    expect(added.received).toBe('');
    expect(closedOf(busy)).toEqual([false, false, false]);

    busy[1]!.socket.destroy();
    await until(() => bodies.size === 2);
    const again = await open(2);
    await request(again);
    expect(again.received).toMatch(/^HTTP\/1\.1 200 /);
  });

  it('are 100 by default', async () => {
    await start({});
    const all: Client[] = [];
    for (let index = 0; index < 101; index++) {
      const client = await open(2);
      await request(client);
      all.push(client);
    }
    await until(() => all[0]!.closed);
    expect(closedOf(all.slice(1))).not.toContain(true);
  });

  it.each([
    { MAX_CONNECTIONS_PER_ADDRESS: '3', TRUST_PROXY: '127.0.0.2' },
    { MAX_CONNECTIONS_PER_ADDRESS: '0' },
  ])('are not limited with %j', async (variables) => {
    await start(variables);
    const all = await Promise.all(Array.from({ length: 8 }, () => open(2)));
    for (const client of all) await request(client);
    expect(closedOf(all)).not.toContain(true);
  });
});

const UPGRADE = 'GET /live HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n';

describe('F12: connections in all', () => {
  const startSample = async (options: SampleAppOptions) => {
    const sample = await startSampleApp(options);
    service = { app: sample.app, close: () => sample.app.close() };
    return sample;
  };

  it('one that is closed for another of its client closes no connection of others', async () => {
    await startSample({ limits: { sockets: 3 }, variables: { MAX_CONNECTIONS_PER_ADDRESS: '2' } });
    const other = await open(3);
    await request(other);
    const own = [await open(2), await open(2)];
    for (const client of own) await request(client);
    const added = await open(2);
    await until(() => own[0]!.closed);
    await request(added);
    expect(closedOf([other, own[1]!, added])).toEqual([false, false, false]);
  });

  it('those of gateways are in use, however long ago they were requested', async () => {
    const { app, limits } = await startSample({ limits: { sockets: 3 } });
    const server = app.getHttpServer() as Server;
    server.on('upgrade', (_, socket) => {
      socket.write('HTTP/1.1 101 Switching Protocols\r\n\r\n');
      socket.once('end', () => socket.destroy()).resume();
    });
    const gateway = [await open(2, UPGRADE), await open(2, UPGRADE)];
    await until(() => gateway.every(({ received }) => received.startsWith('HTTP/1.1 101')));
    const idle = await open(3);
    await request(idle);
    const added = await open(4);
    await until(() => idle.closed);
    await request(added);
    expect(closedOf([...gateway, added])).toEqual([false, false, false]);
    for (const { socket } of gateway) socket.destroy();
    await until(() => limits.connections.size === 1);
  });

  it('above the limit, the idle one whose last request is oldest is closed', async () => {
    await startSample({ limits: { sockets: 3 } });
    const [first, second, third] = [await open(2), await open(3), await open(4)];
    for (const client of [first, third, second]) await request(client);
    await request(first);
    const fourth = await open(5);
    await until(() => third.closed);
    await request(fourth);
    expect(fourth.received).toMatch(/^HTTP\/1\.1 200 /);
    expect(closedOf([first, second])).toEqual([false, false]);
  });
});
