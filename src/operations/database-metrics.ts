import type { Metric } from '../common/metrics/metrics-registry.js';
import type { DataRevision } from '../database/data-revision.js';
import type { Database } from '../database/database.js';
import type { UnitOfWork } from '../database/unit-of-work.js';

/** What the database layer has to show. */
export function recordDatabaseMetrics(
  database: Database,
  unitOfWork: UnitOfWork,
  revision: DataRevision,
): Metric[] {
  const figures: Metric[] = [
    {
      name: 'pds_database_connected',
      help: '1 while the database is open.',
      kind: 'gauge',
      value: () => Number(database.connected),
    },
    {
      name: 'pds_storage_refused',
      help: '1 after a write that the storage refused, until one is accepted.',
      kind: 'gauge',
      together: 'max',
      value: () => Number(database.storageRefused),
    },
    {
      name: 'pds_data_revision',
      help: 'The data revision; every write moves it.',
      kind: 'gauge',
      together: 'max',
      value: () => revision.current()?.all ?? null,
    },
  ];
  if (database.embedded) {
    figures.push({
      name: 'pds_writes_waiting',
      help: 'Writes that wait for their turn.',
      kind: 'gauge',
      value: () => unitOfWork.waiting,
    });
  } else {
    const pool = (name: 'open' | 'busy' | 'waiting', help: string) =>
      figures.push({
        name: `pds_database_pool_${name}`,
        help,
        kind: 'gauge',
        value: () => database.poolFigures?.[name] ?? null,
      });
    pool('open', 'Connections to the server that is written to.');
    pool('busy', 'Connections at work.');
    pool('waiting', 'Requests that wait for a connection.');
  }
  if (database.replicaFigures !== null) {
    const replicas = (
      name: string,
      of: 'up' | 'current' | 'reads' | 'primaryReads',
      kind: Metric['kind'],
      help: string,
    ) =>
      figures.push({
        name: `pds_replicas_${name}`,
        help,
        kind,
        together: kind === 'gauge' ? 'max' : 'sum',
        value: () => database.replicaFigures?.[of] ?? null,
      });
    replicas('up', 'up', 'gauge', 'Replicas that answer.');
    replicas('current', 'current', 'gauge', 'Replicas that are read from: they have seen every known write.');
    replicas('reads_total', 'reads', 'counter', 'Reads that a replica has answered.');
    replicas(
      'primary_reads_total',
      'primaryReads',
      'counter',
      'Reads that had to go to the server that is written to.',
    );
  }
  return figures;
}
