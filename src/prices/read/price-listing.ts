import { Injectable } from '@nestjs/common';
import { shownRevision } from '../../ledger/revision/past-revisions.js';
import type { ListFormat } from '../../platform/formats/list-format.js';
import type { Chunks } from '../../platform/formats/chunks.js';
import {
  type CellValue,
  type Column,
  DeferredListing,
  type ExpectItems,
  type Listing,
  type PageInfo,
  type Table,
} from '../../platform/formats/listing.js';
import { pricesNotedColumns } from './prices-csv.js';
import type { LoadedPrices } from './price-loader.js';
import {
  csvSerializer,
  jsonSerializer,
  ndjsonSerializer,
  type PriceSerializer,
  withFlags,
  withIndexBase,
  withRateBasis,
  withSeriesFields,
  withStatus,
} from './price-serializers.js';
import {
  type PointExtras,
  type PriceList,
  PriceLimits,
  type PriceQuery,
  PricesService,
  type PriceView,
} from '../prices.service.js';
import type { CatalogueScope, SeriesScope } from '../../price-series/series-status.js';
import type { PointWindow } from './point-window.js';

/** A request for the prices of one series. */
export interface PriceRequest {
  window: PointWindow;
  view: PriceView;
  extras?: PointExtras;
  fields?: readonly string[];
  format: ListFormat;
}

/** Lists of prices as handlers return them. */
@Injectable()
export class PriceListings {
  constructor(
    private readonly prices: PricesService,
    private readonly limits: PriceLimits,
  ) {}

  /**
   * The prices of one series.
   * @param asJson writes the items of JSON
   * @param among the series that it may be one of
   * @throws NotFound where there is no such series
   */
  async read(
    uuid: string,
    { window, view, extras, fields, format }: PriceRequest,
    signal: AbortSignal,
    asJson: PriceSerializer = jsonSerializer,
    among: SeriesScope = { uuids: [uuid] },
  ): Promise<Listing> {
    const past = await this.prices.past(view);
    const asked = fields?.includes('status') ? 'all' : among;
    const scope = await this.prices.scopeOf(asked, past);
    const serializer = withExtras(serializerOf(format, asJson, fields), extras, scope);
    const loaded = await this.prices.read(uuid, window, serializer, past, signal, scope);
    const list = { batches: [loaded], page: 'single' as const, revision: loaded.snapshot.revision };
    return new PriceListing(list, 1, this.limits.chunkBytes, serializer.columns);
  }

  /**
   * The prices of several series, loaded while they are written.
   * @param asJson as for `read`
   * @throws ValidationError for a revision that does not exist
   */
  async list(
    request: PriceQuery,
    signal: AbortSignal,
    asJson: PriceSerializer = jsonSerializer,
  ): Promise<DeferredListing> {
    const past = await this.prices.past(request.view);
    const scope = await this.prices.scopeOf(request.criteria.scope, past);
    const query = { ...request, criteria: request.criteria.within(scope) };
    const serializerFor = (format: ListFormat) =>
      withExtras(serializerOf(format, asJson, query.fields), query.extras, scope);
    /** Rejects a file that is too large before its rows are read. */
    const requireRoom = async (format: ListFormat, expectItems: ExpectItems) => {
      if (format.rowLimit === undefined) return;
      const { length } = serializerFor(format).columns;
      const most = format.rowLimit.most(length);
      const count = await this.prices.countAtLeast(query, past, most, signal, expectItems);
      if (count > most) throw format.rowLimit.exceeded(length);
    };
    return new DeferredListing(
      async (format, expectItems) => {
        await requireRoom(format, expectItems);
        const serializer = serializerFor(format);
        const list = await this.prices.open(query, serializer, past, signal, expectItems);
        return new PriceListing(list, null, this.limits.chunkBytes, serializer.columns, () => list.close());
      },
      async (expectItems, format) => {
        await requireRoom(format, expectItems);
        await this.prices.checkPage(query, past, signal, expectItems);
      },
      shownRevision(past && past.revision),
    );
  }
}

/**
 * The serializer for what a format encodes.
 * @param fields of the series; undefined for all
 */
function serializerOf(
  format: ListFormat,
  asJson: PriceSerializer,
  fields: readonly string[] | undefined,
): PriceSerializer {
  const serializer = format.encodes === 'table' ? csvSerializer : format.paged ? asJson : ndjsonSerializer;
  return fields === undefined ? serializer : withSeriesFields(serializer, fields);
}

/** The serializer with what a request asks for beside the members of a point, and status. */
function withExtras(
  serializer: PriceSerializer,
  { flags = false, rateBasis = false, indexBase = false }: PointExtras = {},
  scope: CatalogueScope,
): PriceSerializer {
  const flagged = flags ? withFlags(serializer) : serializer;
  const based = rateBasis ? withRateBasis(flagged) : flagged;
  const whole = indexBase ? withIndexBase(based) : based;
  return scope === 'all' ? withStatus(whole) : whole;
}

/** Prices of series: an item is a series with its points, a row of the table a single point. */
class PriceListing implements Listing {
  readonly page: PageInfo | 'all' | 'single';
  readonly revision: number;
  private readonly batches: PriceList['batches'];

  constructor(
    { batches, page, revision }: Pick<PriceList, 'batches' | 'revision'> & Pick<Listing, 'page'>,
    readonly size: number | null,
    private readonly chunkBytes: number,
    private readonly columns: readonly Column[],
    readonly close: () => void = () => undefined,
  ) {
    this.batches = batches;
    this.page = page;
    this.revision = revision;
  }

  // The layout has been chosen with the serializer, because what is serialized may be cached.
  items(): Chunks {
    return this.page === 'single' ? this.wholeTexts() : this.texts();
  }

  table(): Table {
    return {
      columns: this.columns,
      noted: pricesNotedColumns.filter((noted) => this.columns.some(({ name }) => name === noted)),
      csvLines: () => this.items(),
      batches: () => this.cells(),
    };
  }

  /** The one text of a single series. */
  private *wholeTexts(): Generator<Buffer> {
    for (const loaded of this.batches as Iterable<LoadedPrices>) yield loaded.text(0, true);
  }

  private async *texts(): AsyncGenerator<Buffer> {
    const buffer = new ChunkBuffer(this.chunkBytes);
    let first = true;
    for await (const loaded of this.batches) {
      for (let index = 0; index < loaded.rows.length; index++) {
        if (!loaded.hasPoints(index)) continue;
        yield* buffer.add(loaded.text(index, first));
        first = false;
      }
    }
    yield* buffer.flush();
  }

  private async *cells(): AsyncGenerator<CellValue[][]> {
    for await (const loaded of this.batches) {
      for (let index = 0; index < loaded.rows.length; index++) yield loaded.cells(index);
    }
  }
}

/** Joins short texts to chunks that are worth a write; long ones are chunks of their own. */
class ChunkBuffer {
  private buffered: Buffer[] = [];
  private length = 0;

  constructor(private readonly chunkBytes: number) {}

  *add(text: Buffer): Iterable<Buffer> {
    if (text.length >= this.chunkBytes / 4) {
      yield* this.flush();
      yield text;
      return;
    }
    this.buffered.push(text);
    this.length += text.length;
    if (this.length >= this.chunkBytes) yield* this.flush();
  }

  *flush(): Iterable<Buffer> {
    if (this.length > 0) yield Buffer.concat(this.buffered, this.length);
    this.buffered = [];
    this.length = 0;
  }
}
