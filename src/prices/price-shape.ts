import type { ByteWriter } from '../common/formats/byte-writer.js';
import type { CatalogueSnapshot } from '../price-series/catalogue-snapshot.js';
import { entryJson, entryOf } from '../price-series/price-serie.view.js';
import type { ReferenceRecords } from '../price-series/reference-facts.js';
import { writeDatapoints, writePricesCsv, type PointSetting } from './datapoint.view.js';
import type { ServedSeries } from './derivation.js';
import { pricesCsvLineStart } from './prices-csv.js';

/** How the prices of one series are written. */
export interface PriceShape {
  /** Under this name the text is kept for the next time; null where it is not kept. */
  readonly keptAs: string | null;
  /** What stands between two series; their text begins with it, so that kept text need not be put together again. */
  readonly separator: string;
  /** The conversion factor that the points of a unit carry. */
  conversionFactor(unit: ReferenceRecords['measure_unit']): number | null;
  /** Writes the series with its points, without the separator. */
  write(writer: ByteWriter, series: ServedSeries, setting: PriceSetting): void;
}

/** A series in a state of the catalogue, and what its points need. */
export interface PriceSetting extends PointSetting {
  catalogue: CatalogueSnapshot;
  place: number;
}

/** The points alone. */
export const pricePoints: PriceShape = {
  keptAs: null,
  separator: '',
  conversionFactor: (unit) => unit.conversion_factor,
  write: (writer, series, setting) => writeDatapoints(writer, series, setting),
};

/** `{uuid, series, datapoints}` */
export const priceObject: PriceShape = {
  ...pricePoints,
  keptAs: 'json',
  separator: ',',
  write: writePriceObject,
};

/** A price object as a line of NDJSON. */
export const priceObjectLine: PriceShape = {
  ...pricePoints,
  keptAs: 'ndjson',
  write(writer, series, setting) {
    writePriceObject(writer, series, setting);
    writer.ascii('\n');
  },
};

/** Lines of the `prices` CSV. They carry the whole series each, so they are long, and made for one download: none is kept. */
export const priceCsvLines: PriceShape = {
  ...pricePoints,
  write(writer, series, setting) {
    const { catalogue, place } = setting;
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

function writePriceObject(writer: ByteWriter, series: ServedSeries, setting: PriceSetting): void {
  const { catalogue, place } = setting;
  writer.text(`{"uuid":"${catalogue.uuidAt(place)}","series":${entryJson(catalogue, place)},"datapoints":[`);
  writeDatapoints(writer, series, setting);
  writer.ascii(']}');
}
