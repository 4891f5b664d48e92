import { Injectable } from '@nestjs/common';
import { dayFromIso, firstDayOfMonth, isoFromDay, monthOf } from '../../lib/dates/calendar-date.js';
import { TimeSlice } from '../../lib/scheduling/time-slice.js';
import { Database } from '../../database/database.js';
import type { DatedRate } from './conversion.js';
import { type IndexLink, type LinkedIndex, linkedIndices } from './linked-indices.js';
import {
  INDEX_ROW,
  INDEX_TABLE,
  RATE_ROW,
  RATE_TABLE,
  type RateRow,
  type RateTable,
  readPastRates,
} from './past-rates.js';
import { isUsableRate } from './rate-life.js';
import { ApiSchema, Nested, OrNull } from '../../platform/validation/field.js';
import {
  CalendarDate,
  Count,
  CurrencyCode,
  Decimal,
  Id,
  Iso3,
  OneOf,
  Text,
} from '../../platform/validation/fields.js';
import { selectWithRevision } from '../../ledger/revision/current-revision.js';
import { generalIndices } from '../../reference/cpi/stored-indices.js';
import { officialRates } from '../../reference/fx-rate/stored-rates.js';
import { RATE_PERIODS } from '../../reference/fx-rate/fx-rate.entity.js';

const SELECT_RATES = selectWithRevision('rates', RATE_ROW, officialRates('ON', '?'));
const SELECT_INDICES = selectWithRevision('rates', INDEX_ROW, generalIndices('ON', '?'));

/** A published rate. */
export class RateRecord {
  @Id() readonly id!: number;
  @CurrencyCode() readonly currency!: string;
  @CalendarDate() readonly date!: string;
  @OneOf(RATE_PERIODS, { typed: false }) readonly period!: DatedRate['period'];
  @Decimal({ description: 'Units per US dollar' }) readonly rate!: number;
  /** Empty where that is not known. */
  @Text({ description: 'Who has published it' }) readonly source!: string;
}

/** A published general index. */
export class IndexRecord {
  @Id() readonly id!: number;
  @Iso3() readonly iso3_country_code!: string;
  @CalendarDate() readonly date!: string;
  @Text() readonly base_period!: string;
  @Decimal({ description: 'Above 0' }) readonly value!: number;
  /** Empty where that is not known. */
  @Text({ description: 'Who has published it' }) readonly source!: string;
}

/** Months that two indices have. */
class CommonMonths {
  @Count() readonly n!: number;
  @CalendarDate() readonly first!: string;
  @CalendarDate() readonly last!: string;
}

/** How an index was brought to the scale of another base period. */
@ApiSchema({ name: 'IndexLink' })
class IndexLinkRecord {
  @Text({
    description: 'That real prices are in terms of; without a link, the one of the index itself',
  })
  readonly base_period!: string;
  @Decimal({
    description: 'What `value` is multiplied by: mean of the newer index ÷ mean of this one',
  })
  readonly factor!: number;
  @Nested(CommonMonths, { description: 'The months that both have, of which the means are' })
  readonly months!: CommonMonths;
}

/** The index that a price was divided by: `value` × the factor of `link`. */
@ApiSchema({ name: 'IndexRecord' })
export class UsedIndex extends IndexRecord {
  /** Null where the value is used as it is, and real prices are in terms of its own base period. */
  @OrNull(Nested(IndexLinkRecord)) readonly link!: IndexLinkRecord | null;
}

/** The state of rates and indices: the newest, which must have this revision, or an earlier one. */
export type RateState = { readonly newest: number } | { readonly asOf: number };

/** Reads the published records that rates and indices are made of, to explain prices by them. */
@Injectable()
export class RateRecords {
  constructor(private readonly database: Database) {}

  /**
   * The published rates that the rate of each month is made of: the monthly one, or else daily ones
   * by date.
   * @returns null where the database is at another revision
   */
  async ratesOf(state: RateState, currency: string): Promise<Map<number, RateRecord[]> | null> {
    const rows = await this.read(RATE_TABLE, SELECT_RATES, state, currency);
    if (rows === null) return null;
    const records = rows.map(([id, , period, date, rate, source]) => ({
      id,
      currency,
      date,
      period: period as DatedRate['period'],
      rate,
      source,
    }));
    const byMonth = new Map<number, RateRecord[]>();
    for (const record of records.filter(isUsableRate).sort(byDate)) {
      const month = monthOf(dayFromIso(record.date)!);
      const others = byMonth.get(month) ?? [];
      // The monthly rate replaces the daily ones.
      if (record.period === 'monthly') byMonth.set(month, [record]);
      else if (others[0]?.period !== 'monthly') byMonth.set(month, [...others, record]);
    }
    return byMonth;
  }

  /**
   * The index of each month that prices are divided by, as `linkedIndices` says.
   * @param preferred as for `linkedIndices`
   * @returns null where the database is at another revision
   */
  async indicesOf(
    state: RateState,
    iso3_country_code: string,
    preferred: string | null = null,
  ): Promise<Map<number, UsedIndex> | null> {
    const rows = await this.read(INDEX_TABLE, SELECT_INDICES, state, iso3_country_code);
    if (rows === null) return null;
    const linked = linkedIndices(
      rows.map(([id, , basePeriod, date, value, source]) => ({
        basePeriod,
        day: dayFromIso(date)!,
        value,
        published: { id, iso3_country_code, date, base_period: basePeriod, value, source },
      })),
      preferred,
    );
    const used = ({ record, link }: LinkedIndex<{ published: IndexRecord }>): UsedIndex => ({
      ...record.published,
      link: link && linkRecord(link),
    });
    return new Map([...linked].map(([month, index]) => [month, used(index)]));
  }

  private async read(
    table: RateTable,
    select: string,
    state: RateState,
    name: string,
  ): Promise<RateRow[] | null> {
    const reads = this.database.anyServer;
    if ('asOf' in state)
      return (await readPastRates(reads, table, [name], state.asOf, new TimeSlice())).get(name) ?? [];
    type RecordRow = [revision: number, ...([null, ...unknown[]] | RateRow)];
    const rows = await reads.arrays<RecordRow>(select, [name]);
    if (!rows.every(([revision]) => Number(revision) === state.newest)) return null;
    return rows.filter(([, id]) => id !== null).map(([, ...row]) => row as RateRow);
  }
}

const byDate = (one: RateRecord, other: RateRecord) => (one.date < other.date ? -1 : 1);

function linkRecord({ base_period, factor, months }: IndexLink): IndexLinkRecord {
  const dateOf = (month: number) => isoFromDay(firstDayOfMonth(month));
  const [first, last] = [dateOf(months[0]!), dateOf(months.at(-1)!)];
  return { base_period, factor, months: { n: months.length, first, last } };
}
