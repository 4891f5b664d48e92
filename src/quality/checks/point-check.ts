import type { Transaction } from '../../ledger/unit-of-work.js';
import type { FoundFinding } from '../../ledger/findings/finding.js';
import { allUuids } from '../../price-series/series-store.js';
import { outlineDigestOf } from '../rules/identical-series.js';
import { testedPoints } from '../rules/neighbours.js';
import { powerStepsOf } from '../rules/redenomination.js';
import type { ChangedData } from './changed-data.js';
import { subjectText, type Check } from './check.js';
import { seriesFinding } from './compared/series-finding.js';
import { removeDigests, saveDigests } from './compared/digests.js';
import { marksOf, MIN_OUTLIER_RATIO, removeMarks, saveMarks, type SeriesMarks } from './groups/marks.js';
import type { CheckedSeriesReader } from './checked-series-reader.js';
import { overdueSubjects } from './overdue.js';
import { futureCandidates } from './points/future-dates.js';
import { monthlyCandidates } from './points/monthly-candidates.js';
import { seriesOutOfRange } from './points/out-of-range.js';
import { pointFinding } from './points/point-finding.js';

/** Rules about the points of single series. A subject is the uuid of a series. */
export class PointCheck implements Check {
  readonly name = 'points';
  readonly attributes = { commodity: ['category'], market: ['iso3_country_code'] };
  readonly follows = { series: 'all', tables: [] } as const;
  readonly batch = 200;

  async subjectsOf(changed: ChangedData): Promise<Iterable<string>> {
    const facts = await changed.series(this);
    const there = new Set(facts.map(({ id }) => id));
    const gone = [...changed.changes.series].filter((id) => !there.has(id));
    await removeMarks(changed.transaction, gone);
    await removeDigests(changed.transaction, gone);
    return facts.map(({ uuid }) => uuid);
  }

  overdueSubjects(transaction: Transaction): Promise<Iterable<string>> {
    return overdueSubjects(transaction, this);
  }

  allSubjects(transaction: Transaction): Promise<Iterable<string>> {
    return allUuids(transaction);
  }

  async check(
    transaction: Transaction,
    uuids: readonly string[],
    reader: CheckedSeriesReader,
  ): Promise<FoundFinding[]> {
    const facts = await reader.facts(uuids);
    const ids = facts.map(({ id }) => id);
    const points = await reader.monthly(ids);
    const future = await futureCandidates(transaction, facts, reader);
    const outOfRange = await seriesOutOfRange(transaction, facts, reader);
    const marks = new Map<number, SeriesMarks>();
    const digests = new Map<number, string>();
    const found: FoundFinding[] = [];
    for (const series of facts) {
      const monthly = points.get(series.id)!;
      const tested = testedPoints(monthly, MIN_OUTLIER_RATIO);
      marks.set(series.id, marksOf(tested, powerStepsOf(monthly)));
      const digest = outlineDigestOf(monthly);
      if (digest !== series.digest) digests.set(series.id, digest);
      const candidates = [
        ...monthlyCandidates(monthly, tested, series.category),
        ...(future.get(series.id) ?? []),
      ];
      const subject = subjectText(this, series.uuid);
      for (const candidate of candidates) found.push(pointFinding(subject, series, candidate));
      const dates = outOfRange.get(series.id);
      if (dates !== undefined)
        found.push({ ...seriesFinding('date_out_of_range', subject, series, dates), day: dates.day });
    }
    await saveMarks(transaction, marks, new Set(ids.filter((_, index) => facts[index]!.marked !== 0)));
    reader.keepMarked(marks);
    await saveDigests(transaction, digests);
    return found;
  }
}
