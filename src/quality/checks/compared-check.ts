import type { FoundFinding } from '../../findings/finding.js';
import type { Transaction } from '../../database/unit-of-work.js';
import type { ChangedData } from './changed-data.js';
import { subjectText, type Check } from './check.js';
import { equalSeriesFindings } from './compared/equal-series.js';
import { peerFindings } from './compared/peers.js';
import { placeFindings } from './compared/place.js';
import { readGroups } from './compared/read-groups.js';
import { readSeriesFacts } from './series-facts.js';
import { GROUPS, memberText, updateGroups } from './compared/series-groups.js';

/** What finds the findings about groups of one kind. */
const finders = {
  peers: peerFindings,
  place: placeFindings,
  segment: equalSeriesFindings,
} as const;

/**
 * Rules that compare series with each other. A subject is a group of series: `peers` of one
 * country, commodity, type and currency; those of one `place`, which differ in unit or currency; or
 * a `segment` of one country, type and currency, in which equal ones are found.
 */
export class ComparedCheck implements Check {
  readonly name = 'compared';
  readonly overGroups = true;
  readonly batch = 100;

  async subjectsOf(changed: ChangedData): Promise<Iterable<string>> {
    const facts = await changed.series();
    const ids = new Set([...changed.seriesIds, ...facts.map(({ id }) => id)]);
    return updateGroups(changed.transaction, ids, facts);
  }

  async allSubjects(transaction: Transaction): Promise<Iterable<string>> {
    const rows = await transaction.rows<{ id: number }>(
      'SELECT id FROM price_serie UNION SELECT serie_id FROM series_group',
    );
    const ids = new Set(rows.map(({ id }) => id));
    return updateGroups(transaction, ids, await readSeriesFacts(transaction, 's.id', ids));
  }

  async check(transaction: Transaction, names: readonly string[]): Promise<FoundFinding[]> {
    const found: FoundFinding[] = [];
    for (const group of GROUPS) {
      const prefix = memberText(group, '');
      const own = names.filter((name) => name.startsWith(prefix)).map((name) => name.slice(prefix.length));
      if (own.length === 0) continue;
      const groups = await readGroups(transaction, group, own);
      for (const [name, series] of groups) {
        found.push(...finders[group](subjectText(this, memberText(group, name)), series));
      }
    }
    return found;
  }
}
