import { jest } from '@jest/globals';
import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { abortIfStalled } from './stalled-response.js';

const STALL_MS = 30_000;
/** More than the buffers of a connection hold. */
const BODY = Buffer.alloc(32 * 1024 * 1024);

let server: Server;
let reader: Socket;
let responses: ServerResponse[];
beforeEach(async () => {
  responses = [];
  server = createServer((_, response) => void responses.push(response));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  // The timers of sockets stay real: within a test they never run out.
  jest.useFakeTimers({
    doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate', 'setTimeout', 'performance'],
  });
});
afterEach(() => {
  jest.useRealTimers();
  reader.destroy();
  server.closeAllConnections();
  server.close();
});

/** Sends requests on one connection, and reads nothing. */
async function request(count = 1, version = '1.1'): Promise<void> {
  reader = connect((server.address() as AddressInfo).port, '127.0.0.1');
  reader.on('error', () => undefined);
  reader.write(`GET / HTTP/${version}\r\nHost: x\r\n\r\n`.repeat(count));
  while (responses.length < count) await sleep(1);
}

function send(response: ServerResponse): void {
  response.end(BODY);
  expect(response.writableLength).toBeGreaterThan(0);
  abortIfStalled(response, STALL_MS);
}

/** Waits until the buffers of the connection are full. */
const untilFull = () => sleep(200);

describe('F12: a response whose reader accepts nothing more', () => {
  it('is aborted in time, although its first bytes were accepted', async () => {
    await request();
    send(responses[0]!);
    await untilFull();
    jest.advanceTimersByTime(STALL_MS - 1);
    expect(responses[0]!.destroyed).toBe(false);
    jest.advanceTimersByTime(STALL_MS / 10);
    expect(responses[0]!.destroyed).toBe(true);
  });

  it('is not aborted while it is read, however slowly', async () => {
    await request();
    send(responses[0]!);
    for (let round = 0; round < 3; round++) {
      const { bytesRead } = reader;
      while (reader.bytesRead < bytesRead + 8_000_000) {
        reader.read();
        await sleep(1);
      }
      await untilFull();
      jest.advanceTimersByTime(STALL_MS * 0.9);
    }
    expect(responses[0]!.destroyed).toBe(false);
  });

  it('is not aborted while it waits for an earlier one of its connection', async () => {
    await request(2);
    send(responses[1]!);
    jest.advanceTimersByTime(STALL_MS * 5);
    expect(responses[1]!.destroyed).toBe(false);
    responses[0]!.end();
    await untilFull();
    jest.advanceTimersByTime(STALL_MS * 1.1);
    expect(responses[1]!.destroyed).toBe(true);
  });

  it('leaves no timer when it has ended', async () => {
    await request();
    send(responses[0]!);
    reader.resume();
    await once(responses[0]!, 'close');
    expect(jest.getTimerCount()).toBe(0);
  });
});
