import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type * as Databases from './databases.js';
import { SIZES } from './data.js';
import { percentile } from './load.js';
import type * as Servers from './servers.js';

/*
 *   npm run bench:waiting -- [--commits 20] [--release DIST]
 *
 * What a commit costs the serving thread while clients wait for changes: its processor time until
 * the write is answered, and until all who wait are, with none, 20 and 500 of them, in turn.
 * `--release` is the build folder of another release.
 */

const { values } = parseArgs({
  options: {
    commits: { type: 'string', default: '20' },
    release: { type: 'string', default: join(import.meta.dirname, '..') },
  },
});
const COMMITS = Number(values.commits);
const NUMBERS = [0, 20, 500];
/** Clients of one address: fewer than the service allows. */
const PER_ADDRESS = 80;
/** Milliseconds until the last of the clients waits. */
const SETTLE_MS = 300;

const dist = resolve(values.release);
const { createDatabase, fillDatabase } = (await import(join(dist, 'bench/databases.js'))) as typeof Databases;
const { admin, httpPost, startService } = (await import(join(dist, 'bench/servers.js'))) as typeof Servers;
const database = await createDatabase('SQLite');
await fillDatabase(database, { ...SIZES.S, points: 100_000 });
const server = await startService(database.url);
const { access } = await httpPost<{ access: string }>(server.port, '/api/auth/login/', admin);
const agent = new Agent({ keepAlive: true, maxSockets: 1000 });

function send(path: string, localAddress: string, body?: object): Promise<string> {
  const headers = { 'Content-Type': 'application/json', Authorization: `Bearer ${access}` };
  return new Promise((done, failed) => {
    const method = body === undefined ? 'GET' : 'PATCH';
    const options = { host: '127.0.0.1', port: server.port, path, localAddress, agent, method };
    request(body === undefined ? options : { ...options, headers }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      response.on('end', () =>
        response.statusCode === 200
          ? done(text)
          : failed(new Error(`${path}: ${response.statusCode} ${text}`)),
      );
    })
      .on('error', failed)
      .end(body === undefined ? undefined : JSON.stringify(body));
  });
}

/** Milliseconds of processor time of the serving thread. */
const servingThread = () =>
  Number(readFileSync(`/proc/${server.child.pid}/task/${server.child.pid}/schedstat`, 'utf8').split(' ')[0]) /
  1e6;

let writes = 0;
const found = new Map(
  NUMBERS.map((count) => [count, { write: [] as number[], all: [] as number[], ms: [] as number[] }]),
);
for (let commit = 0; commit < COMMITS; commit++) {
  for (const [count, times] of found) {
    const { next } = JSON.parse(await send('/api/v1/Changes/?since=now', '127.0.0.2')) as { next: string };
    const waiting: Promise<string>[] = [];
    for (let client = 0; client < count; client++) {
      const address = `127.0.0.${3 + Math.floor(client / PER_ADDRESS)}`;
      const path = `/api/v1/Changes/?since=${next}&wait=60&limit=${100 + (client % 50)}`;
      waiting.push(send(path, address));
      // Those that begin at the same time would be too many requests in work.
      if (client % PER_ADDRESS === 0) await sleep(SETTLE_MS);
    }
    await sleep(SETTLE_MS);
    const before = servingThread();
    const began = performance.now();
    await send('/api/v1/Source/1/', '127.0.0.2', { source_license: `Change ${++writes}` });
    times.write.push(servingThread() - before);
    times.ms.push(performance.now() - began);
    await Promise.all(waiting);
    times.all.push(servingThread() - before);
  }
}
console.log(
  '| waiting | until the write is answered, ms of the thread | elapsed ms | until all are answered |',
);
console.log('|--:|--:|--:|--:|');
for (const [count, times] of found) {
  const cells = [times.write, times.ms, times.all].map((numbers) =>
    percentile(
      numbers.sort((one, other) => one - other),
      0.5,
    ).toFixed(1),
  );
  console.log(`| ${count} | ${cells.join(' | ')} |`);
}
agent.destroy();
await server.stop();
await database.drop();
process.exit(0);
