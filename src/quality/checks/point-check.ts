import type { FoundFinding } from '../../findings/finding.js';
import type { Transaction } from '../../database/unit-of-work.js';
import { toSignificantDigits } from '../../lib/numbers/significant-digits.js';
import { isoFromDay } from '../../lib/dates/calendar-date.js';
import { MONTHLY } from '../../price-series/periodicity.js';
import { testedPoints, type MonthlyPoints, type TestedPoint } from '../rules/neighbours.js';
import { RULES, type RuleName } from '../rules/rule-table.js';
import { decimalSlipOf, spikeOf } from '../rules/spike.js';
import type { ChangedData } from './changed-data.js';
import { subjectText, type Check } from './check.js';
import { readMonthlyPoints } from './monthly-points.js';
import { saveOutliers } from './outliers.js';
import { readSeriesFacts, type SeriesFacts } from './series-facts.js';

/** Rules about the monthly points of single series. A subject is the uuid of a series. */
export class PointCheck implements Check {
  readonly name = 'points';
  readonly overGroups = false;
  readonly batch = 200;

  async subjectsOf(changed: ChangedData): Promise<Iterable<string>> {
    return (await changed.series()).map(({ uuid }) => uuid);
  }

  async allSubjects(transaction: Transaction): Promise<Iterable<string>> {
    const rows = await transaction.rows<{ uuid: string }>('SELECT uuid FROM price_serie ORDER BY id');
    return rows.map(({ uuid }) => uuid);
  }

  async check(transaction: Transaction, uuids: readonly string[]): Promise<FoundFinding[]> {
    const facts = await readSeriesFacts(transaction, 's.uuid', uuids);
    const ids = facts.map(({ id }) => id);
    const points = await readMonthlyPoints(transaction, ids);
    const tested = new Map(ids.map((id) => [id, testedPoints(points.get(id)!)]));
    await saveOutliers(transaction, tested);
    return facts.flatMap((series) => this.findings(series, points.get(series.id)!, tested.get(series.id)!));
  }

  private findings(
    series: SeriesFacts,
    _points: MonthlyPoints,
    tested: readonly TestedPoint[],
  ): FoundFinding[] {
    const found: FoundFinding[] = [];
    const add = (rule: RuleName, point: TestedPoint, expected: number, detail: string) => {
      const { day, value, ratio } = point;
      found.push({
        rule,
        severity: RULES[rule].severity,
        scope: RULES[rule].scope,
        subject: subjectText(this, series.uuid),
        about: isoFromDay(day),
        country: series.country,
        period: MONTHLY,
        day,
        value,
        expected: toSignificantDigits(expected),
        ratio,
        series: [{ serieId: series.id, uuid: series.uuid, day, value }],
        detail,
      });
    };
    for (const point of tested) {
      const spike = spikeOf(point, series.category);
      if (spike === null) continue;
      const { value, median, neighbours, ratio } = point;
      const times = `${shown(ratio)} times the median ${shown(median)} of the ${neighbours} prices around it`;
      add(spike, point, median, `${value} is ${times}.`);
      const power = spike === 'spike' ? decimalSlipOf(point) : null;
      if (power === null) continue;
      const expected = value / 10 ** power;
      const slip = `${shown(expected)} would fit: the decimal point may have slipped by ${Math.abs(power)}`;
      add('decimal_slip', point, expected, `${value} is ${times}; ${slip}.`);
    }
    return found;
  }
}

/** A number with as many digits as a reader needs. */
const shown = (value: number) => String(Number(value.toPrecision(4)));
