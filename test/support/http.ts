import { type IncomingHttpHeaders, request } from 'node:http';
import { connect } from 'node:net';
import { problemCodes, type ProblemCode } from '../../src/common/errors/problem-codes.js';

/** An answer, read whole and as bytes. */
export interface HttpAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  bytes: Buffer;
  text: string;
}

export interface HttpQuestion {
  method?: string;
  headers?: Record<string, string | string[]>;
  body?: string | Buffer;
}

/** Sends a request exactly as told: nothing is decoded, followed or added but the length. */
export function ask(
  base: string,
  path: string,
  { method = 'GET', headers = {}, body }: HttpQuestion = {},
): Promise<HttpAnswer> {
  const { hostname, port } = new URL(base);
  return new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(body)) };
    const sent = request({ hostname, port, path, method, headers: { ...length, ...headers } }, (answer) => {
      const parts: Buffer[] = [];
      answer.on('data', (part: Buffer) => parts.push(part));
      answer.on('error', reject);
      answer.on('end', () => {
        const bytes = Buffer.concat(parts);
        resolve({ status: answer.statusCode ?? 0, headers: answer.headers, bytes, text: bytes.toString() });
      });
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

/** Sends bytes over a connection of their own and gives back all that comes until it is closed, or until `done` says so. */
export function exchange(
  port: number,
  pieces: readonly (string | Buffer)[],
  done: (text: string) => boolean = () => false,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    let text = '';
    const finish = () => {
      socket.destroy();
      resolve(text);
    };
    socket.on('data', (part) => {
      text += part.toString('latin1');
      if (done(text)) finish();
    });
    socket.on('close', finish);
    // The server may reset a connection it has given up; what it said before counts.
    socket.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'ECONNRESET' && error.code !== 'EPIPE') reject(error);
    });
    for (const piece of pieces) socket.write(piece);
  });
}

/** The body of a raw answer, whose head is checked for its status. */
export function rawAnswer(text: string): HttpAnswer {
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

/** Whatever a refusal holds besides its fixed members. */
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

/** Asserts the shape every refusal has (reliability G1, R4, R5), and gives its body back for more. */
export function expectProblem(answer: HttpAnswer, code: ProblemCode): ProblemBody {
  const { status, title } = problemCodes[code];
  expect({ status: answer.status, type: answer.headers['content-type'], text: answer.text }).toEqual({
    status,
    type: 'application/problem+json; charset=utf-8',
    text: expect.any(String),
  });
  const body = JSON.parse(answer.text) as ProblemBody;
  expect(body).toMatchObject({
    title,
    status,
    code,
    detail: expect.stringMatching(/^\S.*\.$/s),
    instance: `urn:uuid:${answer.headers['x-request-id']}`,
  });
  expect(body.type).toMatch(new RegExp(`/problems/${code}$`));
  if (status === 400 || status === 409) expect(body.errors).toBeInstanceOf(Array);
  expect((body.errors ?? []).length).toBeLessThanOrEqual(20);
  for (const fault of body.errors ?? []) {
    expect(fault).toMatchObject({
      in: expect.stringMatching(/^(query|path|header|body)$/),
      code: expect.stringMatching(/^[a-z_]+$/),
      detail: expect.any(String),
    });
  }
  expect(answer.headers['cache-control']).toBe('no-store');
  expect(answer.headers['x-content-type-options']).toBe('nosniff');
  return body;
}

/** `[name or pointer, code]` of each fault, for whole comparisons. */
export function faultCodes(problem: ProblemBody): [string, string][] {
  return (problem.errors ?? []).map((fault) => [fault.pointer ?? fault.name ?? '', fault.code]);
}
