import type { CellValue, Column } from '../../platform/formats/listing.js';
import type { ByteWriter } from '../../lib/text/byte-writer.js';
import type { CatalogueSnapshot } from '../../price-series/catalogue/catalogue-snapshot.js';
import { entryJson, entryOf } from '../../price-series/price-serie.view.js';
import type { SeriesReferences } from '../../price-series/catalogue/reference-dictionaries.js';
import { pointCells, writeDatapoints, writePricesCsv, type PointContext } from './datapoint.view.js';
import type { ServedSeries } from '../derive/derivation.js';
import {
  pricesCsvLinePrefix,
  type PricesCsvSeries,
  pricesCsvSeriesColumns,
  pricesTableColumns,
} from './prices-csv.js';

/** Writes the prices of one series in a format. */
export interface PriceSerializer {
  /** Part of the key under which the text is cached; null where it is not cached. */
  readonly cacheName: string | null;
  /** Countries whose price indices are needed besides those of the series. */
  readonly countries?: readonly string[];
  /** Between two series. Each text begins with it, so that cached text can be sent as it is. */
  readonly separator: string;
  /** Whether it needs no comments of points, which are then not read. */
  readonly valuesOnly?: boolean;
  /** Whether points have their flags. */
  readonly flags?: boolean;
  /** The columns of its points as rows of a table. */
  readonly columns: readonly Column[];
  /** The conversion factor of points with this unit. */
  conversionFactor(unit: SeriesReferences['measure_unit']): number | null;
  /** Writes a series with its points, without the separator. */
  write(writer: ByteWriter, series: ServedSeries, context: PriceContext): void;
  /** The points as rows of a table. */
  cells(series: ServedSeries, context: PriceContext): CellValue[][];
}

/** A series in a snapshot of the catalogue, and what its points need. */
export interface PriceContext extends PointContext {
  catalogue: CatalogueSnapshot;
  row: number;
}

/** The points alone. */
export const pointsSerializer: PriceSerializer = {
  cacheName: null,
  separator: '',
  columns: pricesTableColumns,
  conversionFactor: (unit) => unit.conversion_factor,
  write: (writer, series, context) => writeDatapoints(writer, series, context),
  cells: priceCells,
};

/** `{uuid, series, datapoints}` */
export const jsonSerializer: PriceSerializer = {
  ...pointsSerializer,
  cacheName: 'json',
  separator: ',',
  write: writePriceObject,
};

/** A price object as a line of NDJSON. */
export const ndjsonSerializer: PriceSerializer = {
  ...pointsSerializer,
  cacheName: 'ndjson',
  write(writer, series, context) {
    writePriceObject(writer, series, context);
    writer.ascii('\n');
  },
};

/**
 * Lines of the `prices` CSV. Each one repeats the whole series, so they are long, and a download is
 * mostly requested once: they are not cached.
 */
export const csvSerializer: PriceSerializer = {
  ...pointsSerializer,
  write(writer, series, context) {
    writePricesCsv(writer, series, context, pricesCsvLinePrefix(csvSeriesOf(context)));
  },
};

/**
 * The same with the open findings about each point. Few ask for these, and they change without the
 * series: the texts are not cached.
 */
export const withFlags = (serializer: PriceSerializer): PriceSerializer => ({
  ...serializer,
  cacheName: null,
  flags: true,
  columns: [...serializer.columns, { name: 'flags', type: 'string' }],
});

/** The same with what the dollars of each point are based on, after all else. */
export function withRateBasis(serializer: PriceSerializer): PriceSerializer {
  const { cacheName, columns } = serializer;
  return {
    ...serializer,
    cacheName: cacheName && `${cacheName} rate_basis`,
    columns: [...columns, { name: 'rate_basis', type: 'string' }],
    write: (writer, series, context) => serializer.write(writer, series, { ...context, rateBasis: true }),
    cells: (series, context) => serializer.cells(series, { ...context, rateBasis: true }),
  };
}

/** The same with the base period that each real price is in terms of, after all else. */
export function withIndexBase(serializer: PriceSerializer): PriceSerializer {
  const { cacheName, columns } = serializer;
  return {
    ...serializer,
    cacheName: cacheName && `${cacheName} index_base`,
    columns: [...columns, { name: 'index_base', type: 'string' }],
    write: (writer, series, context) => serializer.write(writer, series, { ...context, indexBase: true }),
    cells: (series, context) => serializer.cells(series, { ...context, indexBase: true }),
  };
}

/** The points of a series as rows of the `prices` table. */
function priceCells(series: ServedSeries, context: PriceContext): CellValue[][] {
  const values = csvSeriesOf(context);
  const prefix = pricesCsvSeriesColumns.map((name) => values[name]);
  return pointCells(series, context).map((point) => [...prefix, ...point]);
}

function csvSeriesOf({ catalogue, row }: PriceContext): PricesCsvSeries {
  const { market, source, measure_unit } = catalogue.seriesAt(row);
  return {
    ...entryOf(catalogue, row),
    market_code: market.code,
    market_info: market.info,
    source_url: source.url,
    source_license: source.license,
    measure_unit_dimension: measure_unit.dimension,
  };
}

function writePriceObject(writer: ByteWriter, series: ServedSeries, context: PriceContext): void {
  const { catalogue, row } = context;
  writer.text(`{"uuid":"${catalogue.uuidAt(row)}","series":${entryJson(catalogue, row)},"datapoints":[`);
  writeDatapoints(writer, series, context);
  writer.ascii(']}');
}
