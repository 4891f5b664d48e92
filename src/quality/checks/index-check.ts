import { isRecordCorrected } from '../../ledger/corrections/correction-store.js';
import type { Transaction } from '../../ledger/unit-of-work.js';
import type { FindingRow } from '../../ledger/findings/finding.entity.js';
import { isAbout } from '../../ledger/findings/finding-store.js';
import type { FoundFinding } from '../../ledger/findings/finding.js';
import { countryName } from '../../lib/codes/countries.js';
import { firstDayOfMonth, isoFromMonth, lastDayOfMonth, monthOf } from '../../lib/dates/calendar-date.js';
import { TableStatements } from '../../reference/base/table-statements.js';
import { Cpi } from '../../reference/cpi/cpi.entity.js';
import { indexedItems } from '../../reference/cpi/stored-indices.js';
import { indexBreaks, shorterBases } from '../rules/index-break.js';
import { indexLevel, type IndexLevel } from '../rules/index-level.js';
import { straightMonths } from '../rules/index-interpolated.js';
import type { MonthlySeries } from '../rules/monthly-values.js';
import { RULES } from '../rules/rule-table.js';
import type { ChangedData } from './changed-data.js';
import { changedValues } from './changed-records.js';
import { everySubject, subjectText, type Check } from './check.js';
import { datesOutOfRange } from './date-range.js';
import { overdueSubjects } from './overdue.js';
import { readIndices, type IndexByBase } from './rate-series.js';
import { recordFinding } from './record-finding.js';
import { shown } from './shown.js';
import { todayOf } from './today.js';

/** An index of a country, with one of its base periods. */
interface Index {
  readonly country: string;
  readonly item: string;
  readonly base: string;
}

const cpis = new TableStatements(Cpi);

const subjectOf = (country: string, item: string) => `${country} ${item}`;

/** Rules about consumer price indices. A subject is a country's code and an item: `KEN general`. */
export class IndexCheck implements Check {
  readonly name = 'indices';
  readonly attributes = {};
  readonly follows = { series: 'none', tables: [cpis.name] } as const;
  readonly batch = 40;

  async subjectsOf(changed: ChangedData): Promise<Iterable<string>> {
    const indices = await changedValues(changed, cpis, ['iso3_country_code', 'item']);
    if (indices === null) return everySubject(changed.transaction, this);
    return indices.map(({ iso3_country_code, item }) => subjectOf(iso3_country_code, item));
  }

  overdueSubjects(transaction: Transaction): Promise<Iterable<string>> {
    return overdueSubjects(transaction, this);
  }

  async allSubjects(transaction: Transaction): Promise<Iterable<string>> {
    const indices = await indexedItems(transaction);
    return indices.map(({ iso3_country_code, item }) => subjectOf(iso3_country_code, item));
  }

  async check(transaction: Transaction, names: readonly string[]): Promise<FoundFinding[]> {
    const countries = new Set(names.map((name) => name.split(' ')[0]!));
    const indices = await readIndices(transaction, [...countries]);
    return names.flatMap((name) => {
      const bases = indices.get(name);
      return bases === undefined ? [] : this.findings(name, bases, todayOf(transaction));
    });
  }

  /** By the indices that the rule has compared. */
  isCorrected(transaction: Transaction, finding: FindingRow): Promise<boolean> {
    const { rule, subject, day, value } = finding;
    const key = subject.slice(this.name.length + 1).split(' ');
    const month = monthOf(day!);
    if (rule === 'index_level' || rule === 'index_date_out_of_range')
      return isRecordCorrected(transaction, 'cpi', key, 0, null, ([, , base]) =>
        isAbout(finding, `${base} ${rule === 'index_level' ? 'level' : 'dates'}`),
      );
    // A base period that is shorter than another one has no value. It is about all later months.
    if (value === null) return isRecordCorrected(transaction, 'cpi', key, day!, null);
    const isBase = ([, , base]: readonly string[]) => isAbout(finding, `${base} ${day}`);
    // So is a straight line.
    if (rule === 'index_interpolated') return isRecordCorrected(transaction, 'cpi', key, day!, null, isBase);
    const first = firstDayOfMonth(month - 1);
    const last = lastDayOfMonth(month + RULES.index_break.thresholds.return_months);
    return isRecordCorrected(transaction, 'cpi', key, first, last, isBase);
  }

