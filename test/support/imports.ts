import { createReadStream } from 'node:fs';
import { AuditTrail } from '../../src/ledger/audit/audit-trail.js';
import { Clock } from '../../src/platform/clock/clock.js';
import type { SqlValue } from '../../src/database/database.js';
import type { ImportOptions } from '../../src/import/formats/index.js';
import { ImportLock } from '../../src/ledger/import-lock/import-lock.js';
import type { ImportReport } from '../../src/import/pipeline/import-report.dto.js';
import { ImportService, type ImportRequest } from '../../src/import/import.service.js';
import { createInput } from '../../src/import/pipeline/input.js';
import { MappingStore } from '../../src/import/mappings/stored/mapping-store.js';
import { FindingsFollower } from '../../src/quality/findings-follower.js';
import { ObservationStore } from '../../src/prices/store/observation-store.js';
import { contentsOf } from './contents.js';
import { chunksOf, fixture } from './import-input.js';
import { openDatabase } from './open-database.js';
import { testChange } from './change-set.js';

type Options = ImportOptions & { dryRun?: boolean };

/** Opens a database of its own with an import service, and helpers to read what imports store. */
export async function openImports() {
  const opened = await openDatabase();
  const { database, unitOfWork } = opened;
  const clock = new Clock();
  const lock = new ImportLock(unitOfWork, clock);
  const service = new ImportService(
    unitOfWork,
    new ObservationStore(),
    new AuditTrail(clock),
    lock,
    new FindingsFollower(),
    clock,
  );

  const request = (format: string, { dryRun = false, ...options }: Options): ImportRequest => ({
    format,
    options,
    dryRun,
    caller: null,
    requestId: null,
  });
  const fileName = (path: string) => path.slice(path.lastIndexOf('/') + 1);

  /** Imports a fixture by its name, or any file by its absolute path. */
  const importFile = (format: string, file: string, options: Options = {}): Promise<ImportReport> => {
    const path = file.startsWith('/') ? file : fixture(file);
    return service.import(
      request(format, options),
      createInput(createReadStream(path), fileName(path), null),
    );
  };
  const importBytes = (
    format: string,
    bytes: string | Uint8Array,
    options: Options = {},
  ): Promise<ImportReport> =>
    service.import(request(format, options), createInput(chunksOf(bytes), '', null));
  const importText: (format: string, text: string, options?: Options) => Promise<ImportReport> = importBytes;
  const importAtomically = (format: string, text: string, options: Options = {}): Promise<ImportReport> =>
    service.importAtomically(request(format, options), createInput(chunksOf(text), '', null));

  const rows = <T = Record<string, unknown>>(sql: string, values: SqlValue[] = []): Promise<T[]> =>
    database.rows<T>(sql, values);

  const contents = () => contentsOf(database);

  /** Deletes everything that imports have stored. */
  const empty = () =>
    unitOfWork.change(testChange, async (transaction) => {
      for (const table of [
        'observation',
        'released_period',
        'series_period',
        'series_alias',
        'price_serie',
        'alias',
        'market',
        'commodity',
        'source',
        'measure_unit',
        'fx_rate',
        'cpi',
        'audit_log',
        // What the service knows of the past does not hold after rows went without a trace.
        'record_version',
        'series_period_version',
        'observation_version',
        'revision',
      ]) {
        await transaction.execute(`DELETE FROM ${table}`);
      }
      await transaction.execute('DELETE FROM price_type WHERE id > 17');
    });

  return {
    ...opened,
    empty,
    lock,
    service,
    mappings: new MappingStore(database),
    importFile,
    importBytes,
    importText,
    importAtomically,
    rows,
    contents,
  };
}

/** The counts of a report, without what differs from run to run. */
export function reportCounts(report: ImportReport) {
  const { read, changed, unchanged, skipped, rejected_by_reason, series, records, rounded, hs_codes_kept } =
    report;
  return {
    read,
    new: report.new,
    changed,
    unchanged,
    skipped,
    rejected: rejected_by_reason,
    series,
    records,
    rounded,
    hs_codes_kept,
  };
}
