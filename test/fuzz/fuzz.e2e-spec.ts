import fc from 'fast-check';
import { Agent, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { ApiDocument, type Json } from './api-document.js';
import { anyRequest, type FuzzRequest, type KnownValues } from './requests.js';
import { makeFuzzData } from './data.js';

/** How many requests are sent; CI sends more. */
const REQUESTS = Number(process.env.FUZZ_REQUESTS) || 1500;

interface Answer {
  status: number;
  type: string;
  headers: NodeJS.Dict<string | string[]>;
  body: string;
}

describe('any request', () => {
  let service: TestApp;
  let document: ApiDocument;
  let known: KnownValues;
  const agent = new Agent({ keepAlive: true, maxSockets: 4 });

  beforeAll(async () => {
    service = await startTestApp();
    const { body } = await service.http().get('/openapi.json').expect(200);
    document = new ApiDocument(body as Json);
    const { Authorization } = await service.signedIn();
    known = { ...(await makeFuzzData(service)), token: Authorization.slice('Bearer '.length) };
  });
  afterAll(async () => {
    agent.destroy();
    await service.close();
  });

  const send = ({ method, target, headers, body }: FuzzRequest) =>
    new Promise<Answer>((resolve, reject) => {
      const { port } = service.app.getHttpServer().address() as AddressInfo;
      // Node leaves the length out where a method usually has no body, and the body would pass for another request.
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
          const parts: Buffer[] = [];
          response.on('data', (part: Buffer) => parts.push(part));
          response.on('error', reject);
          response.on('end', () =>
            resolve({
              status: response.statusCode!,
              type: response.headers['content-type'] ?? '',
              headers: response.headers,
              body: response.headers['content-encoding'] ? '' : Buffer.concat(parts).toString(),
            }),
          );
        },
      );
      sent.on('timeout', () => sent.destroy(new Error('no answer')));
      sent.on('error', reject);
      sent.end(body ?? undefined);
    });

  it(`F: gets a documented answer, never a 5xx (${REQUESTS} requests)`, async () => {
    const seed = Number(process.env.PROPERTY_SEED) || Math.trunc(Math.random() * 0x7fffffff);
    process.stdout.write(`fuzz: ${REQUESTS} requests, seed ${seed}\n`);
    const seen: Record<string, number> = {};
    await fc.assert(
      fc.asyncProperty(anyRequest(document, known), async (one) => {
        const answer = await send(one);
        seen[answer.status] = (seen[answer.status] ?? 0) + 1;
        const fault = faultOf(document, one, answer);
        if (fault !== null)
          throw new Error(`${one.method} ${one.target}: ${fault}\n${answer.body.slice(0, 500)}`);
      }),
      { numRuns: REQUESTS, seed, endOnFailure: true },
    );
    process.stdout.write(`fuzz: answers by status ${JSON.stringify(seen)}\n`);
    expect(Object.keys(seen)).toEqual(
      expect.arrayContaining(['200', '201', '400', '401', '404', '405', '406', '415']),
    );
  }, 600_000);
});

/** What is wrong with an answer, by the document and by the ground rules. */
function faultOf(document: ApiDocument, { operation, method }: FuzzRequest, answer: Answer): string | null {
  if (answer.status >= 500) return `status ${answer.status}`;
  if (answer.headers['x-request-id'] === undefined) return 'no request id';
  if (answer.status >= 400 && answer.type.split(';')[0] !== 'application/problem+json' && method !== 'HEAD') {
    return `${answer.status} as ${answer.type}`;
  }
  if (/node_modules|SELECT |at \w+ \(|SQLITE_|ER_[A-Z]+/.test(answer.status >= 400 ? answer.body : '')) {
    return 'the answer tells of the inside';
  }
  if (method === 'OPTIONS')
    return answer.status === 204 || answer.status >= 400 ? null : `OPTIONS ${answer.status}`;
  const named = document.operations.find(
    (other) => other.path === operation.path && other.method === (method === 'HEAD' ? 'GET' : method),
  );
  if (named === undefined)
    return [400, 404, 405].includes(answer.status)
      ? null
      : `${answer.status} for a method that is not offered`;
  return document.fault(named, answer.status, answer.type, answer.body);
}

/** Header values as bytes, as a careless client would send them. */
const latin1 = (headers: Record<string, string>) =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Buffer.from(value, 'utf8').toString('latin1')]),
  );
