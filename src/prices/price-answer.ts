import { mediaTypes, RowStream, type Format } from '../common/http/answer.js';
import type { RequestContext } from '../common/http/request-context.js';
import { pageLink } from '../common/pagination/links.js';
import type { PageRequest } from '../common/pagination/page.js';
import { priceCsvLines, priceObject, priceObjectLine, type PriceShape } from './price-shape.js';
import { pricesCsvHeader } from './prices-csv.js';
import type { PriceFrame, PriceQuery, PricesService } from './prices.service.js';

/** How prices are written in each format. */
export const priceShapes: Record<Format, PriceShape> = {
  json: priceObject,
  ndjson: priceObjectLine,
  csv: priceCsvLines,
};

/** A list of prices in the format that was asked for, made while it is written. */
export function priceListAnswer(
  prices: PricesService,
  query: PriceQuery,
  context: RequestContext,
  shapes: Partial<Record<Format, PriceShape>> = priceShapes,
): RowStream {
  const { format } = context;
  const frame = format === 'json' ? envelopeFrame(context, query.page!) : fileFrame(format);
  return new RowStream(mediaTypes[format], prices.parts(query, frame, shapes[format]!, context.gone));
}

/** `{count, next, previous, results}` */
function envelopeFrame(context: RequestContext, { page }: PageRequest): PriceFrame {
  return {
    head(count, lastPage) {
      const next = page < lastPage ? pageLink(context, page + 1) : null;
      const previous = page > 1 ? pageLink(context, page - 1) : null;
      return `${JSON.stringify({ count, next, previous }).slice(0, -1)},"results":[`;
    },
    separator: ',',
    tail: ']}',
  };
}

/** Files have no envelope. */
export function fileFrame(format: Format): PriceFrame {
  return { head: () => (format === 'csv' ? pricesCsvHeader : ''), separator: '', tail: '' };
}
