import { isRecordCorrected } from '../../ledger/corrections/correction-store.js';
import type { Transaction } from '../../ledger/unit-of-work.js';
import type { FindingRow } from '../../ledger/findings/finding.entity.js';
import { isAbout } from '../../ledger/findings/finding-store.js';
import type { FoundFinding } from '../../ledger/findings/finding.js';
import { countries, countryName } from '../../lib/codes/countries.js';
import { currenciesOf } from '../../lib/codes/country-currencies.js';
import {
  dayFromIso,
  firstDayOfMonth,
  isoFromMonth,
  lastDayOfMonth,
  monthOf,
} from '../../lib/dates/calendar-date.js';
import { DAILY, MONTHLY } from '../../price-series/periodicity.js';
import { TableStatements } from '../../reference/base/table-statements.js';
import { Cpi } from '../../reference/cpi/cpi.entity.js';
import { FxRate, RATE_TYPES } from '../../reference/fx-rate/fx-rate.entity.js';
import { currenciesWithRates, readRates, type StoredRate } from '../../reference/fx-rate/stored-rates.js';
import { isUsableRate } from '../../prices/derive/rate-life.js';
import { frozenMonths, stillSpans } from '../rules/rate-frozen.js';
import { rateOutsideCurrencyLife } from '../rules/rate-outside-currency-life.js';
import { rateSteps } from '../rules/rate-step.js';
import { RULES } from '../rules/rule-table.js';
import type { ChangedData } from './changed-data.js';
import { changedValues } from './changed-records.js';
import { datesOutOfRange } from './date-range.js';
import { everySubject, subjectText, type Check } from './check.js';
import { monthlyRateSeries, readIndices } from './rate-series.js';
import { recordFinding, shownPercent } from './record-finding.js';
import { overdueSubjects } from './overdue.js';
import { shown } from './shown.js';
import { todayOf } from './today.js';

const fxRates = new TableStatements(FxRate);
const cpis = new TableStatements(Cpi);

/** Countries that are listed with a currency of others, which they use no longer. */
const FORMER_USERS: Readonly<Record<string, string>> = { ERI: 'ETB', SSD: 'SDG', TLS: 'IDR' };

/** Has no rate that could move. */
const DOLLAR = 'USD';

/**
 * Rules about the rates of single currencies. A subject is the code of a currency.
 *
 * Rates of days are judged as they are used: by the mean of their month. Only whether the code was
 * valid is asked of each. Annual rates are not imported.
 */
export class RateCheck implements Check {
  readonly name = 'rates';
  readonly attributes = {};
  readonly follows = { series: 'none', tables: [fxRates.name, cpis.name] } as const;
  readonly batch = 20;

  async subjectsOf(changed: ChangedData): Promise<Iterable<string>> {
    const rates = await changedValues(changed, fxRates, ['currency']);
    const indices = await changedValues(changed, cpis, ['iso3_country_code', 'item']);
    if (rates === null || indices === null) return everySubject(changed.transaction, this);
    const general = indices.filter(({ item }) => item === 'general');
    return new Set([
      ...rates.map(({ currency }) => currency),
      ...general.flatMap(({ iso3_country_code }) => currenciesOf(iso3_country_code)),
    ]);
  }

  overdueSubjects(transaction: Transaction): Promise<Iterable<string>> {
    return overdueSubjects(transaction, this);
  }

  allSubjects(transaction: Transaction): Promise<Iterable<string>> {
    return currenciesWithRates(transaction);
  }

  async check(transaction: Transaction, currencies: readonly string[]): Promise<FoundFinding[]> {
    const found: FoundFinding[] = [];
    const add = (findings: readonly FoundFinding[]) => {
      for (const finding of findings) found.push(finding);
    };
    for (const [currency, rows] of await readRates(transaction, currencies)) {
      add(rows.flatMap((row) => this.outsideLife(row)));
      add(this.outOfRange(currency, rows, todayOf(transaction)));
      if (currency === DOLLAR) continue;
      for (const type of RATE_TYPES) {
        const ofType = rows.filter(({ rate_type }) => rate_type === type);
        add(this.steps(currency, type, ofType));
        if (type === 'official') add(await this.frozen(transaction, currency, ofType));
      }
    }
    return found;
  }

