import { type IncomingHttpHeaders, request } from 'node:http';
import { connect } from 'node:net';
import { problemCodes, type ProblemCode } from '../../src/platform/errors/problem-codes.js';

/** A whole response, with its body as bytes. */
export interface RawResponse {
  status: number;
  headers: IncomingHttpHeaders;
  bytes: Buffer;
  text: string;
}

export interface HttpRequestOptions {
  method?: string;
  headers?: Record<string, string | string[]>;
  body?: string | Buffer;
}

/** Sends a request as given: nothing is decoded, followed or added but the Content-Length. */
export function sendRequest(
  base: string,
  path: string,
  { method = 'GET', headers = {}, body }: HttpRequestOptions = {},
): Promise<RawResponse> {
  const { hostname, port } = new URL(base);
  return new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(body)) };
    const sent = request({ hostname, port, path, method, headers: { ...length, ...headers } }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const bytes = Buffer.concat(chunks);
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          bytes,
          text: bytes.toString(),
        });
      });
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

/**
 * Sends bytes over a new connection and returns everything received until it is closed, or until
 * `done` returns true.
 */
export function exchangeRaw(
  port: number,
  chunks: readonly (string | Buffer)[],
  done: (text: string) => boolean = () => false,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    let text = '';
    const finish = () => {
      socket.destroy();
      resolve(text);
    };
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1');
      if (done(text)) finish();
    });
    socket.on('close', finish);
    // The server may reset the connection after its response, which still counts.
    socket.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'ECONNRESET' && error.code !== 'EPIPE') reject(error);
    });
    for (const chunk of chunks) socket.write(chunk);
  });
}

/** Parses a raw HTTP response without transfer encoding. */
export function parseRawResponse(text: string): RawResponse {
  const at = text.indexOf('\r\n\r\n');
  const [statusLine = '', ...fields] = text.slice(0, at).split('\r\n');
  const headers = Object.fromEntries(
    fields.map((field) => [
      field.slice(0, field.indexOf(':')).toLowerCase(),
      field.slice(field.indexOf(':') + 2),
    ]),
  );
  const body = text.slice(at + 4);
  return {
    status: Number(statusLine.split(' ')[1]),
    headers,
    bytes: Buffer.from(body, 'latin1'),
    text: body,
  };
}

/** The members of problem details that differ between errors. */
export interface ProblemBody {
  detail: string;
  errors?: {
    in: string;
    name?: string;
    pointer?: string;
    code: string;
    detail: string;
    [extra: string]: unknown;
  }[];
  [extra: string]: unknown;
}

/**
 * Asserts what all error responses have in common (reliability G1, R4, R5), and returns the body.
 */
export function expectRawProblem(response: RawResponse, code: ProblemCode): ProblemBody {
  const { status, title } = problemCodes[code];
  expect({ status: response.status, type: response.headers['content-type'], text: response.text }).toEqual({
    status,
    type: 'application/problem+json; charset=utf-8',
    text: expect.any(String),
  });
  const body = JSON.parse(response.text) as ProblemBody;
  expect(body).toMatchObject({
    title,
    status,
    code,
    detail: expect.stringMatching(/^\S.*\.$/s),
    instance: `urn:uuid:${response.headers['x-request-id']}`,
  });
  expect(body.type).toMatch(new RegExp(`/problems/${code}$`));
  if (status === 400 || status === 409) expect(body.errors).toBeInstanceOf(Array);
  expect((body.errors ?? []).length).toBeLessThanOrEqual(20);
  for (const violation of body.errors ?? []) {
    expect(violation).toMatchObject({
      in: expect.stringMatching(/^(query|path|header|body)$/),
      code: expect.stringMatching(/^[a-z_]+$/),
      detail: expect.any(String),
    });
  }
  expect(response.headers['cache-control']).toBe('no-store');
  expect(response.headers['x-content-type-options']).toBe('nosniff');
  return body;
}

/** `[name or pointer, code]` of each violation, for comparison as a whole. */
export function codesOf(problem: ProblemBody): [string, string][] {
  return (problem.errors ?? []).map(({ pointer, name, code }) => [pointer ?? name ?? '', code]);
}
