import { createServer, request, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SampleData } from '../../src/sample/sample-data.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

/** A request of a client, and the status that it got. */
export interface ClientRequest {
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  status: number;
}

/** A reply in place of the service's. */
export interface PreparedReply {
  status: number;
  headers?: Record<string, string>;
  body?: string;
}

/** The service with the sample data, behind a proxy that records requests. */
export interface ClientService {
  readonly app: TestApp;
  /** The address that clients use. */
  readonly url: string;
  /** All requests so far. */
  readonly requests: ClientRequest[];
  /** Replies to the next requests, in place of the service's. */
  readonly prepared: PreparedReply[];
  close(): Promise<void>;
}

/** Maize of Aldoria, whose newest month a maintainer corrects. */
const CORRECTED = { uuid: 'b1fa157e-92f7-5eb6-9940-559441f7a3fc', date: '2026-10-01', price_value: 0.69 };

/**
 * Starts the service. The sample was loaded on 14 November 2026, and one price was corrected on
 * 20 November; it is 21 November.
 */
export async function startClientService(): Promise<ClientService> {
  const app = await startTestApp();
  // The tables were created just now, and no revision is older than the one before.
  for (const table of ['revision', 'data_revision'])
    await app.database.writer.query(`UPDATE ${table} SET at = '2026-11-01T00:00:00.000Z'`);
  app.clock.milliseconds = Date.parse('2026-11-14T12:00:00Z');
  await app.app.get(SampleData).load();
  app.clock.milliseconds = Date.parse('2026-11-20T12:00:00Z');
  await correct(app);
  app.clock.milliseconds = Date.parse('2026-11-21T12:00:00Z');
  const requests: ClientRequest[] = [];
  const prepared: PreparedReply[] = [];
  const proxy = startProxy((app.app.getHttpServer() as Server).address() as AddressInfo, requests, prepared);
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  return {
    app,
    url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    requests,
    prepared,
    close: async () => {
      proxy.closeAllConnections();
      await new Promise((resolve) => proxy.close(resolve));
      await app.close();
    },
  };
}

async function correct({ http, authHeader }: TestApp): Promise<void> {
  const { body } = await http()
    .get(`/api/v1/PriceSeriePrice/${CORRECTED.uuid}?periodicity=monthly&start_date=${CORRECTED.date}`)
    .expect(200);
  const point = (body as { datapoints: { id: number; date: string; price_value: number }[] }).datapoints.find(
    ({ date }) => date === CORRECTED.date,
  )!;
  await http()
    .patch(`/api/v1/PriceSeriePrice/${CORRECTED.uuid}/${point.id}`)
    .set(await authHeader())
    .set('If-Match', '*')
    .send({ price_value: CORRECTED.price_value, comment: 'Corrected by the ministry' })
    .expect(200);
}

function startProxy(to: AddressInfo, requests: ClientRequest[], prepared: PreparedReply[]): Server {
  return createServer((received, reply) => {
    const recorded: ClientRequest = { url: received.url!, headers: received.headers, status: 0 };
    requests.push(recorded);
    const instead = prepared.shift();
    if (instead !== undefined) {
      recorded.status = instead.status;
      reply.writeHead(instead.status, instead.headers).end(instead.body);
      return;
    }
    const { method, url, headers } = received;
    const sent = request({ host: '127.0.0.1', port: to.port, method, path: url, headers }, (answer) => {
      recorded.status = answer.statusCode!;
      reply.writeHead(answer.statusCode!, answer.headers);
      answer.pipe(reply);
    });
    received.pipe(sent);
  });
}
