import type { CellValue, Column } from '../../platform/formats/listing.js';
import type { ByteWriter } from '../../lib/text/byte-writer.js';
import type { CatalogueSnapshot } from '../../price-series/catalogue/catalogue-snapshot.js';
import { entryJson, entryOf } from '../../price-series/price-serie.view.js';
import type { SeriesReferences } from '../../price-series/catalogue/reference-dictionaries.js';
import { pointCells, writeDatapoints, writePricesCsv, type PointContext } from './datapoint.view.js';
import type { ServedSeries } from '../derive/derivation.js';
import {
  PRICES_CSV_STATUS,
  pricesCsvLinePrefix,
  pricesCsvSeriesColumns,
  type PricesSeriesField,
  pricesSeriesFields,
  type PricesSeriesValues,
  pricesTableColumns,
} from './prices-csv.js';

/** Writes the prices of one series in a format. */
export interface PriceSerializer {
  /** Part of the key under which the text is cached; null where it is not cached. */
  readonly cacheName: string | null;
  /** Countries whose consumer price indices are needed besides those of the series. */
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
  /** The fields of the series that are written, in order; all if left out. */
  fields?: readonly PricesSeriesField[];
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
    const { fields = pricesCsvSeriesColumns } = context;
    const prefix = pricesCsvLinePrefix(seriesValuesOf(context), tabular(fields));
    writePricesCsv(writer, series, context, prefix);
  },
};

/**
 * The same with some fields of the series; its points stay whole. Few ask for these: the texts are
 * not cached.
 * @param chosen names of fields
 */
export function withSeriesFields(serializer: PriceSerializer, chosen: readonly string[]): PriceSerializer {
  const fields = pricesSeriesFields.map(({ name }) => name).filter((name) => chosen.includes(name));
  const { columns } = serializer;
  return {
    ...serializer,
    cacheName: null,
    columns: [
      ...pricesSeriesFields.filter(({ name }) => tabular(fields).some((field) => field === name)),
      ...columns.slice(pricesCsvSeriesColumns.length),
    ],
    write: (writer, series, context) => serializer.write(writer, series, { ...context, fields }),
    cells: (series, context) => serializer.cells(series, { ...context, fields }),
  };
}

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

/** The same with the status of each series, after all else; in JSON, its entry says it. */
export const withStatus = (serializer: PriceSerializer): PriceSerializer => ({
  ...serializer,
  columns: [...serializer.columns, { name: PRICES_CSV_STATUS, type: 'string' }],
  write: (writer, series, context) =>
    serializer.write(writer, series, { ...context, status: statusOf(context) }),
  cells: (series, context) => serializer.cells(series, { ...context, status: statusOf(context) }),
});

const statusOf = ({ catalogue, row }: PriceContext): string => catalogue.statusAt(row) ?? 'observed';

/** The points of a series as rows of the `prices` table. */
function priceCells(series: ServedSeries, context: PriceContext): CellValue[][] {
  const values = seriesValuesOf(context);
  const { fields = pricesCsvSeriesColumns } = context;
  const prefix = tabular(fields).map((name) => values[name]);
  return pointCells(series, context).map((point) => [...prefix, ...point]);
}

/** The fields of a series with values that tables can show. */
const tabular = (fields: readonly PricesSeriesField[]) =>
  fields.filter((name) => name !== 'periodicity' && name !== 'status');

function seriesValuesOf({ catalogue, row }: PriceContext): PricesSeriesValues {
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
  writer.text(`{"uuid":"${catalogue.uuidAt(row)}","series":${seriesJson(context)},"datapoints":[`);
  writeDatapoints(writer, series, context);
  writer.ascii(']}');
}

function seriesJson(context: PriceContext): string {
  const { catalogue, row, fields } = context;
  if (fields === undefined) return entryJson(catalogue, row);
  const values: Readonly<Record<string, unknown>> = seriesValuesOf(context);
  return JSON.stringify(Object.fromEntries(fields.map((name) => [name, values[name]])));
}
