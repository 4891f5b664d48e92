import type { IncomingHttpHeaders } from 'node:http';

/** A fenced block of a Markdown page. */
interface CodeBlock {
  readonly line: number;
  readonly language: string;
  readonly text: string;
}

/** A request of a page, and the reply that the page prints for it. */
export interface DocExample {
  /** Line of the request in the page. */
  readonly line: number;
  readonly command: string;
  readonly reply: CodeBlock;
}

/** A request as `curl` sends it. */
export interface CurlRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Record<string, string>;
  readonly body: string | undefined;
}

/** Stands for any text in a printed reply. */
const ELISION = '…';

/** The fenced blocks of a page, in order. */
export function codeBlocks(page: string): CodeBlock[] {
  return [...page.matchAll(/^```(\w*)\n(.*?)^```$/gms)].map(({ index, 1: language, 2: text }) => ({
    line: page.slice(0, index).split('\n').length + 1,
    language: language!,
    text: text!,
  }));
}

/** Each `curl` command of a page, with the block that follows it. */
export function docExamples(page: string): DocExample[] {
  const blocks = codeBlocks(page);
  return blocks.flatMap(({ line, text }, index) => {
    if (!text.startsWith('curl ')) return [];
    const reply = blocks[index + 1];
    if (reply === undefined || !/^(json|http|csv|ndjson)$/.test(reply.language))
      throw new Error(`The request in line ${line} has no reply.`);
    return [{ line, command: text, reply }];
  });
}

/** Parses a `curl` command with the options that the documentation uses. */
export function parseCurl(command: string): CurlRequest {
  const words = shellWords(command.trim()).slice(1);
  const headers: Record<string, string> = { Accept: '*/*' };
  let [method, url, body]: [string?, string?, string?] = [];
  for (let word = words.shift(); word !== undefined; word = words.shift()) {
    if (word === '-X') method = words.shift();
    else if (word === '-d' || word === '--data-binary') body = words.shift();
    else if (word === '-H') {
      const [, name, value] = /^([^:]+): ?(.*)$/.exec(words.shift()!)!;
      headers[name!] = value!;
    } else if (word.startsWith('http://')) url = word;
    // `-i` only prints the headers.
    else if (word !== '-i') throw new Error(`Unknown option ${word}.`);
  }
  if (body !== undefined) headers['Content-Type'] ??= 'application/x-www-form-urlencoded';
  return { method: method ?? (body === undefined ? 'GET' : 'POST'), url: url!, headers, body };
}

/** The words of a shell command with single quotes and continued lines. */
function shellWords(command: string): string[] {
  return [...command.matchAll(/\\\n|'([^']*)'|[^\s']+/g)].flatMap(([all, quoted]) =>
    all === '\\\n' ? [] : [quoted ?? all],
  );
}

/** A reply as received. */
export interface ReceivedReply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/**
 * Asserts that a reply is the printed one: the whole body, apart from whitespace between JSON
 * tokens and what `…` stands for. A block `http` also has the status and some of the headers; all
 * others are replies of a success or a problem, whose status is in the body.
 */
export function expectReply(received: ReceivedReply, { language, text }: CodeBlock): void {
  const [head, body] = language === 'http' ? splitHead(text) : [null, text];
  const isJson = /json/.test(received.headers['content-type'] ?? '');
  const normalize = isJson && language !== 'ndjson' ? withoutWhitespace : withoutLineEnds;
  const expected = normalize(body);
  const actual = normalize(received.text);
  // Compared as texts if they differ, so that the failure shows where.
  if (!elidedPattern(expected).test(actual)) expect(actual).toBe(expected);
  if (head === null) {
    const problem = /^\{"type":"\/problems\/.*?"status":(\d+)/.exec(actual);
    expect(received.status).toBe(problem === null ? 200 : Number(problem[1]));
    return;
  }
  const [statusLine, ...fields] = head.split('\n');
  expect(Number(statusLine!.split(' ')[1])).toBe(received.status);
  const names = fields.map((field) => field.slice(0, field.indexOf(':')));
  const headers = names.map((name) => `${name}: ${String(received.headers[name.toLowerCase()])}`);
  expect(headers).toEqual(fields);
}

function splitHead(text: string): [string, string] {
  const end = text.indexOf('\n\n');
  return end < 0 ? [text.trimEnd(), ''] : [text.slice(0, end), text.slice(end + 2)];
}

/** JSON without the whitespace between its tokens. */
const withoutWhitespace = (json: string): string =>
  json.replace(/("(?:[^"\\]|\\.)*")|\s+/g, (_, string: string | undefined) => string ?? '');

const withoutLineEnds = (text: string): string => text.replaceAll('\r\n', '\n').trim();

function elidedPattern(text: string): RegExp {
  const parts = text.split(ELISION).map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
  return new RegExp(`^${parts.join('[^]*?')}$`);
}
