import { isoFromDay } from '../../lib/dates/calendar-date.js';
import type { AuditLogRecord } from '../../ledger/audit/audit-log.js';
import type { CatalogueSnapshot } from '../../price-series/catalogue/catalogue-snapshot.js';
import {
  SERIES_REFERENCE_TABLES,
  type SeriesReferenceTable,
} from '../../price-series/catalogue/reference-dictionaries.js';
import { PERIOD_NAMES } from '../../price-series/periodicity.js';
import { entryOf } from '../../price-series/price-serie.view.js';
import { parsePointId } from '../../prices/store/point-id.js';
import { seriesHeading } from '../../explorer/series/series-names.js';
import { html, type Html, nameOf } from '../../web/html.js';
import { dateOf } from '../../web/numbers.js';
import { instantOf } from '../layout/instant.js';
import { deskSeriesAddress } from '../series/series-address.js';
import { auditTexts as texts } from '../texts/accounts.js';

const INSTANT = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;

type Fields = Readonly<Record<string, unknown>>;

/** Fields that the record is named by, of each table. */
const NAMING: Readonly<Record<string, readonly string[] | undefined>> = {
  observation: ['series', 'periodicity', 'date'],
  series_join: ['from', 'into'],
};

/** Says what entries of the audit log are about: series and prices by their names. */
export class AuditWords {
  constructor(private readonly catalogue: CatalogueSnapshot) {}

  /** The record in words; null for tables whose records have a number alone. */
  record({ table, record_id: id, before, after }: AuditLogRecord): Html | null {
    const fields = { ...after, ...before };
    if (id === null) return null;
    if (table === 'observation') return this.price(id);
    if (table === 'price_serie') return this.removedSeries(fields);
    if (table === 'series_join')
      return html`${this.seriesOf(fields.from)} ${texts.into} ${this.seriesOf(fields.into)}`;
    return null;
  }

  /** The fields of an entry that its record does not say. */
  fieldsOf({ table, before, after }: AuditLogRecord): string[] {
    const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
    return names.filter((name) => NAMING[table]?.includes(name) !== true);
  }

  /** A value of an entry; the records that a series refers to have names. */
  value({ table }: AuditLogRecord, name: string, value: unknown): Html {
    if (typeof value === 'string' && INSTANT.test(value)) return instantOf(value);
    const referenced = table === 'price_serie' ? this.referenceOf(name, value) : null;
    return nameOf(referenced ?? (typeof value === 'string' ? value : JSON.stringify(value ?? null)));
  }

  private price(id: number): Html | null {
    const point = parsePointId(id);
    if (point === null) return null;
    const { columns, joined } = this.catalogue;
    const row = columns.id.indexOf(joined.joins.become(point.serieId));
    const uuid = row < 0 ? null : this.catalogue.uuidAt(row);
    const date = dateOf(isoFromDay(point.day));
    const what = html`${texts.priceOf[PERIOD_NAMES[point.period]]} ${date}`;
    return uuid === null
      ? html`${texts.gone}, ${what}`
      : html`${this.seriesAt(row)}, <a href="${deskSeriesAddress(uuid)}/points/${id}">${what}</a>`;
  }

  /** What a series that was removed is called, with the names that its records have now. */
  private removedSeries(fields: Fields): Html {
    const name = (table: SeriesReferenceTable) =>
      nameOf(this.referenceOf(`${table}_id`, fields[`${table}_id`]) ?? '–');
    return html`${name('commodity')}, ${name('market')} (${name('price_type')})`;
  }

  /** A series by its uuid. */
  private seriesOf(uuid: unknown): Html {
    const row = typeof uuid === 'string' ? this.catalogue.find(uuid) : null;
    return row === null ? html`${texts.gone}` : this.seriesAt(row);
  }

  private seriesAt(row: number): Html {
    const entry = entryOf(this.catalogue, row);
    return html`<a href="${deskSeriesAddress(entry.uuid)}">${seriesHeading(entry)}</a>`;
  }

  /** The name of a record that a series refers to; null for other fields, and where it has gone. */
  private referenceOf(field: string, id: unknown): string | null {
    const table = SERIES_REFERENCE_TABLES.find((each) => field === `${each}_id`);
    if (table === undefined || typeof id !== 'number') return null;
    const dictionary = this.catalogue.dictionaries.of(table);
    const index = dictionary.indexOf(id);
    return index === undefined ? null : dictionary.at(index).name;
  }
}
