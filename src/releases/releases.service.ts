import { Injectable } from '@nestjs/common';
import { Database } from '../database/database.js';
import { Clock } from '../platform/clock/clock.js';
import type { CatalogueSnapshot } from '../price-series/catalogue/catalogue-snapshot.js';
import { selectSeries } from '../price-series/catalogue/selection.js';
import type { Criteria } from '../price-series/filters/criteria.js';
import { PriceSeriesService } from '../price-series/price-series.service.js';
import { PERIODS } from '../price-series/periodicity.js';
import { dayOfInstant, periodEnd } from './period-end.js';
import { type ListedGroup, releaseRecord, ReleaseRecord } from './release-record.js';
import { groupKey, readReleases } from './released-periods.js';

/** When sources publish, and when their next values are to be expected. */
@Injectable()
export class ReleasesService {
  constructor(
    private readonly series: PriceSeriesService,
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /** The releases of series that match, by country, source and frequency. */
  async list(criteria: Criteria): Promise<{ records: ReleaseRecord[]; revision: number }> {
    const { catalogue, revision } = await this.series.state(undefined);
    const rows = selectSeries(catalogue, criteria).slice();
    const releases = await readReleases(this.database);
    const today = dayOfInstant(this.clock.now());
    const records = groupsOf(catalogue, rows).map((group) =>
      releaseRecord(group, releases.get(groupKey(group)) ?? [], today),
    );
    return { records, revision };
  }
}

/**
 * The groups of series, by country, name of the source and frequency, with their newest periods of
 * values that are not calculated.
 */
function groupsOf(catalogue: CatalogueSnapshot, rows: Iterable<number>): ListedGroup[] {
  const { columns } = catalogue;
  const groups = new Map<string, ListedGroup>();
  for (const row of rows) {
    const market = catalogue.referenceAt('market', row);
    const source = catalogue.referenceAt('source', row);
    for (const period of PERIODS) {
      const last = columns[`end${period}`][row]!;
      if (last === 0 || (columns.calculated[row]! & (1 << period)) !== 0) continue;
      const end = periodEnd(period, last);
      const named = { sourceId: source.id, country: market.iso3_country_code, period };
      const group = groups.get(groupKey(named));
      if (group === undefined) {
        const { country_name: countryName } = market;
        groups.set(groupKey(named), {
          ...named,
          source: source.name,
          countryName,
          series: 1,
          newestEnd: end,
        });
      } else {
        group.series++;
        group.newestEnd = Math.max(group.newestEnd, end);
      }
    }
  }
  const order = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0);
  return [...groups.values()].sort(
    (one, other) =>
      order(one.country, other.country) ||
      order(one.source, other.source) ||
      one.sourceId - other.sourceId ||
      one.period - other.period,
  );
}
