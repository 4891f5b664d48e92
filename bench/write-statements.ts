import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { createEmptyDatabase, engines, type Engine } from './databases.js';
import { importFile, publishedWrites } from './published-data.js';
import { httpSend } from './servers.js';
import type * as Servers from './servers.js';

/*
 *   npm run bench:write-statements -- --file FILE [--dist DIST] [--count 20] [--list]
 *
 * The statements of single writes on published prices from the one that begins the transaction to
 * COMMIT, while they hold the lock that serialises all writers; on a server also the packets that
 * carry them. Prints the median over some writes. FILE has the format `wfp`. `--dist` is the build
 * folder of another commit. `--list` prints the statements of the last write of each kind. MariaDB
 * is measured if TEST_DATABASE_URL names a server.
 */

const { values } = parseArgs({
  options: {
    file: { type: 'string' },
    dist: { type: 'string', default: join(import.meta.dirname, '..') },
    count: { type: 'string', default: '20' },
    list: { type: 'boolean', default: false },
  },
});
if (values.file === undefined) throw new Error('Specify --file, such as wfp_food_prices_ken.csv.gz.');
const file = resolve(values.file);
const dist = resolve(values.dist);
const count = Number(values.count);

/** How a process looks for the commits of others. */
const POLL = /^SELECT revision, /;
const BEGINS = /^(BEGIN|START TRANSACTION)/i;
const ENDS = /(^|; )COMMIT$/i;
/** Texts in quotes, which may hold what separates statements. */
const TEXTS = /'(?:[^'\\]|\\.|'')*'/g;

/** The packets of a transaction that has changed published data; none if there was none. */
function packetsOfChange(lines: readonly string[]): string[] {
  let open: string[] | null = null;
  for (const line of lines) {
    if (POLL.test(line)) continue;
    if (BEGINS.test(line)) open = [];
    open?.push(line);
    if (open === null || !ENDS.test(line)) continue;
    if (open.some((sql) => sql.includes('INSERT INTO revision'))) return open;
    open = null;
  }
  return [];
}

const statementsOf = (packets: readonly string[]) =>
  packets.flatMap((packet) => packet.replace(TEXTS, "''").split(/;\s*/)).filter((sql) => sql !== '');

const median = (numbers: readonly number[]) =>
  [...numbers].sort((one, other) => one - other)[Math.floor(numbers.length / 2)]!;

async function measure(engine: Engine): Promise<void> {
  const { startService } = (await import(join(dist, 'bench/servers.js'))) as typeof Servers;
  const database = await createEmptyDatabase(engine);
  importFile(dist, database.url, file);
  const log = join(tmpdir(), `statements-${process.pid}.log`);
  writeFileSync(log, '');
  const server = await startService(database.url, false, {
    NODE_OPTIONS: `--import ${join(import.meta.dirname, 'statement-log.js')}`,
    STATEMENT_LOG: log,
    STATEMENT_LOG_DIST: dist,
  });
  for (const [name, next] of Object.entries(await publishedWrites(server))) {
    const measured: string[][] = [];
    for (let write = 0; write < count; write++) {
      const before = readFileSync(log, 'utf8').length;
      await httpSend(server.port, next());
      const packets = packetsOfChange(readFileSync(log, 'utf8').slice(before).split('\n'));
      // A price may stay as it was.
      if (packets.length > 0) measured.push(packets);
    }
    const total = median(measured.map((packets) => statementsOf(packets).length));
    const packets = engine === 'SQLite' ? '' : ` in ${median(measured.map(({ length }) => length))} packets`;
    console.log(`${engine} | ${name} | ${total} statements${packets}`);
    if (values.list) for (const sql of statementsOf(measured.at(-1)!)) console.log(`  ${sql.slice(0, 200)}`);
  }
  await server.stop();
  await database.drop();
  rmSync(log);
}

for (const engine of engines) await measure(engine);
process.exit(0);
