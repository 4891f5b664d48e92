import { Agent, createServer, get, type IncomingMessage, type Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { Draining } from '../../src/operations/draining.js';
import { GracefulShutdown } from '../../src/operations/graceful-shutdown.js';

/** A server whose answers wait until they are let go, and an orderly end that notes instead of ending the process. */
async function startServer(delay = 0) {
  const waiting: (() => void)[] = [];
  const server: Server = createServer((request, response) => {
    if (request.url === '/slow') waiting.push(() => response.end('slow'));
    else response.end('quick');
  });
  const notes: string[] = [];
  const codes: number[] = [];
  const draining = new Draining();
  const ended = new Promise<number>((resolve) => {
    const end = new GracefulShutdown({
      server,
      draining,
      delay,
      lastAnswers: () => notes.push('last answers'),
      close: async () => void notes.push('closed'),
      log: { log: (message) => notes.push(message), error: (message) => notes.push(String(message)) },
      exit: (code) => {
        codes.push(code);
        resolve(code);
      },
    });
    Object.assign(handle, { end });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { server, waiting, notes, codes, draining, ended, port, end: handle.end! };
}
const handle: { end?: GracefulShutdown } = {};

async function fetchText(port: number, path: string, agent?: Agent) {
  const [response] = (await once(get({ port, path, agent }), 'response')) as [IncomingMessage];
  let text = '';
  for await (const chunk of response) text += String(chunk);
  return text;
}

async function socketTo(port: number, text: string): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  socket.write(text);
  return socket;
}

describe('F11: the orderly end', () => {
  it('finishes what is under way, closes idle connections, and ends with 0', async () => {
    const { waiting, notes, draining, ended, port, end } = await startServer();
    const agent = new Agent({ keepAlive: true });
    expect(await fetchText(port, '/quick', agent)).toBe('quick');
    const unused = await socketTo(port, '');
    const slow = fetchText(port, '/slow');
    while (waiting.length === 0) await sleep(5);

    const unusedClosed = once(unused, 'close');
    end.signal('SIGTERM');
    expect(draining.active).toBe(true);
    await unusedClosed;
    await expect(fetchText(port, '/quick')).rejects.toThrow('ECONNREFUSED');
    expect(notes).toEqual(['SIGTERM: finishing what is under way.', 'last answers']);
    waiting[0]!();
    expect(await slow).toBe('slow');
    expect(await ended).toBe(0);
    expect(notes.at(-1)).toBe('closed');
    agent.destroy();
  });

  it('still accepts while the delay lasts', async () => {
    const { draining, ended, port, end } = await startServer(0.3);
    end.signal('SIGINT');
    expect(draining.active).toBe(true);
    expect(await fetchText(port, '/quick')).toBe('quick');
    expect(await ended).toBe(0);
    await expect(fetchText(port, '/quick')).rejects.toThrow('ECONNREFUSED');
  });

  it('does not wait for a request that never arrives whole', async () => {
    const { ended, port, end } = await startServer();
    const half = await socketTo(port, 'GET /quick HTTP/1.1\r\nHost');
    await sleep(20);
    end.signal('SIGTERM');
    expect(await ended).toBe(0);
    half.destroy();
  });

  it('ends at once with 1 on a second signal', async () => {
    const { server, waiting, notes, codes, port, end } = await startServer();
    const slow = fetchText(port, '/slow').catch(() => 'cut');
    while (waiting.length === 0) await sleep(5);
    end.signal('SIGTERM');
    end.signal('SIGINT');
    expect(codes).toEqual([1]);
    expect(notes.at(-1)).toBe('SIGINT again: ending at once.');
    waiting[0]!();
    expect(await slow).toBe('slow');
    server.closeAllConnections();
  });

  it('F15: ends in order with 1 after an error outside of requests', async () => {
    for (const reason of [new Error('broken'), 'just text']) {
      const { notes, ended, end } = await startServer();
      end.fail(reason);
      expect(await ended).toBe(1);
      expect(notes).toEqual([
        reason instanceof Error ? 'Error: broken' : 'Error: Rejected without an error: just text',
        'An error outside of requests: finishing what is under way, then ending with 1.',
        'last answers',
        'closed',
      ]);
    }
  });

  it('F16: does not look at the time of day', async () => {
    const { ended, end } = await startServer();
    const dateNow = Date.now;
    Date.now = () => dateNow() - 3_600_000;
    try {
      end.signal('SIGTERM');
      expect(await ended).toBe(0);
    } finally {
      Date.now = dateNow;
    }
  });
});
