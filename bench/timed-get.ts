import { Agent, request } from 'node:http';

/** Milliseconds after which a stream of events is over. */
const QUIET_MS = 500;

/** A request as its client saw it. */
export interface Outcome {
  /** 0 for a request without a response. */
  status: number;
  ms: number;
  bytes: number;
  /** What the throttle leaves the client; NaN where the response does not say. */
  units: number;
}

const agent = new Agent({ keepAlive: true, maxSockets: 64 });

/** Ends the connections that are kept open. */
export const closeConnections = (): void => agent.destroy();

/** Asks for an address and reads the reply to its end. Never rejects. */
export function timedGet(
  port: number,
  localAddress: string,
  path: string,
  headers: Record<string, string> = {},
): Promise<Outcome> {
  const began = performance.now();
  return new Promise((done) => {
    let status = 0;
    let bytes = 0;
    let units = 0;
    const end = () => done({ status, bytes, units, ms: performance.now() - began });
    const sent = request({ host: '127.0.0.1', port, path, localAddress, agent, headers }, (response) => {
      status = response.statusCode!;
      units = Number(/r=(\d+)/.exec(String(response.headers.ratelimit))?.[1]);
      response.on('data', (chunk: Buffer) => (bytes += chunk.length));
      response.on('error', () => undefined);
      response.on('close', end);
      if (headers.Accept !== undefined) sent.setTimeout(QUIET_MS, () => sent.destroy());
    });
    sent.on('error', () => status === 0 && end());
    sent.end();
  });
}
