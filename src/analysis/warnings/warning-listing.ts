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

/** The fields that identify a group within its country, by grouping. */
const KEY_FIELDS: Record<WarningGrouping, readonly string[]> = {
  country: [],
  'country,category': ['category'],
  'country,commodity': ['commodity_id', 'commodity'],
};

/** The fields that identify groups of the other groupings alone, so that these rows have none. */
export const absentKeyFields = (grouping: WarningGrouping): string[] =>
  Object.values(KEY_FIELDS)
    .flat()
    .filter((name) => !KEY_FIELDS[grouping].includes(name));

const countColumns = (field: string, classes: readonly string[]): Column[] =>
  classes.map((name) => ({ name: `${field}_${name}`, type: 'integer', member: field }));

/** The columns of each field that is an object in JSON. */
const COLUMNS_OF_OBJECTS: Partial<Record<string, readonly Column[]>> = {
  ifpa: countColumns('ifpa', COUNTED_IFPA),
  alps: countColumns('alps', COUNTED_ALPS),
  persistence: partsOf(Persistence, 'persistence'),
};

/** The columns that lists of warnings can have, whatever the grouping. */
export const allWarningColumns = columnsOf(PriceWarning).flatMap(
  (column) => COLUMNS_OF_OBJECTS[column.name] ?? [column],
);

/** The columns of a list of warnings with this grouping. */
export const warningColumnsBy = (grouping: WarningGrouping): Column[] =>
  omitColumns(allWarningColumns, absentKeyFields(grouping));

/** The cells of a warning, in the order of `warningColumnsBy`; so are the fields of its key. */
export const warningCells = (catalogue: CatalogueSnapshot, warning: ListedWarning): CellValue[] => [
  ...Object.values<CellValue>({ ...warning.key }),
  isoFromMonth(warning.month),
  warning.series,
  warning.fresh,
  warning.markets,
  ...COUNTED_IFPA.map((name) => warning.ifpa[name]),
  ...COUNTED_ALPS.map((name) => warning.alps[name]),
  warning.share_high,
  warning.share_alert_or_worse,
  warning.persistence.ifpa,
  warning.persistence.alps,
  warning.top.map(({ row }) => catalogue.uuidAt(row)).join(' '),
  warning.rated,
  warning.high,
];

/**
 * A list of warnings as a reply, with one item for each group and month. The series with the
 * highest IFPA are objects in JSON; tables have their uuids in one cell.
 */
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
    let isFirst = true;
    return flatMap(this.list.batches, (warnings) => {
      const texts = warnings.map((warning) => JSON.stringify(this.item(warning)));
      if (layout === 'lines') return [texts.map((text) => `${text}\n`).join('')];
      const separator = isFirst || texts.length === 0 ? '' : ',';
      isFirst = false;
      return [separator + texts.join(',')];
    });
  }

  table(): Table {
    const { catalogue } = this.list;
    return {
      columns: warningColumnsBy(this.grouping),
      batches: () =>
        flatMap(this.list.batches, (warnings) => [
          warnings.map((warning) => warningCells(catalogue, warning)),
        ]),
    };
  }

  private item(warning: ListedWarning) {
    return {
      ...warning.key,
      month: isoFromMonth(warning.month),
      series: warning.series,
      fresh: warning.fresh,
      markets: warning.markets,
      ifpa: warning.ifpa,
      alps: warning.alps,
      share_high: warning.share_high,
      share_alert_or_worse: warning.share_alert_or_worse,
      persistence: warning.persistence,
      top: warning.top.map((series) => this.topItem(series)),
      rated: warning.rated,
      high: warning.high,
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
      // `topOf` leaves out series without an IFPA, so there is a class.
      ifpa_class: classOf(ifpa)!,
      alps_class: alps,
    };
  }
}
