import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database.js';
import type { Reads } from '../../database/reads.js';
import { saveFindings } from '../../ledger/findings/finding-store.js';
import type { FoundFinding } from '../../ledger/findings/finding.js';
import { findingSubjects, standingFindings } from '../../ledger/findings/stored-findings.js';
import { UnitOfWork } from '../../ledger/unit-of-work.js';
import { Clock } from '../../platform/clock/clock.js';
import { MetricsRegistry } from '../../platform/metrics/metrics-registry.js';
import type { HarvestRule } from '../../quality/rules/rule-table.js';
import { Criteria } from '../../price-series/filters/criteria.js';
import { dayOfInstant } from '../../releases/period-end.js';
import type { ReleaseRecord } from '../../releases/release-record.js';
import { ReleasesService } from '../../releases/releases.service.js';
import { type ExpectedFile, expectedFile } from './expected-file.js';
import { HARVEST_SUBJECTS, harvestFindings, type WatchedHarvest } from './harvest-findings.js';

/** The metrics, by the rules of which they have the number of findings. */
const METRICS: Readonly<Record<HarvestRule, readonly [name: string, help: string]>> = {
  harvest_failed: ['pds_harvests_failed', 'Harvests whose last runs have failed.'],
  harvest_held: ['pds_harvests_held', 'Harvests with a file that is held until somebody decides.'],
  source_late: ['pds_harvests_late', 'Harvests whose source is late.'],
};

/** Keeps the findings about harvests in step with their runs and with the time. */
@Injectable()
export class HarvestAlarms {
  /** What was found last; null until then. */
  private found: readonly FoundFinding[] | null = null;

  constructor(
    private readonly database: Database,
    private readonly unitOfWork: UnitOfWork,
    private readonly releases: ReleasesService,
    private readonly clock: Clock,
    metrics: MetricsRegistry,
  ) {
    for (const [rule, [name, help]] of Object.entries(METRICS))
      metrics.add({
        ...{ name, help, kind: 'gauge', together: 'max' },
        value: () => this.found && this.found.filter((finding) => finding.rule === rule).length,
      });
  }

  /** Opens findings about what is wrong, and ends those about what is not any more. */
  async refresh(): Promise<void> {
    const watched = await readWatched(this.database);
    const releases = await this.releasesOf(watched);
    const find = (harvests: readonly WatchedHarvest[]) =>
      harvests.flatMap((harvest) => harvestFindings(harvest, releases, this.clock.now()));
    this.found = find(watched);
    // Mostly all is as it was: then nothing is written.
    const standing = await standingFindings(this.database, HARVEST_SUBJECTS);
    if (isSame(standing, this.found)) return;
    await this.unitOfWork.change({ kind: 'findings', reason: '' }, async (transaction) => {
      const found = find(await readWatched(transaction));
      const stored = await findingSubjects(transaction, HARVEST_SUBJECTS);
      const subjects = new Set([...stored, ...found.map(({ subject }) => subject)]);
      await saveFindings(transaction, [{ subjects: [...subjects], found, isCorrected: undefined }]);
    });
  }

  /** When the next values of each harvest that is on are expected, by its id. */
  async expectedFiles(): Promise<Map<number, ExpectedFile>> {
    const watched = await readWatched(this.database);
    const releases = await this.releasesOf(watched);
    const today = dayOfInstant(this.clock.now());
    return new Map(
      watched.flatMap((harvest) => {
        const expected = expectedFile(harvest, releases, today);
        return expected === null ? [] : [[harvest.id, expected]];
      }),
    );
  }

  /** The releases that harvests without an interval of their own are compared with. */
  private async releasesOf(harvests: readonly WatchedHarvest[]): Promise<readonly ReleaseRecord[]> {
    if (harvests.every(({ source, expected_interval }) => source === '' || expected_interval !== ''))
      return [];
    return (await this.releases.list(Criteria.none)).records;
  }
}

const textOf = ({ subject, rule, detail }: Pick<FoundFinding, 'subject' | 'rule' | 'detail'>) =>
  `${subject} ${rule} ${detail}`;

const isSame = (
  standing: readonly Pick<FoundFinding, 'subject' | 'rule' | 'detail'>[],
  found: readonly FoundFinding[],
): boolean => standing.map(textOf).sort().join('\n') === found.map(textOf).sort().join('\n');

/** The harvests that are on, and what became of their runs. */
async function readWatched(reads: Pick<Reads, 'rows'>): Promise<WatchedHarvest[]> {
  const harvests = await reads.rows<Omit<WatchedHarvest, 'failures' | 'heldSince' | 'importedAt'>>(
    'SELECT id, name, source, expected_interval, expected_lag FROM harvest WHERE enabled = 1 ORDER BY id',
  );
  if (harvests.length === 0) return [];
  const failures = await byHarvest<number | string>(
    reads,
    'SELECT r.harvest_id, COUNT(*) AS value FROM harvest_run r LEFT JOIN (SELECT harvest_id, MAX(id) AS id' +
      " FROM harvest_run WHERE state IN ('done', 'unchanged', 'held', 'dismissed', 'superseded') GROUP BY harvest_id) l" +
      " ON l.harvest_id = r.harvest_id WHERE r.state IN ('failed', 'interrupted') AND (l.id IS NULL OR r.id > l.id)" +
      ' GROUP BY r.harvest_id',
  );
  const held = await byHarvest<string>(
    reads,
    "SELECT harvest_id, MAX(due_at) AS value FROM harvest_run WHERE state = 'held' GROUP BY harvest_id",
  );
  const imported = await byHarvest<string>(
    reads,
    "SELECT harvest_id, MAX(ended_at) AS value FROM harvest_run WHERE state = 'done' GROUP BY harvest_id",
  );
  return harvests.map((harvest) => ({
    ...harvest,
    failures: Number(failures.get(harvest.id) ?? 0),
    heldSince: held.get(harvest.id) ?? null,
    importedAt: imported.get(harvest.id) ?? null,
  }));
}

async function byHarvest<T>(reads: Pick<Reads, 'rows'>, sql: string): Promise<Map<number, T>> {
  const rows = await reads.rows<{ harvest_id: number; value: T }>(sql);
  return new Map(rows.map(({ harvest_id, value }) => [harvest_id, value]));
}
