import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { Writable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { ChunkReader, writeChunks } from './stream-reply.js';

const listeners = {
  onChunk: () => undefined,
  onSlowReader: async (drained: Promise<unknown>) => void (await drained),
  betweenChunks: () => Promise.resolve(),
};

/** Rows that end as soon as the system takes no more of them, so that some are still to be sent. */
async function* untilFull(response: ServerResponse): AsyncGenerator<string> {
  do {
    yield 'x'.repeat(8192);
    // What is written waits for the end of the turn.
    await setImmediate();
  } while (response.writableLength === 0);
}

describe('F12: a reader that is slow but steady', () => {
  it('gets a part whole that takes it longer than it may stand still', async () => {
    const taken: number[] = [];
    const server = createServer((_, response) => {
      // Takes a kilobyte in a millisecond.
      const sink = new Writable({
        write(chunk: Buffer, _encoding, done) {
          taken.push(chunk.length);
          setTimeout(done, chunk.length / 1024);
        },
      });
      void writeChunks([], new ChunkReader(['x'.repeat(1024 * 1024)]), {
        response,
        signal: new AbortController().signal,
        sink,
        stallMs: 400,
        ...listeners,
      }).then((complete) => response.end(String(complete)));
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    try {
      const { port } = server.address() as AddressInfo;
      const answer = await fetch(`http://127.0.0.1:${port}/`);
      expect(await answer.text()).toBe('true');
      expect(taken.reduce((one, other) => one + other)).toBe(1024 * 1024);
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });
});

describe('F12: rows that are all written', () => {
  let server: Server;
  let reader: Socket;
  afterEach(() => {
    reader.destroy();
    server.closeAllConnections();
    server.close();
  });

  it('but not read are not waited for without end', async () => {
    let complete: boolean | null = null;
    server = createServer((_, response) => {
      const writing = {
        response,
        signal: new AbortController().signal,
        sink: response,
        stallMs: 200,
        ...listeners,
      };
      void writeChunks([], new ChunkReader(untilFull(response)), writing).then((done) => (complete = done));
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    reader = connect((server.address() as AddressInfo).port, '127.0.0.1');
    reader.on('error', () => undefined);
    reader.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    const [socket] = (await once(server, 'connection')) as [Socket];
    await once(socket, 'close');
    expect(complete).toBe(true);
  });
});
