import { Injectable } from '@nestjs/common';
import { digestTag } from '../common/caching/etag.js';
import { Reply, mediaTypes, RowStream, type Format } from '../common/http/reply.js';
import type { RequestContext } from '../common/http/request-context.js';
import { pageLink } from '../common/pagination/links.js';
import type { PageRequest } from '../common/pagination/page.js';
import type { PriceListRequest, PriceRequest } from './price-request.js';
import {
  csvSerializer,
  jsonSerializer,
  ndjsonSerializer,
  type PriceSerializer,
} from './price-serializers.js';
import { pricesCsvHeader } from './prices-csv.js';
import { PricesService, type PriceListEnvelope, type PriceListSummary } from './prices.service.js';

/** The serializers for the formats of a route. */
export type PriceSerializers = Readonly<Partial<Record<Format, PriceSerializer>>>;

const defaultSerializers: PriceSerializers = {
  json: jsonSerializer,
  ndjson: ndjsonSerializer,
  csv: csvSerializer,
};

/** Points above which a list is cached only when it is requested again: about a megabyte. */
const LONG_LIST = 5000;
/** Long lists whose requests are remembered. */
const MAX_REMEMBERED_LISTS = 1000;

/** Replies with prices, in the requested format. */
@Injectable()
export class PriceReplies {
  /** Digests of the addresses of recently requested long lists. */
  private readonly longLists = new Set<string>();

  constructor(private readonly prices: PricesService) {}

  /** @throws NotFound where there is no such series */
  async read(
    uuid: string,
    { window, context }: PriceRequest,
    serializers = defaultSerializers,
  ): Promise<Reply> {
    const { format } = context;
    const text = await this.prices.read(uuid, window, serializers[format]!, context.signal);
    const body = format === 'csv' ? Buffer.concat([Buffer.from(pricesCsvHeader), text]) : text;
    return Reply.text(body, mediaTypes[format]);
  }

  /**
   * A list, loaded while it is written.
   * @throws NotFound past the last page, where the stream may not be read; otherwise the stream
   * throws it
   */
  async list({ query, context }: PriceListRequest, serializers = defaultSerializers): Promise<RowStream> {
    const { format, signal } = context;
    // The stream is not read for HEAD, nor for `If-None-Match: *`, which any existing page matches.
    // A page past the end is a 404 there as well.
    const { method, headers } = context.request;
    if (method === 'HEAD' || headers['if-none-match']?.trim() === '*')
      await this.prices.checkPage(query, signal);
    const envelope = format === 'json' ? jsonEnvelope(context, query.page!) : fileEnvelope(format);
    const head = (summary: PriceListSummary) => {
      if (summary.points > LONG_LIST && !this.isRepeated(context)) context.revision = null;
      return envelope.head(summary);
    };
    return new RowStream(
      mediaTypes[format],
      this.prices.chunks(query, { ...envelope, head }, serializers[format]!, signal),
    );
  }

  /**
   * Whether a long list was requested before. Most are requested once, and their series are in the
   * fragment cache anyway; cached whole, they would evict everything else from the page cache.
   */
  private isRepeated({ request, format, origin }: RequestContext): boolean {
    const address = digestTag(`${format} ${origin} ${request.url}`);
    if (this.longLists.has(address)) return true;
    this.longLists.add(address);
    const [oldest] = this.longLists;
    if (this.longLists.size > MAX_REMEMBERED_LISTS) this.longLists.delete(oldest!);
    return false;
  }
}

/** `{count, next, previous, results}` */
function jsonEnvelope(context: RequestContext, { page }: PageRequest): PriceListEnvelope {
  return {
    head({ count, lastPage }) {
      const next = page < lastPage ? pageLink(context, page + 1) : null;
      const previous = page > 1 ? pageLink(context, page - 1) : null;
      return `${JSON.stringify({ count, next, previous }).slice(0, -1)},"results":[`;
    },
    tail: ']}',
  };
}

/** Of files: only CSV has a header line. */
function fileEnvelope(format: Format): PriceListEnvelope {
  return { head: () => (format === 'csv' ? pricesCsvHeader : ''), tail: '' };
}
