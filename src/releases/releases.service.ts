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

/** Keys of the groups of a source in a country: more than there are periods. */
const KEYS_OF_COUNTRY = 8;

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
    return { records: await this.of(catalogue, selectSeries(catalogue, criteria).slice()), revision };
  }

  /** The same of series by their rows of the catalogue. */
  async of(catalogue: CatalogueSnapshot, rows: Iterable<number>): Promise<ReleaseRecord[]> {
    const groups = groupsOf(catalogue, rows);
    const releases = await readReleases(this.database, new Set(groups.map(({ sourceId }) => sourceId)));
    const today = dayOfInstant(this.clock.now());
    return groups.map((group) => releaseRecord(group, releases.get(groupKey(group)) ?? [], today));
  }
}

/**
 * The groups of series, by country, name of the source and frequency, with their newest periods of
 * values that are not calculated.
 */
function groupsOf(catalogue: CatalogueSnapshot, rows: Iterable<number>): ListedGroup[] {
  const { columns } = catalogue;
  const { countryOf, countries } = catalogue.dictionaries.marketIndex;
  const groups = new Map<number, ListedGroup>();
  for (const row of rows) {
    const country = columns.source[row]! * countries.length + countryOf[columns.market[row]!]!;
    for (const period of PERIODS) {
      const last = columns[`end${period}`][row]!;
      if (last === 0 || (columns.calculated[row]! & (1 << period)) !== 0) continue;
      const end = periodEnd(period, last);
      const key = country * KEYS_OF_COUNTRY + period;
      const group = groups.get(key);
      if (group !== undefined) {
        group.series++;
        group.newestEnd = Math.max(group.newestEnd, end);
        continue;
      }
      const { iso3_country_code, country_name: countryName } = catalogue.referenceAt('market', row);
      const { id: sourceId, name: source } = catalogue.referenceAt('source', row);
      groups.set(key, {
        ...{ sourceId, source, country: iso3_country_code, countryName, period },
        ...{ series: 1, newestEnd: end },
      });
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
