import { type AddressInfo } from 'node:net';
import { createServer, request, type Server } from 'node:http';
import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { readBody } from './read-body.js';
import type { RequestInfo } from './request.js';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const MEBIBYTE = 2 ** 20;
const CHUNKS = 24;
/** Bytes between two collections, each of which goes through all that earlier files have left. */
const COLLECTED_EVERY = 4 * MEBIBYTE;

let server: Server;
afterEach(() => server.close());

/** Sends a body to a server of its own. @param receive reads it there */
async function send(body: Readable, receive: (info: RequestInfo) => Promise<void>): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server = createServer((request, response) => {
      receive({ request, response } as unknown as RequestInfo)
        .then(resolve, reject)
        .finally(() => response.end());
    }).listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      const sent = request({ host: '127.0.0.1', port, method: 'POST', agent: false });
      sent.on('error', reject);
      body.pipe(sent);
    });
  });
}

it('R1: a body that is read in chunks is not kept until its end', async () => {
  const body = Readable.from(Array.from({ length: CHUNKS }, () => Buffer.alloc(MEBIBYTE)));
  const chunks: WeakRef<Buffer>[] = [];
  let mostAlive = 0;
  await send(body, async (info) => {
    let sinceLast = 0;
    for await (const chunk of readBody(info, { limit: CHUNKS * MEBIBYTE, stallMs: 30_000 })) {
      chunks.push(new WeakRef(chunk));
      sinceLast += chunk.length;
      if (sinceLast < COLLECTED_EVERY) continue;
      sinceLast = 0;
      // A weak reference that was made or read keeps its object until the turn ends.
      await nextTurn();
      collectGarbage();
      mostAlive = Math.max(mostAlive, chunks.filter((each) => each.deref() !== undefined).length);
    }
  });
  expect(chunks.length).toBeGreaterThan(CHUNKS);
  // The last one, and what had been received already.
  expect(mostAlive).toBeLessThan(chunks.length / 4);
});
