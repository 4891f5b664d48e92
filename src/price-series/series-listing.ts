import type { CellValue, Column, ColumnType, Listing, PageInfo, Table } from '../platform/formats/listing.js';
import type { CatalogueSnapshot } from './catalogue/catalogue-snapshot.js';
import { entryJson, entryOf, SeriesEntry, type ServedPeriodicityItem } from './price-serie.view.js';
import { columnsOf, omitColumns } from '../platform/formats/columns.js';

/** A column of a series' entry: one but its periodicity. */
type EntryColumn = Column & { readonly name: Exclude<keyof SeriesEntry, 'periodicity' | 'status'> };

/** The fields of an entry as columns, but for status and periodicity, which have their own. */
const entryColumns = omitColumns(columnsOf(SeriesEntry), ['periodicity', 'status']) as EntryColumn[];

const entryFields = entryColumns.map(({ name }) => name);

const periodColumn = (name: string, type: ColumnType): Column => ({ name, type, member: 'periodicity' });

/** Columns of a table of series. Daily data are never derived: no `daily_calculated`. */
export const seriesColumns: readonly Column[] = [
  ...entryColumns,
  periodColumn('daily_start', 'date'),
  periodColumn('daily_end', 'date'),
  periodColumn('weekly_start', 'date'),
  periodColumn('weekly_end', 'date'),
  periodColumn('weekly_calculated', 'boolean'),
  periodColumn('monthly_start', 'date'),
  periodColumn('monthly_end', 'date'),
  periodColumn('monthly_calculated', 'boolean'),
];

/** The column of replies that may have series of other status than `observed`. */
const statusColumn: Column = { name: 'status', type: 'string' };

/** Series that are serialised at once: other requests get a turn between chunks. */
const SERIES_PER_CHUNK = 200;

/** Serialises the series at a row of the catalogue as JSON. */
export type SeriesSerializer = (catalogue: CatalogueSnapshot, row: number) => string;

/** A list of series, given by their rows in one snapshot of the catalogue. */
export class SeriesListing implements Listing {
  readonly size: number;

  constructor(
    private readonly catalogue: CatalogueSnapshot,
    readonly revision: number,
    private readonly rows: Uint32Array,
    readonly page: PageInfo | 'all' | 'single',
    private readonly toJson: SeriesSerializer = entryJson,
  ) {
    this.size = rows.length;
  }

  *items(layout: 'array' | 'lines'): Generator<string> {
    const [separator, end] = layout === 'array' ? [',', ''] : ['\n', '\n'];
    for (let start = 0; start < this.rows.length; start += SERIES_PER_CHUNK) {
      let chunk = start > 0 && layout === 'array' ? ',' : '';
      const rows = this.rows.subarray(start, start + SERIES_PER_CHUNK);
      for (let index = 0; index < rows.length; index++)
        chunk += (index > 0 ? separator : '') + this.toJson(this.catalogue, rows[index]!);
      yield chunk + end;
    }
  }

  table(): Table {
    const columns = this.hasStatus ? [...seriesColumns, statusColumn] : seriesColumns;
    return { columns, batches: () => this.cellBatches() };
  }

  private get hasStatus(): boolean {
    return this.catalogue.shows.scope === 'all';
  }

  private *cellBatches(): Generator<CellValue[][]> {
    for (let start = 0; start < this.rows.length; start += SERIES_PER_CHUNK) {
      const rows = this.rows.subarray(start, start + SERIES_PER_CHUNK);
      yield Array.from(rows, (row) => {
        const entry = entryOf(this.catalogue, row);
        return entry.status === undefined ? cellsOf(entry) : [...cellsOf(entry), entry.status];
      });
    }
  }
}

/** The values of a table's row; those of a period without data are null. */
function cellsOf(entry: SeriesEntry): CellValue[] {
  const item = (period: ServedPeriodicityItem['period']) =>
    entry.periodicity.find((each) => each.period === period);
  const [daily, weekly, monthly] = [item('daily'), item('weekly'), item('monthly')];
  return [
    ...entryFields.map((name) => entry[name]),
    ...dates(daily),
    ...dates(weekly),
    calculated(weekly),
    ...dates(monthly),
    calculated(monthly),
  ];
}

const dates = (item: ServedPeriodicityItem | undefined) => [item?.start_date ?? null, item?.end_date ?? null];

const calculated = (item: ServedPeriodicityItem | undefined) =>
  item === undefined ? null : item.calculated === true;
