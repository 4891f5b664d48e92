import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { createEmptyDatabase, engines, type Engine } from './databases.js';
import { runLoad, type LoadRequest } from './load.js';
import type { MeasuredServer } from './processes.js';
import { importFile, publishedWrites } from './published-data.js';
import { compare } from './rounds.js';
import type * as Servers from './servers.js';

/*
 *   npm run bench:published-writes -- --file FILE [--before DIST] [--only PATCH] [--workers 2]
 *       [--seconds 2] [--rounds 5] [--connections 1,8,32] [--engines SQLite,MariaDB]
 *
 * Writes a second on published prices, which rules have much to say about: made-up series hide what
 * their checks cost. FILE has the format `wfp`. `--before` is the build folder of another commit,
 * whose writes are measured in turn. Rounds are short: beyond 40,000 commodities their names are
 * not held for comparison, and each POST reads them all. MariaDB is measured if TEST_DATABASE_URL
 * names a server, on a database of its own.
 */

const { values } = parseArgs({
  options: {
    file: { type: 'string' },
    before: { type: 'string' },
    only: { type: 'string', default: '' },
    workers: { type: 'string', default: '1' },
    seconds: { type: 'string', default: '2' },
    rounds: { type: 'string', default: '5' },
    connections: { type: 'string', default: '1,8,32' },
    engines: { type: 'string', default: engines.join(',') },
  },
});
if (values.file === undefined) throw new Error('Specify --file, such as wfp_food_prices_ken.csv.gz.');
const file = resolve(values.file);
const rounds = { count: Number(values.rounds), duration: Number(values.seconds) * 1000 };

/** A build with the published prices in a database of its own. */
interface Release {
  server: MeasuredServer;
  writes: Record<string, () => LoadRequest>;
  drop: () => Promise<void>;
}

async function startRelease(dist: string, engine: Engine): Promise<Release> {
  const { startService } = (await import(join(dist, 'bench/servers.js'))) as typeof Servers;
  const database = await createEmptyDatabase(engine);
  importFile(dist, database.url, file);
  const server = await startService(database.url, false, { WORKERS: values.workers });
  const drop = () => server.stop().then(() => database.drop());
  return { server, writes: await publishedWrites(server), drop };
}

const whole = (value: number) => Math.round(value).toLocaleString('en');

for (const engine of engines.filter((engine) => values.engines.split(',').includes(engine))) {
  const ours = await startRelease(join(import.meta.dirname, '..'), engine);
  const theirs = values.before === undefined ? null : await startRelease(resolve(values.before), engine);
  for (const [name, next] of Object.entries(ours.writes)) {
    if (!name.includes(values.only)) continue;
    for (const connections of values.connections.split(',').map(Number)) {
      let cells: string;
      if (theirs === null) {
        const { perSecond, p99 } = await runLoad({
          port: ours.server.port,
          next,
          connections,
          duration: rounds.duration,
        });
        cells = `${whole(perSecond)} a second, p99 ${p99.toFixed(1)} ms`;
      } else {
        const { server, writes } = theirs;
        const compared = await compare(
          { server: ours.server, next },
          { server, next: writes[name]! },
          connections,
          rounds,
        );
        cells =
          `${whole(compared.theirs.perSecond)} → ${whole(compared.ours.perSecond)} a second,` +
          ` × ${compared.ratio.toFixed(2)}, p99 ${compared.theirs.p99.toFixed(1)} → ${compared.ours.p99.toFixed(1)} ms` +
          (Object.keys(compared.unexpected).length > 0 ? `, ${JSON.stringify(compared.unexpected)}` : '');
      }
      console.log(`${engine} | ${name} | ${connections} | ${cells}`);
    }
  }
  await ours.drop();
  await theirs?.drop();
}
process.exit(0);
