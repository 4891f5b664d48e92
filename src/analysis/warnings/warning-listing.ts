import { firstDayOfMonth, isoFromDay, isoFromMonth } from '../../lib/dates/calendar-date.js';
import { toSignificantDigits } from '../../lib/numbers/significant-digits.js';
import { type Chunks, flatMap } from '../../platform/formats/chunks.js';
import type { CellValue, Column, Listing, PageInfo, Table } from '../../platform/formats/listing.js';
import type { CatalogueSnapshot } from '../../price-series/catalogue/catalogue-snapshot.js';
import { classOf, type GroupSeries } from './group-months.js';
import type { WarningGrouping } from './warning-groups.js';
import type { ListedWarning, WarningList } from './warnings.service.js';
import {
  COUNTED_ALPS,
  COUNTED_IFPA,
  Persistence,
  PriceWarning,
  type WarningSeries,
} from './price-warning.js';
import { columnsOf, omitColumns, partsOf } from '../../platform/formats/columns.js';

/** The fields that rows have in common besides their country, by grouping. */
const KEY_FIELDS: Record<WarningGrouping, readonly string[]> = {
  country: [],
  'country,category': ['category'],
  'country,commodity': ['commodity_id', 'commodity'],
};

/** The fields of groups that rows of a grouping do not have. */
export const absentKeyFields = (grouping: WarningGrouping): string[] =>
  Object.values(KEY_FIELDS)
    .flat()
    .filter((name) => !KEY_FIELDS[grouping].includes(name));

const counts = (member: string, names: readonly string[]): Column[] =>
  names.map((name) => ({ name: `${member}_${name}`, type: 'integer', member }));

/** The columns of fields that have parts. */
const PARTS: Partial<Record<string, readonly Column[]>> = {
  ifpa: counts('ifpa', COUNTED_IFPA),
  alps: counts('alps', COUNTED_ALPS),
  persistence: partsOf(Persistence, 'persistence'),
};

/** The columns that warnings have in any grouping. */
export const allWarningColumns = columnsOf(PriceWarning).flatMap((column) => PARTS[column.name] ?? [column]);

/** The columns of a list of warnings. */
export const warningColumnsBy = (grouping: WarningGrouping): Column[] =>
  omitColumns(allWarningColumns, absentKeyFields(grouping));

/** The cells of warnings. */
export const warningCells = (catalogue: CatalogueSnapshot, row: ListedWarning): CellValue[] => [
  ...Object.values<CellValue>({ ...row.key }),
  isoFromMonth(row.month),
  row.series,
  row.fresh,
  row.markets,
  ...COUNTED_IFPA.map((name) => row.ifpa[name]),
  ...COUNTED_ALPS.map((name) => row.alps[name]),
  row.share_high,
  row.share_alert_or_worse,
  row.persistence.ifpa,
  row.persistence.alps,
  row.top.map((series) => catalogue.uuidAt(series.row)).join(' '),
  row.rated,
  row.high,
];

/** Warnings as a reply: an item a group and month; tables name the worst series by their uuids. */
export class WarningListing implements Listing {
  readonly page: PageInfo | 'all';
  readonly size: number;
  readonly revision: number;

  constructor(
    private readonly list: WarningList,
    private readonly grouping: WarningGrouping,
  ) {
    this.page = list.page;
    this.size = list.size;
    this.revision = list.revision;
  }

  items(layout: 'array' | 'lines'): Chunks {
    let first = true;
    return flatMap(this.list.batches, (rows) => {
      const texts = rows.map((row) => JSON.stringify(this.item(row)));
      if (layout === 'lines') return [texts.map((text) => `${text}\n`).join('')];
      const separator = first || texts.length === 0 ? '' : ',';
      first = false;
      return [separator + texts.join(',')];
    });
  }

  table(): Table {
    const { catalogue } = this.list;
    return {
      columns: warningColumnsBy(this.grouping),
      batches: () => flatMap(this.list.batches, (rows) => [rows.map((row) => warningCells(catalogue, row))]),
    };
  }

  private item({ key, month, series, fresh, markets, top, ...counts }: ListedWarning) {
    const { ifpa, alps, share_high, share_alert_or_worse, persistence, rated, high } = counts;
    return {
      ...key,
      month: isoFromMonth(month),
      series,
      fresh,
      markets,
      ifpa,
      alps,
      share_high,
      share_alert_or_worse,
      persistence,
      top: top.map((each) => this.topItem(each)),
      rated,
      high,
    };
  }

  private topItem({ row, month, ifpa, alps }: GroupSeries): WarningSeries {
    const { catalogue } = this.list;
    return {
      uuid: catalogue.uuidAt(row),
      commodity: catalogue.referenceAt('commodity', row).name,
      market: catalogue.referenceAt('market', row).name,
      date: isoFromDay(firstDayOfMonth(month)),
      ifpa: toSignificantDigits(ifpa),
      // They are chosen by it.
      ifpa_class: classOf(ifpa)!,
      alps_class: alps,
    };
  }
}
