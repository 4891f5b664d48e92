import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { Parts, writeParts } from './row-writer.js';

/** Rows that end as soon as the system takes no more of them, so that some are still to be sent. */
async function* untilFull(response: ServerResponse): AsyncGenerator<string> {
  do {
    yield 'x'.repeat(8192);
    // What is written waits for the end of the turn.
    await setImmediate();
  } while (response.writableLength === 0);
}

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
        sink: response,
        stallMs: 200,
        onPart: () => undefined,
        onSlowReader: () => undefined,
      };
      void writeParts([], new Parts(untilFull(response)), writing).then((done) => (complete = done));
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
