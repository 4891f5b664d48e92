import { Injectable } from '@nestjs/common';
import { createHash, type Hash } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, open, realpath } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { Environment } from '../../config/environment.js';
import { Clock } from '../../platform/clock/clock.js';
import { OutgoingFence } from '../../platform/outgoing/outgoing-fence.js';
import {
  OutgoingFailure,
  type OutgoingReply,
  OutgoingRequests,
} from '../../platform/outgoing/outgoing-request.js';
import { addressWith, filePathOf, headerWith, sourceOrigin } from '../records/harvest-address.js';
import type { HarvestRow } from '../records/harvest.entity.js';
import { NextPage } from './next-page.js';

/** Milliseconds until a server replies, and between two parts of what it sends. */
const STALL_MS = 60_000;
/** Milliseconds for a whole file, with all its pages. */
const TOTAL_MS = 30 * 60_000;
/** Pages of a list. */
const MAX_PAGES = 10_000;
/** Most milliseconds that a server may ask to wait before a retry. */
const MAX_RETRY_AFTER_MS = 24 * 3600_000;
const CHUNK_BYTES = 64 * 1024;

/** The source could not be fetched, or was not whole; in words that name no address. */
export class FetchFailed extends Error {
  /** @param retryAfterMs for which the server asks to wait */
  constructor(
    message: string,
    readonly retryAfterMs = 0,
  ) {
    super(message);
    this.name = 'FetchFailed';
  }
}

/** A file that has been fetched as a whole. */
interface FetchedFile {
  readonly bytes: number;
  /** SHA-256, in hexadecimal. */
  readonly digest: string;
  /** What the server says of it, to be asked whether there is another; '' for nothing. */
  readonly etag: string;
  readonly lastModified: string;
}

/** What a fetch needs of a harvest. */
type FetchedHarvest = Pick<HarvestRow, 'address' | 'header' | 'format' | 'etag' | 'last_modified'>;

/** Fetches the file of a harvest: from a server, behind the fence, or from the folder of files. */
@Injectable()
export class SourceFetcher {
  private readonly requests: OutgoingRequests;

  constructor(
    private readonly environment: Environment,
    private readonly clock: Clock,
  ) {
    const { outgoingAllow, proxies, harvestMaxBytes: maxBytes } = environment;
    this.requests = new OutgoingRequests(
      new OutgoingFence(outgoingAllow),
      proxies,
      { stallMs: STALL_MS, maxBytes },
      'price-data-service',
    );
  }

  /**
   * Stores the file of a harvest in another one, which must not exist.
   * @param secret of the harvest; '' for none
   * @returns null where the server says that it is the one that was imported last
   * @throws FetchFailed, and the reason of the signal when that is aborted
   */
  async fetch(
    harvest: FetchedHarvest,
    secret: string,
    path: string,
    signal: AbortSignal,
  ): Promise<FetchedFile | null> {
    const target = await TargetFile.create(path, this.environment.harvestMaxBytes);
    const total = AbortSignal.timeout(TOTAL_MS);
    try {
      const filePath = filePathOf(harvest.address);
      if (filePath !== null) return await this.copy(filePath, target);
      return await this.download(harvest, secret, target, AbortSignal.any([signal, total]));
    } catch (error) {
      signal.throwIfAborted();
      if (total.aborted) throw new FetchFailed('The file did not come within 30 minutes.');
      if (error instanceof OutgoingFailure) throw new FetchFailed(error.message);
      throw error;
    } finally {
      await target.close();
    }
  }

  private async download(
    harvest: FetchedHarvest,
    secret: string,
    target: TargetFile,
    signal: AbortSignal,
  ): Promise<FetchedFile | null> {
    const origin = sourceOrigin(harvest.address);
    const headersOf = (page: number) => (url: URL) => ({
      ...(page === 0 ? conditionsOf(harvest) : {}),
      ...(url.origin === origin ? headerWith(harvest.header, secret) : {}),
    });
    const seen = new Set<string>();
    let url = addressWith(harvest.address, secret);
    let validators = { etag: '', lastModified: '' };
    // Where the first page is: a redirect may have led to another server.
    let pagesOrigin = origin;
    for (let page = 0; ; page++) {
      seen.add(url.href);
      const reply = await this.requests.get({ url, headersOf: headersOf(page), signal });
      if (reply.status === 304 && page === 0) {
        reply.discard();
        return null;
      }
      this.requireSuccess(reply);
      if (page === 0) {
        validators = validatorsOf(reply);
        pagesOrigin = reply.url.origin;
      } else await target.write(Buffer.from('\n'));
      const next = harvest.format === 'fpma' ? new NextPage() : null;
      for await (const chunk of reply.body) {
        next?.push(chunk);
        await target.write(chunk);
      }
      if (!next?.address) break;
      url = nextPage(next.address, reply.url, pagesOrigin);
      if (seen.has(url.href) || seen.size === MAX_PAGES)
        throw new FetchFailed('The pages of the list do not end.');
    }
    // What is said of the first page holds for a file of one page only.
    return { ...target.facts(), ...(seen.size === 1 ? validators : { etag: '', lastModified: '' }) };
  }

