import { Injectable } from '@nestjs/common';
import { join } from 'node:path';
import { batchesOf } from '../lib/collections/batches.js';
import { projectFolder } from '../lib/files/project-folder.js';
import { AuditTrail } from '../ledger/audit/audit-trail.js';
import { Database, type SqlValue } from '../database/database.js';
import { UnitOfWork, type Transaction } from '../ledger/unit-of-work.js';
import { openInput } from '../import/pipeline/input.js';
import { ROWS_PER_STATEMENT, inCondition } from '../import/pipeline/statements.js';
import { ImportService } from '../import/import.service.js';
import type { ImportReport } from '../import/pipeline/import-report.dto.js';
import { SAMPLE_SOURCE } from '../price-series/sample-source.js';
import { removeSeries } from '../price-series/series-versions.js';
import { ObservationStore } from '../prices/store/observation-store.js';
import { removeRecords } from '../reference/base/record-versions.js';
import type { ReferenceEntity } from '../reference/base/reference.entity.js';
import { TableStatements } from '../reference/base/table-statements.js';
import { Commodity } from '../reference/commodity/commodity.entity.js';
import { Cpi } from '../reference/cpi/cpi.entity.js';
import { FxRate } from '../reference/fx-rate/fx-rate.entity.js';
import { Market } from '../reference/market/market.entity.js';
import { MeasureUnit } from '../reference/measure-unit/measure-unit.entity.js';
import { Source } from '../reference/source/source.entity.js';

/** User-assigned ISO codes, so that no rate or index of the sample can affect a real price. */
const COUNTRIES = ['XAA', 'XAB', 'XAC', 'XAD', 'XAE', 'XAF'];
const CURRENCIES = ['XDA', 'XDB', 'XDC', 'XDD', 'XDE', 'XDF'];
const FILES = [
  ['prices', 'prices.csv'],
  ['fx', 'fx.csv'],
  ['cpi', 'cpi.csv'],
] as const;

/** Numbers of removed rows. */
interface RemovedSample {
  series: number;
  points: number;
  records: number;
}

/** The bundled sample: fictitious prices, imported and removed like real ones. */
@Injectable()
export class SampleData {
  constructor(
    private readonly database: Database,
    private readonly unitOfWork: UnitOfWork,
    private readonly imports: ImportService,
    private readonly observations: ObservationStore,
    private readonly trail: AuditTrail,
  ) {}

  /** Whether there are no series and no records but the price types that migrations create. */
  async databaseIsEmpty(): Promise<boolean> {
    for (const table of ['price_serie', 'commodity', 'market', 'source', 'measure_unit', 'fx_rate', 'cpi']) {
      const [row] = await this.database.arrays<[number]>(`SELECT id FROM ${table} LIMIT 1`);
      if (row !== undefined) return false;
    }
    return true;
  }

  /** Whether the sample is stored, changed or not. */
  async isLoaded(): Promise<boolean> {
    const rows = await this.database.arrays('SELECT id FROM source WHERE name = ?', [SAMPLE_SOURCE]);
    return rows.length > 0;
  }

  /** Imports the sample. Importing it again changes nothing. @throws ImportRunning */
  async load(): Promise<ImportReport[]> {
    const folder = projectFolder('sample');
    const reports: ImportReport[] = [];
    for (const [format, file] of FILES) {
      const request = {
        format,
        options: {},
        dryRun: false,
        kind: 'sample',
        caller: null,
        requestId: null,
      } as const;
      reports.push(await this.imports.import(request, await openInput(join(folder, file))));
    }
    return reports;
  }

  /**
   * Removes the sample in one transaction: its series with their points, its rates and indices, its
   * markets and source, and those of its commodities and units that no other series refers to.
   */
  async remove(): Promise<RemovedSample> {
    return this.unitOfWork.change({ kind: 'sample', reason: 'Removed' }, async (transaction) => {
      const series = await transaction.rows<{ id: number; commodity_id: number; measure_unit_id: number }>(
        'SELECT s.id, s.commodity_id, s.measure_unit_id FROM price_serie s JOIN source o ON o.id = s.source_id WHERE o.name = ?',
        [SAMPLE_SOURCE],
      );
      const ids = series.map(({ id }) => id);
      const points = await this.observations.removeAll(transaction, ids);
      await removeSeries(transaction, ids);
      let records = await remove(transaction, Source, 'name', [SAMPLE_SOURCE]);
      records += await remove(transaction, FxRate, 'currency', CURRENCIES);
      records += await remove(transaction, Cpi, 'iso3_country_code', COUNTRIES);
      records += await removeUnused(transaction, Market, 'iso3_country_code', [...COUNTRIES, 'IPS']);
      const idsOf = (table: 'commodity' | 'measure_unit') => series.map((row) => row[`${table}_id`]);
      records += await removeUnused(transaction, Commodity, 'id', idsOf('commodity'));
      records += await removeUnused(transaction, MeasureUnit, 'id', idsOf('measure_unit'));
      transaction.markModified('references', 'rates');
      const removed = { series: ids.length, points, records };
      await this.trail.record(transaction, {
        caller: null,
        requestId: null,
        table: 'sample',
        recordId: null,
        action: 'delete',
        columns: ['series', 'points', 'records'],
        before: removed,
        after: null,
      });
      return removed;
    });
  }
}

async function remove(
  transaction: Transaction,
  entity: new () => ReferenceEntity,
  column: string,
  values: readonly SqlValue[],
  condition = '',
): Promise<number> {
  const table = new TableStatements(entity);
  let removed = 0;
  for (const batch of batchesOf([...new Set(values)], ROWS_PER_STATEMENT)) {
    const found = inCondition(transaction, [column], batch.length) + condition;
    removed += await removeRecords(transaction, table, found, batch);
  }
  return removed;
}

/** Removes records that no series refers to. */
function removeUnused(
  transaction: Transaction,
  entity: new () => ReferenceEntity,
  column: string,
  values: readonly SqlValue[],
): Promise<number> {
  const { name } = new TableStatements(entity);
  const unused = ` AND id NOT IN (SELECT ${name}_id FROM price_serie)`;
  return remove(transaction, entity, column, values, unused);
}
