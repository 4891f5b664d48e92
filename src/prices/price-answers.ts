import { Injectable } from '@nestjs/common';
import { digestTag } from '../common/caching/etag.js';
import { Reply, mediaTypes, RowStream, type Format } from '../common/http/reply.js';
import type { RequestContext } from '../common/http/request-context.js';
import { pageLink } from '../common/pagination/links.js';
import type { PageRequest } from '../common/pagination/page.js';
import type { PriceListRequest, PriceRequest } from './price-request.js';
import { priceCsvLines, priceObject, priceObjectLine, type PriceShape } from './price-shape.js';
import { pricesCsvHeader } from './prices-csv.js';
import { PricesService, type PriceFrame, type PriceListStart } from './prices.service.js';

/** How prices are written in the formats of a route. */
export type PriceShapes = Readonly<Partial<Record<Format, PriceShape>>>;

const ourShapes: PriceShapes = { json: priceObject, ndjson: priceObjectLine, csv: priceCsvLines };

/** Points of a list from which on the page cache keeps it only when it is asked for a second time: about a megabyte. */
const LONG_LIST = 5000;
/** Long lists that are known to have been asked for. */
const LISTS_REMEMBERED = 1000;

/** Answers about prices, in the format that was asked for. */
@Injectable()
export class PriceAnswers {
  /** Digests of the addresses of long lists that were asked for lately. */
  private readonly longLists = new Set<string>();

  constructor(private readonly prices: PricesService) {}

  /** @throws NotFound where there is no such series */
  async single(uuid: string, { window, context }: PriceRequest, shapes = ourShapes): Promise<Reply> {
    const { format } = context;
    const text = await this.prices.single(uuid, window, shapes[format]!, context.signal);
    const body = format === 'csv' ? Buffer.concat([Buffer.from(pricesCsvHeader), text]) : text;
    return Reply.text(body, mediaTypes[format]);
  }

  /**
   * A list, made while it is written.
   * @throws NotFound past the last page, if no row may be asked for; else the stream tells it
   */
  async list({ query, context }: PriceListRequest, shapes = ourShapes): Promise<RowStream> {
    const { format, signal: gone } = context;
    // Nothing of a stream is made for a head, nor where the caller has any answer there may be: a missing page is told all the same.
    const { method, headers } = context.request;
    if (method === 'HEAD' || headers['if-none-match']?.trim() === '*')
      await this.prices.checkPage(query, gone);
    const frame = format === 'json' ? envelopeFrame(context, query.page!) : fileFrame(format);
    const head = (start: PriceListStart) => {
      if (start.points > LONG_LIST && !this.isRepeated(context)) context.revision = null;
      return frame.head(start);
    };
    return new RowStream(
      mediaTypes[format],
      this.prices.parts(query, { ...frame, head }, shapes[format]!, gone),
    );
  }

  /**
   * Whether a long list was asked for before. Most are asked for once, and put together from series that are kept in any case; kept
   * whole, they would push everything else out of the page cache.
   */
  private isRepeated({ request, format, origin }: RequestContext): boolean {
    const address = digestTag(`${format} ${origin} ${request.url}`);
    if (this.longLists.has(address)) return true;
    this.longLists.add(address);
    const [oldest] = this.longLists;
    if (this.longLists.size > LISTS_REMEMBERED) this.longLists.delete(oldest!);
    return false;
  }
}

/** `{count, next, previous, results}` */
function envelopeFrame(context: RequestContext, { page }: PageRequest): PriceFrame {
  return {
    head({ count, lastPage }) {
      const next = page < lastPage ? pageLink(context, page + 1) : null;
      const previous = page > 1 ? pageLink(context, page - 1) : null;
      return `${JSON.stringify({ count, next, previous }).slice(0, -1)},"results":[`;
    },
    tail: ']}',
  };
}

/** Files have no envelope. */
function fileFrame(format: Format): PriceFrame {
  return { head: () => (format === 'csv' ? pricesCsvHeader : ''), tail: '' };
}
