import { Agent, createServer, get, type IncomingMessage, type Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { Draining } from '../../src/platform/shutdown/draining.js';
import { GracefulShutdown } from '../../src/platform/shutdown/graceful-shutdown.js';

/** A server whose slow responses wait to be released, and a shutdown that records its steps. */
async function startServer(delay = 0) {
  const waiting: (() => void)[] = [];
  const server: Server = createServer((request, response) => {
    if (request.url === '/slow') waiting.push(() => response.end('slow'));
    else response.end('quick');
  });
  const steps: string[] = [];
  const codes: number[] = [];
  const draining = new Draining();
  const ended = new Promise<number>((resolve) => {
    const shutdown = new GracefulShutdown({
      server,
      draining,
      delay,
      disableKeepAlive: () => steps.push('keep-alive disabled'),
      close: async () => void steps.push('closed'),
      log: { log: (message) => steps.push(message), error: (message) => steps.push(String(message)) },
      exit: (code) => {
        codes.push(code);
        resolve(code);
      },
    });
    Object.assign(handle, { shutdown });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { server, waiting, steps, codes, draining, ended, port, shutdown: handle.shutdown! };
}
const handle: { shutdown?: GracefulShutdown } = {};

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

describe('F11: graceful shutdown', () => {
  it('finishes requests in progress, closes idle connections, and exits with 0', async () => {
    const { waiting, steps, draining, ended, port, shutdown } = await startServer();
    const agent = new Agent({ keepAlive: true });
    expect(await fetchText(port, '/quick', agent)).toBe('quick');
    const unused = await socketTo(port, '');
    const slow = fetchText(port, '/slow');
    while (waiting.length === 0) await sleep(5);

    const unusedClosed = once(unused, 'close');
    shutdown.onSignal('SIGTERM');
    expect(draining.active).toBe(true);
    await unusedClosed;
    await expect(fetchText(port, '/quick')).rejects.toThrow('ECONNREFUSED');
    expect(steps).toEqual(['SIGTERM received: finishing requests in progress.', 'keep-alive disabled']);
    waiting[0]!();
    expect(await slow).toBe('slow');
    expect(await ended).toBe(0);
    expect(steps.at(-1)).toBe('closed');
    agent.destroy();
  });

  it('still accepts connections during the delay', async () => {
    const { draining, ended, port, shutdown } = await startServer(0.3);
    shutdown.onSignal('SIGINT');
    expect(draining.active).toBe(true);
    expect(await fetchText(port, '/quick')).toBe('quick');
    expect(await ended).toBe(0);
    await expect(fetchText(port, '/quick')).rejects.toThrow('ECONNREFUSED');
  });

  it('does not wait for a request that never arrives completely', async () => {
    const { ended, port, shutdown } = await startServer();
    const half = await socketTo(port, 'GET /quick HTTP/1.1\r\nHost');
    await sleep(20);
    shutdown.onSignal('SIGTERM');
    expect(await ended).toBe(0);
    half.destroy();
  });

  it('exits at once with 1 on a second signal', async () => {
    const { server, waiting, steps, codes, port, shutdown } = await startServer();
    const slow = fetchText(port, '/slow').catch(() => 'aborted');
    while (waiting.length === 0) await sleep(5);
    shutdown.onSignal('SIGTERM');
    shutdown.onSignal('SIGINT');
    expect(codes).toEqual([1]);
    expect(steps.at(-1)).toBe('SIGINT received again: exiting now.');
    waiting[0]!();
    expect(await slow).toBe('slow');
    server.closeAllConnections();
  });

  it('F15: exits gracefully with 1 after an error outside of requests', async () => {
    for (const reason of [new Error('broken'), 'just text']) {
      const { steps, ended, shutdown } = await startServer();
      shutdown.onError(reason);
      expect(await ended).toBe(1);
      expect(steps).toEqual([
        reason instanceof Error ? 'Error: broken' : 'Error: Unhandled rejection: just text',
        'Uncaught error outside of requests: finishing requests in progress, then exiting with 1.',
        'keep-alive disabled',
        'closed',
      ]);
    }
  });

  it('F16: does not depend on the system time', async () => {
    const { ended, shutdown } = await startServer();
    const dateNow = Date.now;
    Date.now = () => dateNow() - 3_600_000;
    try {
      shutdown.onSignal('SIGTERM');
      expect(await ended).toBe(0);
    } finally {
      Date.now = dateNow;
    }
  });
});
