import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { IncomingBodies } from '../../src/platform/http/request/incoming-bodies.js';
import { RouteGuard } from '../../src/platform/http/route.guard.js';
import { expectRawProblem, parseRawResponse } from '../support/http.js';
import { startTestApp, type TestApp, testAdmin } from '../support/test-app.js';

/** A connection from an address of the loopback, and what it receives. */
interface Client {
  socket: Socket;
  received: string;
  closed: boolean;
}

let service: TestApp;
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
  beforeEach(async () => (service = await startTestApp()));

  it('do not count as work, and above their limit the oldest are rejected', async () => {
    const incoming = service.app.get(IncomingBodies);
    const slow: Client[] = [];
    for (let index = 0; index < 200; index++)
      slow.push(await open(2 + (index % 4), `${head(100)}{"username":`));
    await until(() => incoming.count === 200);
    expect(service.app.get(RouteGuard).inWork).toBe(0);
    await service.http().get('/api/v1/Commodity/?name=x').expect(200);
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
    await until(() => incoming.count === 0);
  });
});