  private findings(name: string, bases: IndexByBase, today: number): FoundFinding[] {
    const [country, item] = name.split(' ') as [string, string];
    return [
      ...[...bases].flatMap(([base, values]) => [
        ...this.breaks({ country, item, base }, values),
        ...this.interpolated({ country, item, base }, values),
        ...this.level({ country, item, base }, values),
        ...this.outOfRange({ country, item, base }, values, today),
      ]),
      ...this.shorter(country, item, bases),
    ];
  }

  private breaks(index: Index, values: MonthlySeries): FoundFinding[] {
    return indexBreaks(values).map(({ month, before, value, returned }) => {
      const day = firstDayOfMonth(month);
      const moves = `${value > before ? 'rises' : 'falls'} from ${shown(before)} to ${shown(value)}`;
      const back = `is ${shown(returned!.value)} again in ${isoFromMonth(returned!.month)}`;
      return recordFinding({
        rule: 'index_break',
        ...this.about(index, day),
        value,
        expected: before,
        ratio: value / before,
        detail: `${indexName(index)} ${moves} in ${isoFromMonth(month)}, and ${back}.`,
      });
    });
  }

  private interpolated(index: Index, values: MonthlySeries): FoundFinding[] {
    return straightMonths(values).map(({ first, last, firstValue, lastValue, steps }) => {
      const day = firstDayOfMonth(first);
      const course =
        firstValue === lastValue
          ? `is ${shown(firstValue)} in ${steps + 1} months in a row`
          : `goes from ${shown(firstValue)} to ${shown(lastValue)} in ${steps} equal steps`;
      return recordFinding({
        rule: 'index_interpolated',
        ...this.about(index, day),
        value: firstValue,
        detail: `${indexName(index)} ${course}, from ${isoFromMonth(first)} to ${isoFromMonth(last)}.`,
      });
    });
  }

  private level(index: Index, values: MonthlySeries): FoundFinding[] {
    const level = indexLevel(index.base, values);
    if (level === null) return [];
    const { kind, value, month } = level;
    return [
      recordFinding({
        rule: 'index_level',
        ...this.about(index, firstDayOfMonth(month)),
        about: `${index.base} level`,
        value,
        ...(kind === 'base' ? { expected: 100, ratio: value / 100 } : {}),
        detail: `${indexName(index)} ${LEVELS[kind](shown(value), isoFromMonth(month))}`,
      }),
    ];
  }

  private outOfRange(index: Index, { months }: MonthlySeries, today: number): FoundFinding[] {
    const dates = datesOutOfRange(months.map(firstDayOfMonth), 'index', today);
    if (dates === null) return [];
    const detail = `${indexName(index)}: ${dates.detail}`;
    const about = `${index.base} dates`;
    return [
      recordFinding({ rule: 'index_date_out_of_range', ...this.about(index, dates.day), about, detail }),
    ];
  }

  private shorter(country: string, item: string, bases: IndexByBase): FoundFinding[] {
    return shorterBases(bases).map(({ base, firstMonth, months, formerBase, formerMonths }) => {
      const about = this.about({ country, item, base }, firstDayOfMonth(firstMonth));
      return recordFinding({
        rule: 'index_break',
        ...about,
        about: `${base} shorter`,
        detail: `${indexName({ country, item, base })} has ${months} months, fewer than the ${formerMonths} of ${formerBase}: real prices of months that it lacks are computed with the earlier base, linked where both have months.`,
      });
    });
  }

  /** What the findings about an index share. */
  private about({ country, item, base }: Index, day: number) {
    return {
      subject: subjectText(this, subjectOf(country, item)),
      about: `${base} ${day}`,
      country,
      day,
    };
  }
}

/** What an index is like that is none of 100; the numbers are a value and a month. */
const LEVELS: Readonly<Record<IndexLevel['kind'], (value: string, month: string) => string>> = {
  base: (value, month) =>
    `is ${value} in the mean of the months of its base period from ${month} on, and not 100: the base period, or the unit, may be another one.`,
  low: (value, month) =>
    `is ${value} in the median from ${month} on: prices would have fallen by more than half since the base period. The values may be rates of change, or the base may be 1.`,
  high: (value, month) =>
    `is ${value} in ${month}, for which it would have had to rise much faster than it does from then on. The base may be 1000.`,
  changes: (value, month) =>
    `moves up and down by large steps from ${month} on, ${value} in the median: the values may be rates of change.`,
};

const indexName = ({ country, item, base }: Index) =>
  `The ${item} index of ${countryName(country) || country} (${base} = 100)`;
