const KIB = 1024;
const MIB = 1024 * KIB;

/** Provider token of the `HttpLimits`. */
export const HTTP_LIMITS = Symbol('HttpLimits');
/** Provider token of the `HttpOptions`. */
export const HTTP_OPTIONS = Symbol('HttpOptions');

/** Limits of the HTTP layer, in bytes and milliseconds. Tests lower some of them. */
export const httpLimits = {
  /** Node counts the target and the header fields together; the next two tell them apart. */
  headBytes: 56 * KIB,
  targetBytes: 32 * KIB,
  headerBytes: 16 * KIB,
  bodyBytes: 100 * KIB,
  /** Connections of the process. */
  sockets: 1000,
  requestsInWork: 200,
  /** Bodies being received at one time; requests are in work once they have their body. */
  incomingBodies: 200,
  /**
   * Longest wait of the oldest queued request while the queue is longer than `shortQueue`. On a
   * slow machine fewer than `requestsInWork` may be too many, but a single pause of the process is
   * no overload.
   */
  queueMs: 700,
  shortQueue: 16,
  /** Rows or points from which a reply is heavy: some tens of milliseconds of work. */
  heavyItems: 2000,
  /** Heavy replies that are made at the same time. */
  heavyAtOnce: 3,
  /** Heavy replies that wait, are made, or wait for their reader. */
  heavyReplies: 80,
  /** Longest wait of a heavy reply until it is begun. */
  heavyWaitMs: 5000,
  /** Without progress after which a heavy reply is cut if another needs its place. */
  heavyStallMs: 5000,
  /** Replies that one address may leave unread. */
  slowReplies: 20,
  /** Clients that wait for something to happen. */
  waitingClients: 500,
  headersMs: 10_000,
  /** The whole body of an ordinary request. */
  bodyMs: 30_000,
  /** The whole of an upload, and without progress. */
  uploadMs: 600_000,
  uploadStallMs: 60_000,
  keepAliveMs: 65_000,
  /** Until the first byte of the response to a read. */
  firstByteMs: 10_000,
  /**
   * Until a write must be committed, and until it gets a reply: the other processes hear of a
   * commit before the reply.
   */
  commitMs: 8_500,
  writeMs: 9_750,
  /** Without progress while a response is written. */
  stallMs: 30_000,
  /** Reading goes on for so long on a closing connection: a reset would discard the response. */
  lingerMs: 1_000,
  /** Streams that end before this many bytes are sent as one body. */
  streamFrom: 16 * KIB,
  /**
   * Together with the rest of the process, and garbage not yet collected, this stays within 350 MB.
   */
  cacheBytes: 48 * MIB,
  cachedReplyBytes: 8 * MIB,
  /** Bytes of streams being collected for the cache at one time. */
  collectingBytes: 16 * MIB,
  cachedHosts: 8,
};

export type HttpLimits = typeof httpLimits;

/** Settings of the HTTP layer. */
export interface HttpOptions {
  /**
   * Scheme and host of every link, without a trailing slash; null to take them from the request.
   */
  publicUrl: string | null;
  /** Express's `trust proxy`: addresses, CIDR blocks or `loopback` whose `X-Forwarded-*` counts. */
  trustProxy: readonly string[];
  /** Connections of one address that is not a trusted proxy; 0 is no limit. */
  connectionsPerAddress: number;
  /** Origins whose pages may write and log in. */
  corsOrigins: readonly string[];
  maxPageSize: number;
  /** Path at which the sources of the data are listed, with their licences. */
  sources: string;
  /** Milliseconds since 1970. */
  clock: () => number;
  /** Version of the software: entity tags made from the revision change with it. */
  release: string;
}
