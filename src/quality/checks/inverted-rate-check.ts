import type { Transaction } from '../../ledger/unit-of-work.js';
import type { FindingRow } from '../../ledger/findings/finding.entity.js';
import type { FoundFinding } from '../../ledger/findings/finding.js';
import { isRecordCorrected } from '../../ledger/corrections/correction-store.js';
import { firstDayOfMonth, isoFromMonth, lastDayOfMonth } from '../../lib/dates/calendar-date.js';
import { TableStatements } from '../../reference/base/table-statements.js';
import { FxRate } from '../../reference/fx-rate/fx-rate.entity.js';
import { currenciesWithRates, leastOfficialRates, readRates } from '../../reference/fx-rate/stored-rates.js';
import { meanPrices } from '../../prices/store/mean-prices.js';
import { isUsableRate } from '../../prices/derive/rate-life.js';
import { nonCommodityOf } from '../../price-series/commodity-kinds.js';
import { median } from '../rules/neighbours.js';
import { invertedRate, isSmallRate } from '../rules/rate-inverted.js';
import type { ChangedData } from './changed-data.js';
import { changedValues } from './changed-records.js';
import { everySubject, subjectText, type Check } from './check.js';
import { monthlyRateSeries } from './rate-series.js';
import { recordFinding } from './record-finding.js';
import { shown, shownRange } from './shown.js';

const fxRates = new TableStatements(FxRate);

/** WFP's category of what is no food, such as fuel. */
const NON_FOOD = 'non-food';

/**
 * Whether the rates of a currency are quoted the other way round. A subject is the code of a
 * currency. It is asked where rates, series, units or categories change, and at the end of imports:
 * a correction of a single price does not decide it.
 */
export class InvertedRateCheck implements Check {
  readonly name = 'inverted';
  readonly attributes = { commodity: ['name', 'category'], measure_unit: ['conversion_factor'] };
  readonly follows = { series: 'all but values', tables: [fxRates.name] } as const;
  readonly batch = 20;

  async subjectsOf(changed: ChangedData): Promise<Iterable<string>> {
    const rates = await changedValues(changed, fxRates, ['currency']);
    if (rates === null) return everySubject(changed.transaction, this);
    const series = (await changed.series(this)).filter((one) => !changed.isOnlyRevalued(this, one));
    return new Set([...rates, ...series].map(({ currency }) => currency));
  }

  allSubjects(transaction: Transaction): Promise<Iterable<string>> {
    return currenciesWithRates(transaction);
  }

  async check(transaction: Transaction, currencies: readonly string[]): Promise<FoundFinding[]> {
    const found: FoundFinding[] = [];
    // Nearly always none: the rates of the others need not be read.
    const least = await leastOfficialRates(transaction, currencies);
    const small = [...least].flatMap(([currency, rate]) => (isSmallRate(rate) ? [currency] : []));
    for (const [currency, rows] of small.length === 0 ? [] : await readRates(transaction, small)) {
      const official = rows.filter((row) => row.rate_type === 'official' && isUsableRate(row));
      const { months, values } = monthlyRateSeries(official);
      const within = months.flatMap((month, at) =>
        isSmallRate(values[at]!) ? [{ month, rate: values[at]! }] : [],
      );
      if (within.length === 0) continue;
      const [first, last] = [within[0]!.month, within.at(-1)!.month];
      const rate = median(within.map((one) => one.rate));
      const prices = await foodPrices(transaction, currency, firstDayOfMonth(first), lastDayOfMonth(last));
      const inverted = invertedRate(rate, prices);
      if (inverted === null) continue;
      const span =
        first === last ? `in ${isoFromMonth(first)}` : `from ${isoFromMonth(first)} to ${isoFromMonth(last)}`;
      found.push(
        recordFinding({
          rule: 'rate_inverted',
          subject: subjectText(this, currency),
          about: '',
          day: firstDayOfMonth(first),
          value: rate,
          expected: 1 / rate,
          ratio: rate * rate,
          detail:
            `The official rates of ${currency} are ${shownRange(within.map((one) => one.rate))} ${span}: with them a kilogram or litre of food` +
            ` costs ${shown(inverted.dollars)} dollars in the median of ${prices.length} series, with their reciprocals` +
            ` ${shown(inverted.reciprocal)}. They may be dollars for a unit: an import with invert=true stores the reciprocals.`,
        }),
      );
    }
    return found;
  }

  isCorrected(transaction: Transaction, { subject, day }: FindingRow): Promise<boolean> {
    const currency = subject.slice(this.name.length + 1);
    return isRecordCorrected(transaction, 'fx_rate', [currency, 'official'], day!, null);
  }
}

/**
 * The mean price a kilogram or litre of each series of food in a currency, of its points of all
 * frequencies within some days.
 */
async function foodPrices(
  transaction: Transaction,
  currency: string,
  firstDay: number,
  lastDay: number,
): Promise<number[]> {
  const prices = await meanPrices(transaction, currency, [firstDay, lastDay]);
  return prices
    .filter(
      ({ commodity, category }) => category.toLowerCase() !== NON_FOOD && nonCommodityOf(commodity) === null,
    )
    .map(({ price }) => Number(price));
}