  /** By the rates that the rule has compared. */
  async isCorrected(transaction: Transaction, finding: FindingRow): Promise<boolean> {
    const { rule, subject, day, iso3_country_code: country } = finding;
    const currency = subject.slice(this.name.length + 1);
    const month = monthOf(day!);
    if (rule === 'rate_outside_currency_life')
      return isRecordCorrected(transaction, 'fx_rate', [currency], day!, day, ([, type, period, date]) =>
        isAbout(finding, `${type} ${period} ${date}`),
      );
    if (rule === 'rate_date_out_of_range')
      return isRecordCorrected(transaction, 'fx_rate', [currency], 0, null);
    if (rule === 'rate_frozen')
      return (
        (await isRecordCorrected(transaction, 'fx_rate', [currency, 'official'], day!, null)) ||
        (await isRecordCorrected(transaction, 'cpi', [country ?? '', 'general'], day!, null))
      );
    const last = month + RULES.rate_step.thresholds.return_months;
    return isRecordCorrected(
      transaction,
      'fx_rate',
      [currency],
      firstDayOfMonth(month - 1),
      lastDayOfMonth(last),
      ([, type]) => isAbout(finding, `${type} ${day}`),
    );
  }

  private outsideLife(row: StoredRate): FoundFinding[] {
    const outside = rateOutsideCurrencyLife(row);
    if (outside === null) return [];
    const { currency, rate_type, period, date, rate } = row;
    return [
      recordFinding({
        rule: 'rate_outside_currency_life',
        ...outside,
        subject: subjectText(this, currency),
        about: `${rate_type} ${period} ${date}`,
        period: period === 'monthly' ? MONTHLY : DAILY,
        day: dayFromIso(date)!,
        value: rate,
      }),
    ];
  }

  private outOfRange(currency: string, rows: readonly StoredRate[], today: number): FoundFinding[] {
    const days = rows.map(({ date }) => dayFromIso(date)!);
    const dates = datesOutOfRange(days, `rate of ${currency}`, today);
    if (dates === null) return [];
    const subject = subjectText(this, currency);
    return [recordFinding({ rule: 'rate_date_out_of_range', subject, about: '', ...dates })];
  }

  private steps(
    currency: string,
    type: StoredRate['rate_type'],
    rows: readonly StoredRate[],
  ): FoundFinding[] {
    return rateSteps(monthlyRateSeries(rows)).map(({ month, before, value, returned }) => {
      const day = firstDayOfMonth(month);
      const moves = `${value > before ? 'rises' : 'falls'} from ${shown(before)} to ${shown(value)}`;
      const back =
        returned === null
          ? `by a factor of ${shown(Math.max(value / before, before / value))}`
          : `and is ${shown(returned.value)} again in ${isoFromMonth(returned.month)}`;
      return recordFinding({
        rule: 'rate_step',
        subject: subjectText(this, currency),
        about: `${type} ${day}`,
        day,
        value,
        ...(returned === null ? {} : { expected: before }),
        ratio: value / before,
        detail: `The ${type} rate of ${currency} ${moves} in ${isoFromMonth(month)}, ${back}.`,
      });
    });
  }

  private async frozen(
    transaction: Transaction,
    currency: string,
    rows: readonly StoredRate[],
  ): Promise<FoundFinding[]> {
    // No country uses a currency before it begins, whatever a source says about its code.
    const rates = monthlyRateSeries(rows.filter(isUsableRate));
    const spans = stillSpans(rates);
    // Most currencies move: their indices need not be read.
    if (spans.length === 0) return [];
    const users = countries
      .map(({ iso3 }) => iso3)
      .filter((iso3) => currenciesOf(iso3).includes(currency) && FORMER_USERS[iso3] !== currency);
    if (users.length === 0) return [];
    const indices = [...(await readIndices(transaction, users, 'general'))].flatMap(([key, bases]) =>
      [...bases.values()].map((index) => ({ country: key.slice(0, 3), index })),
    );
    return frozenMonths(spans, indices).map(({ first, last, country, rise }) => {
      const day = firstDayOfMonth(first);
      const value = rates.values[rates.months.indexOf(first)]!;
      const { rates: count, within } = RULES.rate_frozen.thresholds;
      const still = `From ${isoFromMonth(first)} to ${isoFromMonth(last)} the official rate of ${currency} stays near ${shown(value)}`;
      const rises = `the general index of ${countryName(country)} rises by up to ${shownPercent(rise - 1)}`;
      return recordFinding({
        rule: 'rate_frozen',
        subject: subjectText(this, currency),
        about: String(day),
        country,
        day,
        value,
        ratio: rise,
        detail: `${still}, within ${shownPercent(within)} in any ${count} months, while ${rises} in such a time.`,
      });
    });
  }
}
