import fc from 'fast-check';
import { Agent, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readDocuments } from '../support/api-documents.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { ApiDocument } from './api-document.js';
import { anyRequest, type FuzzRequest, type ExistingValues } from './requests.js';
import { createFuzzData } from './data.js';

/** Number of requests; CI sends more. */
const REQUESTS = Number(process.env.FUZZ_REQUESTS) || 1500;

interface FuzzResponse {
  status: number;
  type: string;
  headers: NodeJS.Dict<string | string[]>;
  body: string;
}

describe('any request', () => {
  let service: TestApp;
  let document: ApiDocument;
  let existing: ExistingValues;
  const agent = new Agent({ keepAlive: true, maxSockets: 4 });

  beforeAll(async () => {
    service = await startTestApp();
    document = new ApiDocument(await readDocuments(service));
    const { Authorization } = await service.authHeader();
    existing = { ...(await createFuzzData(service)), token: Authorization.slice('Bearer '.length) };
  });
  afterAll(async () => {
    agent.destroy();
    await service.close();
  });

  const send = ({ method, target, headers, body }: FuzzRequest) =>
    new Promise<FuzzResponse>((resolve, reject) => {
      const { port } = service.app.getHttpServer().address() as AddressInfo;
      // Node omits Content-Length for methods that usually have no body, and the body would be
      // parsed as another request.
      const length: Record<string, string> =
        body === null ? {} : { 'Content-Length': String(Buffer.byteLength(body)) };
      const sent = request(
        {
          agent,
          host: '127.0.0.1',
          port,
          method,
          path: target,
          headers: { ...latin1(headers), ...length },
          timeout: 20_000,
        },
        (response) => {
          const chunks: Buffer[] = [];
          response.on('data', (chunk: Buffer) => chunks.push(chunk));
          response.on('error', reject);
          response.on('end', () =>
            resolve({
              status: response.statusCode!,
              type: response.headers['content-type'] ?? '',
              headers: response.headers,
              body: response.headers['content-encoding'] ? '' : Buffer.concat(chunks).toString(),
            }),
          );
        },
      );
      sent.on('timeout', () => sent.destroy(new Error('no response')));
      sent.on('error', reject);
      sent.end(body ?? undefined);
    });

  it(`F: gets a documented response, never a 5xx (${REQUESTS} requests)`, async () => {
    const seed = Number(process.env.PROPERTY_SEED) || Math.trunc(Math.random() * 0x7fffffff);
    process.stdout.write(`fuzz: ${REQUESTS} requests, seed ${seed}\n`);
    const seen: Record<string, number> = {};
    await fc.assert(
      fc.asyncProperty(anyRequest(document, existing), async (one) => {
        const response = await send(one);
        seen[response.status] = (seen[response.status] ?? 0) + 1;
        const mismatch = mismatchOf(document, one, response);
        if (mismatch !== null)
          throw new Error(`${one.method} ${one.target}: ${mismatch}\n${response.body.slice(0, 500)}`);
      }),
      { numRuns: REQUESTS, seed, endOnFailure: true },
    );
    process.stdout.write(`fuzz: responses by status ${JSON.stringify(seen)}\n`);
    expect(Object.keys(seen)).toEqual(
      expect.arrayContaining(['200', '201', '400', '401', '404', '405', '406', '415']),
    );
  }, 600_000);
});

/** Why a response violates the document or the general rules; null if it does not. */
function mismatchOf(
  document: ApiDocument,
  { operation, method, target }: FuzzRequest,
  response: FuzzResponse,
): string | null {
  if (response.status >= 500) return `status ${response.status}`;
  if (response.headers['x-request-id'] === undefined) return 'no request id';
  if (
    response.status >= 400 &&
    response.type.split(';')[0] !== 'application/problem+json' &&
    method !== 'HEAD'
  ) {
    return `${response.status} as ${response.type}`;
  }
  if (/node_modules|SELECT |at \w+ \(|SQLITE_|ER_[A-Z]+/.test(response.status >= 400 ? response.body : '')) {
    return 'the response exposes internals';
  }
  if (method === 'OPTIONS')
    return response.status === 204 || response.status >= 400 ? null : `OPTIONS ${response.status}`;
  const documented = document.operations.find(
    (other) => other.path === operation.path && other.method === (method === 'HEAD' ? 'GET' : method),
  );
  if (documented === undefined)
    return [400, 404, 405].includes(response.status) ? null : `${response.status} for an undocumented method`;
  const published = /[?&]fields=/.test(target) ? document.withFields : document;
  return published.mismatch(documented, response.status, response.type, response.body);
}

/** Header values as UTF-8 bytes, which clients must not send but do. */
const latin1 = (headers: Record<string, string>) =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Buffer.from(value, 'utf8').toString('latin1')]),
  );
