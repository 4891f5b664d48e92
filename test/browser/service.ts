import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** The first account; it is an admin. */
export const ADMIN = { username: 'admin', password: 'seven quiet harbours at dawn' };

/** Milliseconds in which the service has to be ready, on a busy machine. */
const START_TIMEOUT = 90_000;

/** The built service as a process of its own. */
export interface RunningService {
  /** `http://127.0.0.1:PORT` */
  origin: string;
  stop(): Promise<void>;
}

/** Builds the service and its commands if their sources have changed. */
export function buildService(): void {
  const build = spawnSync(process.execPath, ['scripts/build-if-stale.mjs'], { encoding: 'utf8' });
  if (build.status !== 0) throw new Error(`The build failed.\n${build.stdout}${build.stderr}`);
}

/**
 * Builds the service if its sources have changed, and starts it on a free port, with the sample
 * unless `SAMPLE_DATA` is `off`.
 * @param databaseUrl of an empty, migrated database
 * @throws Error with the output of the process where it does not get ready
 */
export async function startService(
  databaseUrl: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<RunningService> {
  buildService();
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const child = spawn(process.execPath, ['dist/src/main.js'], {
    env: {
      PATH: process.env.PATH,
      DATABASE_URL: databaseUrl,
      PORT: String(port),
      MANAGEMENT_PORT: '0',
      SAMPLE_DATA: 'on',
      LOG_LEVEL: 'warn',
      JWT_SECRET: 'a secret of the browser tests, 0123456789',
      ADMIN_PASSWORD: ADMIN.password,
      ...settings,
    },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += String(text)));
  const ended = once(child, 'exit');
  const stop = async () => {
    child.kill('SIGTERM');
    await ended;
  };
  for (const start = Date.now(); ; await sleep(100)) {
    const ready = await fetch(`${origin}/health/ready`).catch(() => null);
    if (ready?.ok && (settings.SAMPLE_DATA === 'off' || (await hasSample(origin)))) return { origin, stop };
    if (child.exitCode === null && Date.now() - start < START_TIMEOUT) continue;
    child.kill('SIGKILL');
    throw new Error(`The service did not start.\n${output}`);
  }
}

/** The header of requests by the admin. */
export async function authorization(origin: string): Promise<{ Authorization: string }> {
  const response = await fetch(`${origin}/api/auth/login/`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(ADMIN),
  });
  const { access } = (await response.json()) as { access: string };
  return { Authorization: `Bearer ${access}` };
}

/** Whether the sample is complete: its newest step is the calculation of the newest indicators. */
async function hasSample(origin: string): Promise<boolean> {
  const response = await fetch(`${origin}/api/v1/PriceSerieIndicator/?page_size=1`);
  const { count } = (await response.json()) as { count?: number };
  return (count ?? 0) > 0;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
