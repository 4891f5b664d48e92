const KIB = 1024;
const MIB = 1024 * KIB;

/** Bounds of the HTTP layer; bytes and milliseconds. Tests make some of them smaller. */
export const httpLimits = {
  /** Node counts the target and the header fields together; they are told apart by the two below. */
  headBytes: 56 * KIB,
  targetBytes: 32 * KIB,
  headerBytes: 16 * KIB,
  bodyBytes: 100 * KIB,
  sockets: 1000,
  requestsInWork: 200,
  /**
   * How long the first in line may have waited, where the line is not short: on a slow machine even fewer than the above are too
   * many, but a pause of the whole process alone is no overload.
   */
  lineMs: 700,
  shortLine: 16,
  headersMs: 10_000,
  /** The whole body of an ordinary request. */
  bodyMs: 30_000,
  keepAliveMs: 65_000,
  /** Until the first byte of the answer to a read. */
  firstByteMs: 10_000,
  /** Without progress while an answer is written. */
  stallMs: 30_000,
  /** How long a closing connection is read from, so that the client sees the answer before the reset. */
  lingerMs: 1_000,
  compressFrom: KIB,
  /** Streams that end before this many bytes are sent as one body. */
  streamFrom: 16 * KIB,
  /** With the rest of the process, and what the collector has not come to yet, this keeps within 350 MB of memory. */
  cacheBytes: 64 * MIB,
  cachedAnswerBytes: 8 * MIB,
  /** Bytes of streams being copied for the cache at one time. */
  collectingBytes: 16 * MIB,
  cachedHosts: 8,
};

export type HttpLimits = typeof httpLimits;

/** Settings of the HTTP layer. */
export interface HttpOptions {
  /** Scheme and host of every link, without a trailing slash. */
  publicUrl: string | null;
  /** Addresses, CIDR blocks or `loopback`: peers whose `X-Forwarded-*` count. */
  trustProxy: readonly string[];
  /** Origins whose pages may write and log in. */
  corsOrigins: readonly string[];
  maxPageSize: number;
  /** Milliseconds since 1970; the system's clock unless given. */
  clock?: () => number;
  /** Changes with the software, so that tags made from the revision do too. */
  release: string;
}
