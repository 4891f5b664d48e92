import type { Transaction } from '../../ledger/unit-of-work.js';
import type { FoundFinding } from '../../ledger/findings/finding.js';
import { SeriesJoins } from '../../price-series/joins/series-joins.js';
import { seriesWith } from '../../price-series/series-views.js';
import { readJoins } from '../../price-series/joins/stored-joins.js';
import { seriesOffPeers } from '../rules/off-peers.js';
import type { ChangedData } from './changed-data.js';
import { subjectText, type Check } from './check.js';
import { equalSeriesFindings } from './compared/equal-series.js';
import { peerFinding } from './compared/peers.js';
import { placeFindings } from './compared/place.js';
import { readGroups, readPeers } from './compared/read-groups.js';
import { memberText, updateGroups, type Group } from './compared/series-groups.js';
import type { CheckedSeriesReader } from './checked-series-reader.js';
import { readSeriesFacts } from './series-facts.js';
import { IS_OBSERVED } from '../../price-series/series-status.js';

/**
 * Rules that compare series with each other. A subject is a group of series: `peers` of one
 * country, commodity, type and currency; those of one `place`, which differ in unit or currency; or
 * a `segment` of one country, type and currency, in which equal ones are found.
 */
export class ComparedCheck implements Check {
  readonly name = 'compared';
  readonly attributes = {
    commodity: ['name'],
    market: ['name', 'iso3_country_code', 'admin_unit', 'admin_unit2'],
    price_type: ['name'],
    measure_unit: ['name', 'dimension', 'conversion_factor'],
  };
  readonly follows = { series: 'all', tables: [] } as const;
  readonly batch = 100;

  async subjectsOf(changed: ChangedData): Promise<Iterable<string>> {
    const facts = await changed.series(this);
    const revalued = new Set(
      facts.filter((series) => changed.isOnlyRevalued(this, series)).map(({ id }) => id),
    );
    const ids = [...changed.changes.series, ...facts.map(({ id }) => id)].filter((id) => !revalued.has(id));
    const joins = facts.length === 0 ? SeriesJoins.none : await changed.joins();
    return updateGroups(changed.transaction, new Set(ids), facts, joins);
  }

  async allSubjects(transaction: Transaction): Promise<Iterable<string>> {
    const rows = await transaction.rows<{ id: number }>(
      `SELECT s.id FROM ${seriesWith()} WHERE ${IS_OBSERVED} UNION SELECT serie_id FROM series_group`,
    );
    const ids = new Set(rows.map(({ id }) => id));
    const facts = await readSeriesFacts(transaction, 's.id', ids);
    return updateGroups(transaction, ids, facts, await readJoins(transaction));
  }

  async check(
    transaction: Transaction,
    names: readonly string[],
    points: CheckedSeriesReader,
  ): Promise<FoundFinding[]> {
    const found = await this.offPeers(transaction, namesOf('peers', names), points);
    const places = namesOf('place', names);
    if (places.length > 0) {
      for (const [name, series] of await readGroups(transaction, 'place', places, points))
        for (const finding of placeFindings(this.subjectOf('place', name), series)) found.push(finding);
    }
    const segments = namesOf('segment', names);
    if (segments.length > 0) {
      for (const [name, series] of await readGroups(transaction, 'segment', segments, points))
        for (const finding of equalSeriesFindings(this.subjectOf('segment', name), series))
          found.push(finding);
    }
    return found;
  }

  private async offPeers(
    transaction: Transaction,
    names: readonly string[],
    points: CheckedSeriesReader,
  ): Promise<FoundFinding[]> {
    if (names.length === 0) return [];
    const off = Array.from(await readPeers(transaction, names, points), ([name, group]) =>
      seriesOffPeers(group).map((comparison) => ({ name, comparison })),
    ).flat();
    if (off.length === 0) return [];
    const facts = await readSeriesFacts(
      transaction,
      's.id',
      off.map(({ comparison }) => comparison.series.id),
    );
    const byId = new Map(facts.map((series) => [series.id, series]));
    return off.map(({ name, comparison }) =>
      peerFinding(this.subjectOf('peers', name), byId.get(comparison.series.id)!, comparison),
    );
  }

  private subjectOf(group: Group, name: string): string {
    return subjectText(this, memberText(group, name));
  }
}

/** The names of the groups of one kind. */
function namesOf(group: Group, names: readonly string[]): string[] {
  const prefix = memberText(group, '');
  return names.filter((name) => name.startsWith(prefix)).map((name) => name.slice(prefix.length));
}
