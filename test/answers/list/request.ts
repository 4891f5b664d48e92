import type { Header, Reply } from '../wire/reply.js';

export type Headers = readonly (readonly [name: string, value: string])[];

/**
 * One request of the list. `{{name}}` in its texts is replaced by a value captured from an earlier
 * reply.
 */
export interface ListedRequest {
  /** Identifies it in recordings: stable, readable and unique. */
  id: string;
  method: string;
  /** Sent as it is, nothing encoded or decoded. */
  target: string;
  /** `Host`, `X-Request-Id` and the length of the body are added where they are not among them. */
  headers: Headers;
  body: string | Buffer | null;
  /** The body is sent with chunked transfer encoding. */
  chunked: boolean;
  /** Sent three times: the page cache stores the second reply, and may serve the third. */
  repeat: boolean;
  /** Values for later requests. */
  capture: Capture | null;
  /** Replaces the fields above. */
  raw: RawRequest | null;
}

/** Takes variables from a reply. */
export type Capture = (reply: Reply, json: Record<string, unknown>) => Record<string, string>;

/** Bytes sent as they are. */
export interface RawRequest {
  /** Each but the first is sent after something was received. */
  pieces: readonly (string | Buffer)[];
  /** The methods of the requests in it: one final reply is expected for each. */
  methods: readonly string[];
  /** How long to wait for the replies. */
  timeoutMs?: number;
}

export interface AskOptions {
  /** Stands in the id in place of method and target. */
  label?: string;
  headers?: Headers;
  /** An object is sent as JSON. */
  body?: string | Buffer | object;
  /** Content type of the body: JSON by default, null for none. */
  type?: string | null;
  chunked?: boolean;
  repeat?: boolean;
  capture?: Capture;
}

/** Builders for the requests of one group, whose name starts their ids. */
export function group(name: string) {
  const request = (method: string, target: string, options: AskOptions = {}): ListedRequest => {
    const { body, type = 'application/json', headers = [] } = options;
    const content = body === undefined ? null : isText(body) ? body : JSON.stringify(body);
    const typed: Headers = content === null || type === null ? [] : [['Content-Type', type]];
    return {
      id: `${name}: ${options.label ?? `${method} ${target}`}`,
      method,
      target,
      headers: [...typed, ...headers],
      body: content,
      chunked: options.chunked ?? false,
      repeat: options.repeat ?? false,
      capture: options.capture ?? null,
      raw: null,
    };
  };
  return {
    request,
    /** A GET that is sent twice. */
    read: (target: string, options: AskOptions = {}) => request('GET', target, { repeat: true, ...options }),
    /** A request as the administrator. */
    write: (method: string, target: string, options: AskOptions = {}) =>
      request(method, target, { ...options, headers: [...bearer('access'), ...(options.headers ?? [])] }),
    /** Raw bytes: one GET by default. */
    raw: (label: string, pieces: RawRequest['pieces'], more: Partial<RawRequest> = {}): ListedRequest => ({
      ...request('', '', { label }),
      raw: { pieces, methods: ['GET'], ...more },
    }),
  };
}

/** The `Authorization` header with a captured token. */
export const bearer = (token: string): Headers => [['Authorization', `Bearer {{${token}}}`]];

/** Captures values of a JSON reply by their paths: `{ id: 'results.0.id' }`. */
export function captureJson(paths: Readonly<Record<string, string>>): Capture {
  return (_, json) =>
    Object.fromEntries(Object.entries(paths).map(([name, path]) => [name, String(valueAt(json, path))]));
}

/** Captures the value of a header. */
export const captureHeader =
  (name: string, header: string): Capture =>
  ({ headers }) => ({ [name]: headers.find(([each]: Header) => each.toLowerCase() === header)?.[1] ?? '' });

/** The numbers from 1, as a list parameter takes them. */
export const numbers = (count: number): string =>
  Array.from({ length: count }, (_, index) => index + 1).join(',');

/** Encodes a value for a query string. */
export const encoded = (value: string): string => encodeURIComponent(value);

const isText = (body: string | Buffer | object): body is string | Buffer =>
  typeof body === 'string' || Buffer.isBuffer(body);

function valueAt(json: unknown, path: string): unknown {
  let value = json;
  for (const name of path.split('.')) value = (value as Record<string, unknown> | null | undefined)?.[name];
  return value;
}
