import { request, type IncomingHttpHeaders, type RequestOptions } from 'node:http';
import { join } from 'node:path';
import type { LoadRequest } from './load.js';
import { start, type MeasuredServer } from './processes.js';

const here = new URL('.', import.meta.url).pathname;

/** The account of the service. */
export const admin = { username: 'bench', password: 'tundra lamp 47 orchid' };

/**
 * Starts the production build of the service without throttling, and by default without the access
 * log.
 * @param settings more environment variables
 */
export function startService(
  url: string,
  accessLog = false,
  settings: Record<string, string> = {},
): Promise<MeasuredServer> {
  return start(
    join(here, 'served.js'),
    () => [],
    (port) => ({
      NODE_ENV: 'production',
      PORT: String(port),
      DATABASE_URL: url,
      JWT_SECRET: 'kR7-benchmark_only_0Zq4xV9mB2nW8sD',
      THROTTLE_READS: '0',
      THROTTLE_WRITES: '0',
      THROTTLE_UNAUTHENTICATED: '0',
      ADMIN_USERNAME: admin.username,
      ADMIN_PASSWORD: admin.password,
      LOG_LEVEL: accessLog ? 'info' : 'warn',
      SAMPLE_DATA: 'off',
      ...settings,
    }),
    async (port) => {
      for (let tries = 0; ; tries++) {
        const reply = await httpGet(port, '/health/ready').catch(() => null);
        if (reply?.status === 200) break;
        if (tries > 600) throw new Error('The server did not become ready.');
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
      await httpGet(port, '/api/v1/PriceSerie/?page_size=1');
    },
  );
}

/** Starts both floors in one process. */
export function startFloor(url: string): Promise<MeasuredServer> {
  return start(
    join(here, 'floor.js'),
    (port) => [String(port), url],
    () => ({}),
    (_, child) => new Promise((resolve) => child.once('message', () => resolve())),
  );
}

/** A complete response. */
export interface HttpResponse {
  status: number;
  headers: IncomingHttpHeaders;
  rawHeaders: string[];
  body: Buffer;
}

export function httpGet(
  port: number,
  path: string,
  headers: Record<string, string> = {},
): Promise<HttpResponse> {
  return send({ port, path, headers });
}

/** The JSON that the service answers. @throws Error unless its status is 200 */
export async function httpPost<T>(port: number, path: string, body: object): Promise<T> {
  const headers = { 'Content-Type': 'application/json' };
  const reply = await send({ port, path, headers, method: 'POST' }, JSON.stringify(body));
  if (reply.status !== 200) throw new Error(`${path} has status ${reply.status}.`);
  return JSON.parse(reply.body.toString()) as T;
}

/** Sends a request of a load by itself. @throws Error for a reply that is none of success */
export async function httpSend(port: number, load: LoadRequest): Promise<void> {
  const { path, method = 'GET', body } = load;
  const headers = { ...load.headers, 'Content-Type': 'application/json' };
  const { status } = await send({ port, path, method, headers }, body && JSON.stringify(body));
  if (status >= 300) throw new Error(`${method} ${path} has status ${status}.`);
}

function send(options: RequestOptions, body?: string): Promise<HttpResponse> {
  return new Promise((resolve, reject) => {
    request({ ...options, host: '127.0.0.1', agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () =>
        resolve({
          status: response.statusCode!,
          headers: response.headers,
          rawHeaders: response.rawHeaders,
          body: Buffer.concat(chunks),
        }),
      );
    })
      .on('error', reject)
      .end(body);
  });
}

/**
 * Has floor A serve a reply of the service, and checks that it sends the same.
 * @returns the path at which the floor serves it
 * @throws Error if the two differ
 */
export async function addFixedReply(
  floor: MeasuredServer,
  name: string,
  reply: HttpResponse,
): Promise<string> {
  const headers: string[] = [];
  for (let at = 0; at < reply.rawHeaders.length; at += 2) {
    // Node adds these itself in both servers.
    if (/^(date|connection|keep-alive)$/i.test(reply.rawHeaders[at]!)) continue;
    headers.push(reply.rawHeaders[at]!, reply.rawHeaders[at + 1]!);
  }
  const path = `/fixed/${name}`;
  const stored = new Promise((resolve) => floor.child.once('message', resolve));
  floor.child.send({ path, status: reply.status, headers, body: reply.body.toString('base64') });
  await stored;
  const sent = await httpGet(floor.port, path);
  const comparable = ({ headers: { date: _, ...others } }: HttpResponse) => JSON.stringify(others);
  if (sent.status !== reply.status || !sent.body.equals(reply.body) || comparable(sent) !== comparable(reply))
    throw new Error(`The floor does not send ${name} as the service does.`);
  return path;
}

/**
 * Checks that a reply of the service is byte for byte that of floor B. @throws Error if it is not
 */
export async function assertSameReply(
  service: MeasuredServer,
  floor: MeasuredServer,
  { path }: LoadRequest,
): Promise<void> {
  const [ours, theirs] = await Promise.all([httpGet(service.port, path), httpGet(floor.port, path)]);
  // The links of a list contain the server's host and port.
  const text = ours.body.toString().replaceAll(`127.0.0.1:${service.port}`, `127.0.0.1:${floor.port}`);
  const expected = theirs.body.toString();
  if (ours.status === 200 && text === expected) return;
  let at = 0;
  while (at < text.length && text[at] === expected[at]) at++;
  const around = (body: string) => body.slice(Math.max(0, at - 80), at + 80);
  throw new Error(
    `${path.slice(0, 200)}: the service (${ours.status}) and the floor differ at ${at}:\n${around(text)}\n${around(expected)}`,
  );
}
