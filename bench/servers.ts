import { get, type IncomingHttpHeaders } from 'node:http';
import { join } from 'node:path';
import type { LoadRequest } from './load.js';
import { start, type Measured } from './processes.js';

const here = new URL('.', import.meta.url).pathname;

/** Starts the service, built for production, with its throttle off, and its access log too unless it is asked for. */
export function startService(url: string, accessLog = false): Promise<Measured> {
  return start(
    join(here, 'served.js'),
    () => [],
    (port) => ({
      NODE_ENV: 'production',
      PORT: String(port),
      DATABASE_URL: url,
      JWT_SECRET: 'kR7-benchmark_only_0Zq4xV9mB2nW8sD',
      THROTTLE_READS: '0',
      LOG_LEVEL: accessLog ? 'info' : 'warn',
      SAMPLE_DATA: 'off',
    }),
    async (port) => {
      for (let tries = 0; ; tries++) {
        const answer = await ask(port, '/health/ready').catch(() => null);
        if (answer?.status === 200) break;
        if (tries > 600) throw new Error('The server did not become ready.');
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
      await ask(port, '/api/v1/PriceSerie/?page_size=1');
    },
  );
}

/** Starts both floors in one process. */
export function startFloor(url: string): Promise<Measured> {
  return start(
    join(here, 'floor.js'),
    (port) => [String(port), url],
    () => ({}),
    (_, child) => new Promise((resolve) => child.once('message', () => resolve())),
  );
}

/** A whole answer. */
export interface Asked {
  status: number;
  headers: IncomingHttpHeaders;
  rawHeaders: string[];
  body: Buffer;
}

export function ask(port: number, path: string, headers: Record<string, string> = {}): Promise<Asked> {
  return new Promise((resolve, reject) => {
    get({ port, path, headers, host: '127.0.0.1', agent: false }, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('error', reject);
      response.on('end', () =>
        resolve({
          status: response.statusCode!,
          headers: response.headers,
          rawHeaders: response.rawHeaders,
          body: Buffer.concat(parts),
        }),
      );
    }).on('error', reject);
  });
}

/**
 * Gives floor A an answer of the service, and asks once whether it sends the same.
 * @returns the path under which the floor sends it
 */
export async function teach(floor: Measured, name: string, answer: Asked): Promise<string> {
  const headers: string[] = [];
  for (let at = 0; at < answer.rawHeaders.length; at += 2) {
    // Node adds these by itself, to both servers.
    if (/^(date|connection|keep-alive)$/i.test(answer.rawHeaders[at]!)) continue;
    headers.push(answer.rawHeaders[at]!, answer.rawHeaders[at + 1]!);
  }
  const path = `/fixed/${name}`;
  const taken = new Promise((resolve) => floor.child.once('message', resolve));
  floor.child.send({ path, status: answer.status, headers, body: answer.body.toString('base64') });
  await taken;
  const sent = await ask(floor.port, path);
  const named = ({ headers: { date: _, ...others } }: Asked) => JSON.stringify(others);
  if (sent.status !== answer.status || !sent.body.equals(answer.body) || named(sent) !== named(answer))
    throw new Error(`The floor does not send ${name} as the service does.`);
  return path;
}

/** Checks that an answer of the service has the very bytes that hand-written code gives. */
export async function agree(service: Measured, floor: Measured, { path }: LoadRequest): Promise<void> {
  const [ours, theirs] = await Promise.all([ask(service.port, path), ask(floor.port, path)]);
  // The links of a list name the server it came from.
  const text = ours.body.toString().replaceAll(`127.0.0.1:${service.port}`, `127.0.0.1:${floor.port}`);
  const wanted = theirs.body.toString();
  if (ours.status === 200 && text === wanted) return;
  let at = 0;
  while (at < text.length && text[at] === wanted[at]) at++;
  const around = (body: string) => body.slice(Math.max(0, at - 80), at + 80);
  throw new Error(
    `${path.slice(0, 200)}: the service (${ours.status}) and the floor differ at ${at}:\n${around(text)}\n${around(wanted)}`,
  );
}
