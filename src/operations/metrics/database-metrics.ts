import type { Metric } from '../../platform/metrics/metrics-registry.js';
import type { DataRevision } from '../../ledger/revision/data-revision.js';
import type { Database } from '../../database/database.js';
import type { UnitOfWork } from '../../ledger/unit-of-work.js';

/** The metrics of the database layer. */
export function databaseMetrics(
  database: Database,
  unitOfWork: UnitOfWork,
  revision: DataRevision,
): Metric[] {
  const metrics: Metric[] = [
    {
      name: 'pds_database_connected',
      help: '1 while the database is open.',
      kind: 'gauge',
      value: () => Number(database.connected),
    },
    {
      name: 'pds_storage_refused',
      help: '1 after the storage rejected a write, until a write succeeds.',
      kind: 'gauge',
      together: 'max',
      value: () => Number(database.storageUnavailable),
    },
    {
      name: 'pds_data_revision',
      help: 'The data revision; every write increments it.',
      kind: 'gauge',
      together: 'max',
      value: () => revision.current()?.all ?? null,
    },
  ];
  if (database.embedded) {
    metrics.push({
      name: 'pds_writes_waiting',
      help: 'Writes waiting in the queue.',
      kind: 'gauge',
      value: () => unitOfWork.waiting,
    });
  } else {
    const pool = (name: 'open' | 'busy' | 'waiting', help: string) =>
      metrics.push({
        name: `pds_database_pool_${name}`,
        help,
        kind: 'gauge',
        value: () => database.poolMetrics?.[name] ?? null,
      });
    pool('open', 'Open connections to the primary.');
    pool('busy', 'Connections in use.');
    pool('waiting', 'Requests waiting for a connection.');
  }
  if (database.replicaMetrics !== null) {
    const replicas = (
      name: string,
      of: 'up' | 'current' | 'reads' | 'primaryReads',
      kind: Metric['kind'],
      help: string,
    ) =>
      metrics.push({
        name: `pds_replicas_${name}`,
        help,
        kind,
        together: kind === 'gauge' ? 'max' : 'sum',
        value: () => database.replicaMetrics?.[of] ?? null,
      });
    replicas('up', 'up', 'gauge', 'Replicas that respond.');
    replicas('current', 'current', 'gauge', 'Replicas that are up to date and read from.');
    replicas('reads_total', 'reads', 'counter', 'Reads served by a replica.');
    replicas(
      'primary_reads_total',
      'primaryReads',
      'counter',
      'Reads of published data served by the primary instead of a replica.',
    );
  }
  return metrics;
}
