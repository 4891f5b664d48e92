const KIB = 1024;
const MIB = 1024 * KIB;

/** Provider token of the `HttpLimits`. */
export const HTTP_LIMITS = Symbol('HttpLimits');
/** Provider token of the `HttpOptions`. */
export const HTTP_OPTIONS = Symbol('HttpOptions');

/**
 * Limits of the HTTP layer: sizes in bytes, times in milliseconds, and counts, most of them of one
 * process. Tests lower some of them.
 */
export const httpLimits = {
  /** Request line and header fields together, as Node limits them. */
  headBytes: 56 * KIB,
  /** The target of the request alone, and the header fields alone. */
  targetBytes: 32 * KIB,
  headerBytes: 16 * KIB,
  bodyBytes: 100 * KIB,
  /** Open connections. */
  sockets: 1000,
  /** Requests that are queued or processed, without heavy replies and waiting clients. */
  requestsInWork: 200,
  /** Bodies being received at one time. Their requests are in work only once they are complete. */
  incomingBodies: 200,
  /**
   * A queue longer than `shortQueue` whose oldest request has waited `queueMs` is an overload, even
   * if fewer than `requestsInWork` are in work: a slow machine cannot take as many. The length
   * counts as well, because a single pause of the process makes the few that are queued wait.
   */
  queueMs: 700,
  shortQueue: 16,
  /** Rows or points from which a reply is heavy: some tens of milliseconds of work. */
  heavyItems: 2000,
  /** Heavy replies that are processed at the same time. */
  heavyAtOnce: 3,
  /** Heavy replies that wait for their turn, are processed, or wait for a slow reader. */
  heavyReplies: 80,
  /** Longest wait of a heavy reply for its turn. */
  heavyWaitMs: 5000,
  /** Without progress for so long, a heavy reply is aborted when a new one finds no place. */
  heavyStallMs: 5000,
  /** Unread replies of one address, from which its next requests are rejected. */
  slowReplies: 20,
  /** Requests that wait for an event, such as a change of the data. */
  waitingClients: 500,
  /** Time for the header fields to arrive. */
  headersMs: 10_000,
  /** Time for the whole body of an ordinary request to arrive. */
  bodyMs: 30_000,
  /** The same for an upload, and how long it may make no progress. */
  uploadMs: 600_000,
  uploadStallMs: 60_000,
  keepAliveMs: 65_000,
  /** Time until the first byte of the response to a read. */
  firstByteMs: 10_000,
  /**
   * Time until a write is committed, and until it has a response. The difference is for the other
   * processes, which are told of a commit before the response.
   */
  commitMs: 8_500,
  writeMs: 9_750,
  /** How long a response may make no progress while it is sent. */
  stallMs: 30_000,
  /** How long a closing connection is still read: a reset would discard the response. */
  lingerMs: 1_000,
  /** Streams that end before this size are sent as one body, with its length. */
  streamFromBytes: 16 * KIB,
  /**
   * The whole page cache: together with the rest of the process, and garbage not yet collected,
   * this stays within 350 MB.
   */
  cacheBytes: 48 * MIB,
  /** All encoded variants of one address in the page cache. */
  cachedReplyBytes: 8 * MIB,
  /** Streams being collected for the cache at one time. */
  collectingBytes: 16 * MIB,
  /** Values of the `Host` header that the cache holds replies for. */
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
  sourcesPath: string;
  /** The current time, in milliseconds since 1970. */
  clock: () => number;
  /** Version of the software: entity tags made from the data revision change with it. */
  release: string;
}
