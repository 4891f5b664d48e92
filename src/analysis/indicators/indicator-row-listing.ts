import { batchesOf } from '../../lib/collections/batches.js';
import { type Chunks, flatMap } from '../../platform/formats/chunks.js';
import type { CellValue, Column, Listing, PageInfo, Table } from '../../platform/formats/listing.js';
import type { CatalogueSnapshot } from '../../price-series/catalogue/catalogue-snapshot.js';
import { entryJson, entryOf } from '../../price-series/price-serie.view.js';
import { indicatorColumns, type IndicatorField, type Observation } from './indicator-fields.js';
import { observationCells } from './indicator-listing.js';
import type { IndicatorList, IndicatorRow } from './indicator-list.service.js';

/** Rows that are serialised at once. */
const ROWS_PER_CHUNK = 100;

/** The columns of a series in tables. */
const SERIES_COLUMNS = [
  'uuid',
  'iso3_country_code',
  'country_name',
  'commodity',
  'price_type',
  'market',
  'admin_unit',
  'source',
  'currency',
  'measure_unit',
] as const;

/** The columns of a list with these indicators. */
export const indicatorRowColumns = (fields: readonly IndicatorField[]): Column[] => [
  ...SERIES_COLUMNS.map((name): Column =>
    name === 'uuid' ? { name, type: 'string' } : { name, type: 'string', member: 'series' },
  ),
  { name: 'fresh', type: 'boolean' },
  { name: 'date', type: 'date' },
  ...indicatorColumns(fields),
];

/** The cells of a series with its observation. */
export const indicatorRowCells = (
  catalogue: CatalogueSnapshot,
  { row, fresh }: IndicatorRow,
  observation: Observation,
  fields: readonly IndicatorField[],
): CellValue[] => {
  const entry = entryOf(catalogue, row);
  return [...SERIES_COLUMNS.map((name) => entry[name]), fresh, ...observationCells(observation, fields)];
};

/** Series, each with one observation: an item is both, a row of the table names the series. */
export class IndicatorRowListing implements Listing {
  readonly page: PageInfo | 'all';
  readonly size: number;
  readonly revision: number;

  constructor(
    private readonly list: IndicatorList,
    private readonly fields: readonly IndicatorField[],
  ) {
    this.page = list.page;
    this.size = list.rows.length;
    this.revision = list.revision;
  }

  items(layout: 'array' | 'lines'): Chunks {
    let first = true;
    return flatMap(this.batches(), (rows) => {
      const texts = rows.map((row) => this.item(row));
      if (layout === 'lines') return [texts.map((text) => `${text}\n`).join('')];
      const separator = first ? '' : ',';
      first = false;
      return [separator + texts.join(',')];
    });
  }

  table(): Table {
    const { catalogue } = this.list;
    const columns = indicatorRowColumns(this.fields);
    const cells = (row: IndicatorRow) => indicatorRowCells(catalogue, row, this.shown(row.row), this.fields);
    return { columns, batches: () => flatMap(this.batches(), (rows) => [rows.map(cells)]) };
  }

  private *batches(): Generator<readonly IndicatorRow[]> {
    const { rows } = this.list;
    for (const batch of batchesOf(rows, ROWS_PER_CHUNK)) yield batch;
  }

  private item({ row, fresh }: IndicatorRow): string {
    const { catalogue } = this.list;
    const shown = JSON.stringify(this.shown(row)).slice(1);
    return `{"uuid":"${catalogue.uuidAt(row)}","series":${entryJson(catalogue, row)},"fresh":${fresh},${shown}`;
  }

  /** The observation of a row: the fields that were asked for. */
  private shown(row: number): Observation {
    const observation = this.list.observations.at(row);
    const reasons: Observation['reasons'] = {};
    const shown: Record<string, unknown> = { date: observation.date };
    for (const field of this.fields) {
      shown[field] = observation[field];
      const reason = observation.reasons[field];
      if (reason !== undefined) reasons[field] = reason;
    }
    return { ...shown, reasons } as Observation;
  }
}
