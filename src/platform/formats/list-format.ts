import type { Chunks } from './chunks.js';
import type { ApiError } from '../errors/api-error.js';
import type { Frame, Listing } from './listing.js';

/** The request that a list is encoded for, where the format says so in what it makes. */
export interface FormatRequest {
  /** The whole URL. */
  readonly address: string;
  /**
   * The number of the last revision that changed the data of the list; null where it is not known.
   */
  readonly revision: string | null;
  /** The URL at which the sources of the data are listed, with their licences. */
  readonly sources: string;
  /** What people have to know of the data. */
  readonly notice: string | null;
  /** Aborted when the client disconnects. */
  readonly signal: AbortSignal;
  /** The network of the client, among whom turns are shared. */
  readonly client: string;
  /** Waits for something; meanwhile other replies have the turns of this one. */
  idleDuring<T>(work: Promise<T>): Promise<T>;
  /** The same while another thread works for this reply: its time counts as that of the reply. */
  pausedDuring<T>(work: Promise<T>): Promise<T>;
}

/** How many rows a file of a format can have. */
interface RowLimit {
  /** The most rows of a table with so many columns. */
  most(columns: number): number;
  /** The error for more. */
  exceeded(columns: number): ApiError;
}

/**
 * A format in which lists can be requested, by `format=` or by `Accept`. `formats.ts` registers
 * them; every list has every registered format.
 */
export interface ListFormat {
  /** Value of `format=`. */
  readonly name: string;
  /** `Content-Type` of replies. */
  readonly mediaType: string;
  /** Media types in `Accept` that ask for this format. */
  readonly acceptedTypes: readonly string[];
  /** Replies are pages in an envelope, even where the request asks for no page. */
  readonly paged: boolean;
  /** What is encoded: the items as JSON, or the rows of the list's table. */
  readonly encodes: 'items' | 'table';
  /** How many rows a file can have; undefined where there is no limit. */
  readonly rowLimit?: RowLimit;
  /**
   * The whole body.
   * @param frame what surrounds the items, where the format has such a thing
   */
  encode(listing: Listing, frame: Frame, request: FormatRequest): Chunks;
}
