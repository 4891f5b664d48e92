import type { Header } from '../wire/reply.js';

/** A reply, with what the rules need to know about its request. */
export interface ReplyToNormalise {
  target: string;
  requestId: string;
  port: number;
  status: number;
  headers: Header[];
  /** Decompressed text; null for binary content. */
  body: string | null;
  /** Bytes of the body as sent. */
  length: number;
}

/** A text that differs between two recordings of the same build, and its placeholder. */
interface Rule {
  /** Applies to replies to these targets only. */
  targets?: RegExp;
  status?: number;
  pattern: RegExp;
  text: string;
}

const RANDOM_UUID = /[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/;

const rules: readonly Rule[] = [
  { pattern: /\beyJ[\w-]+\.[\w-]+\.[\w-]+/g, text: '<token>' },
  { pattern: new RegExp(`urn:uuid:${RANDOM_UUID.source}`, 'g'), text: 'urn:uuid:<generated>' },
  { targets: /AuditLog/, pattern: new RegExp(RANDOM_UUID.source, 'g'), text: '<random>' },
  { targets: /AuditLog/, pattern: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+Z/g, text: '<time>' },
  { targets: /AuditLog|Import/, pattern: /(\\?"seconds\\?"):[\d.]+/g, text: '$1:<seconds>' },
  { targets: /AuditLog|Import/, pattern: /(\\?"rows_per_second\\?"):\d+/g, text: '$1:<rows>' },
  { targets: /AuditLog/, pattern: /(""seconds""|""rows_per_second""):[\d.]+/g, text: '$1:<figure>' },
  { status: 429, pattern: /in \d+ seconds/g, text: 'in <wait> seconds' },
];

/** Header values that differ between two recordings of the same build. */
const headerRules: Record<string, (value: string, reply: ReplyToNormalise) => string> = {
  date: () => '<date>',
  'x-request-id': (value, { requestId }) =>
    value === requestId ? '<as sent>' : RANDOM_UUID.test(value) ? '<generated>' : value,
  'retry-after': (value, { status }) => (status === 429 ? '<wait>' : value),
  ratelimit: (value) => value.replace(/;t=\d+/, ';t=<wait>'),
};

/**
 * Targets whose `Content-Length` differs, also in the reply to HEAD, which has no body to tell by.
 */
const LENGTH_VARIES = /AuditLog/;

/**
 * Replaces what differs between two recordings of the same build by placeholders.
 * @returns the headers, sorted by name, the body, and whether the body holds a placeholder: then
 * its bytes and its length are not comparable
 */
export function normalise(reply: ReplyToNormalise): {
  headers: Header[];
  body: string | null;
  varies: boolean;
} {
  const body = withPlaceholders(reply);
  const varies = body !== reply.body;
  const hasNoBody = reply.length === 0 && reply.status === 200 && LENGTH_VARIES.test(reply.target);
  const headers = reply.headers.map(([name, value]): Header => {
    const own = headerRules[name.toLowerCase()]?.(value, reply) ?? value;
    const isLength = name.toLowerCase() === 'content-length';
    const counted = isLength && (hasNoBody || (varies && Number(value) === reply.length));
    return [name, withoutPort(counted ? '<length>' : own, reply.port)];
  });
  return { headers: headers.sort(byName), body, varies };
}

function withPlaceholders({ target, status, body, port }: ReplyToNormalise): string | null {
  if (body === null) return null;
  let text = withoutPort(body, port);
  for (const rule of rules) {
    if (rule.targets !== undefined && !rule.targets.test(target)) continue;
    if (rule.status !== undefined && rule.status !== status) continue;
    text = text.replaceAll(rule.pattern, rule.text);
  }
  return text;
}

const withoutPort = (text: string, port: number): string =>
  text.replaceAll(`127.0.0.1:${port}`, '127.0.0.1:<port>');

/** Headers of the same name stay in their order. */
function byName([one]: Header, [other]: Header): number {
  const [left, right] = [one.toLowerCase(), other.toLowerCase()];
  return left < right ? -1 : left > right ? 1 : 0;
}
