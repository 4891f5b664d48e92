import { readyBody } from '../formats/chunks.js';
import { listFormat } from '../formats/formats.js';
import type { FormatRequest, ListFormat } from '../formats/list-format.js';
import { Reply, RowStream } from '../http/reply.js';
import type { RequestInfo } from '../http/request.js';
import { ChosenFields } from './chosen-fields.js';
import { contentDisposition } from './file-name.js';
import { pageLink } from './links.js';
import { DeferredListing, type Frame, type Listing } from '../formats/listing.js';

/** Items serialised at once; longer lists are streamed, so as not to block the event loop. */
const MAX_WHOLE_ITEMS = 200;

/** What a reply depends on besides its list. */
export type ListRequest = Pick<
  RequestInfo,
  | 'origin'
  | 'path'
  | 'query'
  | 'fields'
  | 'format'
  | 'request'
  | 'revision'
  | 'dataRevision'
  | 'settings'
  | 'signal'
  | 'client'
  | 'notice'
  | 'permit'
  | 'cost'
>;

/** The reply of a list in the requested format; any other value unchanged. */
export function listReply(value: unknown, info: ListRequest): unknown {
  if (value instanceof DeferredListing) return deferredReply(value, listFormat(info.format), info);
  return isListing(value) ? reply(withFields(value, info), listFormat(info.format), info) : value;
}

const isListing = (value: unknown): value is Listing =>
  typeof value === 'object' && value !== null && 'items' in value && 'table' in value && 'page' in value;

const withFields = (listing: Listing, { fields }: ListRequest): Listing =>
  fields === null ? listing : new ChosenFields(listing, fields);

function reply(listing: Listing, format: ListFormat, info: ListRequest): Reply | RowStream {
  requireRoom(listing, format);
  const { etag, revision } = listing;
  const chunks = format.encode(listing, frameOf(listing, info), new RequestOfFormat(info, revision));
  const options = {
    ...(etag === undefined ? {} : { etag }),
    ...revisionOption(revision),
    ...fileHeaders(format, info),
  };
  const body = isWhole(listing, format) ? readyBody(chunks) : null;
  if (body !== null) return Reply.text(body, format.mediaType, options);
  return new RowStream(format.mediaType, chunks, options, listing.size ?? Infinity);
}

/**
 * Rejects a list that is known to be longer than a file of the format may be before the file waits
 * for its turn, and for replies without a body, too.
 * @throws the error of the format
 */
function requireRoom(listing: Listing, { rowLimit }: ListFormat): void {
  if (rowLimit === undefined || listing.size === null) return;
  const { length } = listing.table().columns;
  if (listing.size > rowLimit.most(length)) throw rowLimit.exceeded(length);
}

/** A short page in an envelope, or a single item; files are streamed. */
function isWhole({ page, size }: Listing, { paged }: ListFormat): boolean {
  if (page === 'single') return true;
  return paged && page !== 'all' && size !== null && size <= MAX_WHOLE_ITEMS;
}

/** Lists without an envelope are files, which browsers save. */
const fileHeaders = ({ paged, name }: ListFormat, { path, query }: ListRequest) =>
  paged ? {} : { headers: { 'Content-Disposition': contentDisposition(path, query, name) } };

const revisionOption = (revision: number | undefined) => (revision === undefined ? {} : { revision });

function showRevision({ revision }: { readonly revision?: number }, info: ListRequest): void {
  if (revision !== undefined) info.dataRevision = String(revision);
}

async function deferredReply(
  deferred: DeferredListing,
  format: ListFormat,
  info: ListRequest,
): Promise<RowStream> {
  // Neither reads the body: a page past the last has to be found missing without it.
  const { method, headers } = info.request;
  if (method === 'HEAD' || headers['if-none-match']?.trim() === '*')
    await deferred.check(info.permit.expectItems, format);
  // For replies without a body; the list that is opened says which revision it is of.
  showRevision(deferred, info);
  // What is still to come has been expected when the list was opened.
  return new RowStream(format.mediaType, openChunks(deferred, format, info), fileHeaders(format, info), 0);
}

async function* openChunks(
  deferred: DeferredListing,
  format: ListFormat,
  info: ListRequest,
): AsyncGenerator<string | Buffer> {
  const listing = withFields(await deferred.open(format, info.permit.expectItems), info);
  // The headers are written with the first bytes.
  showRevision(listing, info);
  try {
    requireRoom(listing, format);
    const request = new RequestOfFormat(info, listing.revision);
    yield* format.encode(listing, frameOf(listing, info), request);
  } finally {
    listing.close?.();
  }
}

/** What formats may say about a request, made only where they do. */
class RequestOfFormat implements FormatRequest {
  /** @param listed the revision of the list; undefined where it says none */
  constructor(
    private readonly info: ListRequest,
    private readonly listed: number | undefined,
  ) {}

  get address() {
    return this.info.origin + this.info.request.url;
  }

  get revision() {
    // That of the entity tag: a newer one would make other bytes of the same data.
    if (this.listed !== undefined) return String(this.listed);
    return this.info.revision ?? this.info.dataRevision;
  }

  get sources() {
    return this.info.origin + this.info.settings.sourcesPath;
  }

  get notice() {
    return this.info.notice;
  }

  get signal() {
    return this.info.signal;
  }

  get client() {
    return this.info.client.network;
  }

  async idleDuring<T>(work: Promise<T>): Promise<T> {
    const { permit } = this.info;
    permit.pause();
    const result = await work;
    await permit.resume();
    return result;
  }

  async pausedDuring<T>(work: Promise<T>): Promise<T> {
    const { permit, cost } = this.info;
    permit.pause();
    cost?.work();
    const result = await work;
    await permit.resume();
    return result;
  }
}

function frameOf({ page }: Listing, info: ListRequest): Frame {
  if (page === 'single') return { kind: 'single' };
  if (page === 'all') return { kind: 'array' };
  return {
    kind: 'page',
    count: page.count,
    next: page.page < page.lastPage ? pageLink(info, page.page + 1) : null,
    previous: page.page > 1 ? pageLink(info, page.page - 1) : null,
  };
}