  /** @throws FetchFailed */
  private requireSuccess(reply: OutgoingReply): void {
    const { status, headers } = reply;
    if (status === 200) return;
    reply.discard();
    throw new FetchFailed(
      `The server returned status ${status}.`,
      retryAfterMs(headers['retry-after'], this.clock.now()),
    );
  }

  /** Copies a file of the folder; links may not lead out of it. */
  private async copy(filePath: string, target: TargetFile): Promise<FetchedFile> {
    const { harvestFilesFolder: folder } = this.environment;
    if (folder === null) throw new FetchFailed('The service has no HARVEST_FILES_DIR.');
    const root = await realpath(folder).catch(() => {
      throw new FetchFailed('The folder HARVEST_FILES_DIR cannot be read.');
    });
    const missing = () => {
      throw new FetchFailed('There is no such file below HARVEST_FILES_DIR.');
    };
    const path = await realpath(join(root, filePath)).catch(missing);
    if (!path.startsWith(root.endsWith(sep) ? root : root + sep)) return missing();
    // A pipe would never end, and a link that has just come is not followed.
    const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
    const source = await open(path, flags).catch(missing);
    try {
      const before = await source.stat();
      if (!before.isFile()) return missing();
      for await (const chunk of source.createReadStream({ highWaterMark: CHUNK_BYTES, autoClose: false }))
        await target.write(chunk as Buffer);
      const after = await source.stat();
      const facts = target.facts();
      if (after.mtimeMs !== before.mtimeMs || after.size !== facts.bytes)
        throw new FetchFailed('The file changed while it was read.');
      return { ...facts, etag: '', lastModified: '' };
    } finally {
      await source.close();
    }
  }
}

/** The file into which a source is fetched. */
class TargetFile {
  private bytes = 0;

  private constructor(
    private readonly file: FileHandle,
    private readonly maxBytes: number,
    private readonly hash: Hash,
  ) {}

  static async create(path: string, maxBytes: number): Promise<TargetFile> {
    return new TargetFile(await open(path, 'wx', 0o600), maxBytes, createHash('sha256'));
  }

  /** @throws FetchFailed for more bytes than a file may have */
  async write(chunk: Uint8Array): Promise<void> {
    this.bytes += chunk.length;
    if (this.bytes > this.maxBytes) throw new FetchFailed(`The file has more than ${this.maxBytes} bytes.`);
    this.hash.update(chunk);
    await this.file.writeFile(chunk);
  }

  facts(): { bytes: number; digest: string } {
    return { bytes: this.bytes, digest: this.hash.copy().digest('hex') };
  }

  close(): Promise<void> {
    return this.file.close();
  }
}

/** The headers that ask for a file only where it is another than the one that was imported last. */
const conditionsOf = ({ etag, last_modified }: FetchedHarvest): Record<string, string> => ({
  ...(etag === '' ? {} : { 'If-None-Match': etag }),
  ...(last_modified === '' ? {} : { 'If-Modified-Since': last_modified }),
});

const VALIDATOR = /^[\x20-\x7e]*$/;

/** Those that are too long for their columns are not kept. */
function validatorsOf({ headers }: OutgoingReply): { etag: string; lastModified: string } {
  const kept = (value = '', max: number) => (value.length <= max && VALIDATOR.test(value) ? value : '');
  return { etag: kept(headers.etag, 500), lastModified: kept(headers['last-modified'], 100) };
}

/**
 * The address of the next page, which must be on the origin of the first.
 * @throws FetchFailed
 */
function nextPage(address: string, from: URL, origin: string): URL {
  if (!URL.canParse(address, from.href)) throw new FetchFailed('The next page has no valid address.');
  const url = new URL(address, from.href);
  // Behind a proxy, a server may not know that it is reached by https.
  if (url.protocol === 'http:' && from.protocol === 'https:') url.protocol = 'https:';
  if (url.origin !== origin || url.username !== '')
    throw new FetchFailed('The next page is not on the server of the first one.');
  return url;
}

/** The milliseconds of a `Retry-After`, in seconds or as a date; 0 for none. */
function retryAfterMs(header: string | undefined, now: number): number {
  if (header === undefined) return 0;
  const seconds = /^\d{1,9}$/.test(header.trim()) ? Number(header) * 1000 : Date.parse(header) - now;
  return Number.isNaN(seconds) ? 0 : Math.min(Math.max(seconds, 0), MAX_RETRY_AFTER_MS);
}
