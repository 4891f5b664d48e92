import { superviseWorkers, supervises } from './cluster.js';
import { InvalidEnvironment, type Environment } from './config/environment.js';
import { UnsupportedNode } from './config/node-version.js';
import { loadEnvironment } from './config/load-environment.js';
import {
  disableParallelScavenges,
  disablePretenuring,
  limitHeapGrowth,
} from './platform/runtime/garbage-collection.js';
import { Supervised } from './platform/workers/supervised.js';
import { keepTickClass } from './platform/runtime/tick-class.js';
import { UnusableDatabaseError } from './database/errors/unusable-database.error.js';

/**
 * Keeps the service near 350 MB under steady load, with Node.js 22 near 400; without it, it came to
 * 512 MB in the benchmark. It costs lists nothing, and prices of whole series up to a quarter of
 * their rate.
 */
const HEAP_GROWTH_PERCENT = 30;

async function start(): Promise<void> {
  const environment = loadEnvironment();
  if (supervises(environment)) superviseWorkers(environment);
  else await serve(environment);
}

async function serve(environment: Environment): Promise<void> {
  limitHeapGrowth(HEAP_GROWTH_PERCENT);
  disablePretenuring();
  disableParallelScavenges();
  keepTickClass();
  const supervised = Supervised.here();
  // Imported here only: a supervisor needs nothing of the service.
  const { startServer } = await import('./server.js');
  await startServer(environment, supervised, exitWith);
}

/** Exits with a line that says why; only unexpected errors come with their stack. */
function exitWith(error: unknown): void {
  const expected = [InvalidEnvironment, UnusableDatabaseError, UnsupportedNode].some(
    (kind) => error instanceof kind,
  );
  console.error(expected ? (error as Error).message : (listenFailure(error) ?? error));
  process.exit(1);
}

/** Why the service cannot listen at its address; null for any other error. */
function listenFailure(error: unknown): string | null {
  const { code, syscall, address, port } = error as NodeJS.ErrnoException & {
    address?: string;
    port?: number;
  };
  // A worker learns from its supervisor that the address cannot be bound.
  if (syscall !== 'listen' && syscall !== 'bind') return null;
  const reason = code === 'EADDRINUSE' ? 'something else listens there already' : String(code);
  return `The service cannot listen on ${address} port ${port} (${reason}): check HOST and PORT, or MANAGEMENT_HOST and MANAGEMENT_PORT.`;
}

await start().catch(exitWith);
