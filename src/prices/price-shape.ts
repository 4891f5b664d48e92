import type { ByteWriter } from '../common/formats/byte-writer.js';
import type { CatalogueSnapshot } from '../price-series/catalogue-snapshot.js';
import { entryJson, entryOf } from '../price-series/price-serie.view.js';
import type { ReferenceRecords } from '../price-series/reference-facts.js';
import { writeDatapoints, writePricesCsv, type PointSetting } from './datapoint.view.js';
import type { ServedSeries } from './derivation.js';
import { pricesCsvLineStart } from './prices-csv.js';

/** How the prices of one series are written. */
export interface PriceShape {
  /** Under this name the text of the points is kept for the next time; null where it is not kept. */
  readonly keptAs: string | null;
  /** What comes before the points. */
  before(catalogue: CatalogueSnapshot, place: number): string;
  /** What comes after them. */
  readonly after: string;
  /** The conversion factor that the points of a unit carry. */
  conversionFactor(unit: ReferenceRecords['measure_unit']): number | null;
  write(
    writer: ByteWriter,
    series: ServedSeries,
    setting: PointSetting,
    catalogue: CatalogueSnapshot,
    place: number,
  ): void;
}

/** The points alone. */
export const pricePoints: PriceShape = {
  keptAs: null,
  before: () => '',
  after: '',
  conversionFactor: (unit) => unit.conversion_factor,
  write: (writer, series, setting) => writeDatapoints(writer, series, setting),
};

/** `{uuid, series, datapoints}` */
export const priceObject: PriceShape = {
  ...pricePoints,
  keptAs: 'json',
  before: (catalogue, place) =>
    `{"uuid":"${catalogue.uuidAt(place)}","series":${entryJson(catalogue, place)},"datapoints":[`,
  after: ']}',
};

/** A price object as a line of NDJSON. */
export const priceObjectLine: PriceShape = { ...priceObject, after: ']}\n' };

/** Lines of the `prices` CSV. They carry the whole series each, so they are long, and made for one download: none is kept. */
export const priceCsvLines: PriceShape = {
  keptAs: null,
  before: () => '',
  after: '',
  conversionFactor: (unit) => unit.conversion_factor,
  write(writer, series, setting, catalogue, place) {
    const { market, source, measure_unit } = catalogue.factsAt(place);
    const lineStart = pricesCsvLineStart({
      ...entryOf(catalogue, place),
      market_code: market.code,
      market_info: market.info,
      source_url: source.url,
      source_license: source.license,
      measure_unit_dimension: measure_unit.dimension,
    });
    writePricesCsv(writer, series, setting, lineStart);
  },
};
