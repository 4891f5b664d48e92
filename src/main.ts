import { setFlagsFromString } from 'node:v8';
import { Supervised, superviseWorkers, supervises } from './cluster.js';
import { InvalidEnvironment, type Environment } from './config/environment.js';
import { loadEnvironment } from './config/load-environment.js';
import { UnusableDatabaseError } from './database/unusable-database.error.js';

/**
 * How much the heap may grow, in percent, before it is cleared away. By itself V8 lets old objects come to several times what is in
 * use, which is nothing to gain from: the service makes little that lives for long.
 */
const HEAP_GROWTH = 40;

async function start(): Promise<void> {
  const environment = loadEnvironment();
  if (supervises(environment)) superviseWorkers(environment);
  else await serve(environment);
}

async function serve(environment: Environment): Promise<void> {
  setFlagsFromString(`--heap-growing-percent=${HEAP_GROWTH}`);
  const supervised = Supervised.here();
  // Loaded here alone: a supervisor needs nothing of the service.
  const { startServer } = await import('./server.js');
  await startServer(environment, supervised, refuse);
}

/** Ends the process with a line that says why; only what nobody foresaw comes with its stack. */
function refuse(error: unknown): void {
  const foreseen = error instanceof InvalidEnvironment || error instanceof UnusableDatabaseError;
  console.error(foreseen ? error.message : (listenFault(error) ?? error));
  process.exit(1);
}

/** Why the service cannot listen at the address it was given; null for any other error. */
function listenFault(error: unknown): string | null {
  const { code, syscall, address, port } = error as NodeJS.ErrnoException & {
    address?: string;
    port?: number;
  };
  if (syscall !== 'listen') return null;
  const reason = code === 'EADDRINUSE' ? 'something else listens there already' : String(code);
  return `The service cannot listen on ${address} port ${port} (${reason}): check HOST and PORT.`;
}

await start().catch(refuse);
