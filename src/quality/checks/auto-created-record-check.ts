import { placeholders } from '../../database/sql.js';
import { batchesOf } from '../../lib/collections/batches.js';
import { BASE } from '../../config/price-paths.js';
import { creationsOf } from '../../ledger/changes/stored-changes.js';
import type { ChangeSetKind } from '../../ledger/changes/change-set.js';
import type { Transaction } from '../../ledger/unit-of-work.js';
import type { FoundFinding } from '../../ledger/findings/finding.js';
import { TableStatements } from '../../reference/base/table-statements.js';
import { MeasureUnit } from '../../reference/measure-unit/measure-unit.entity.js';
import { PriceType } from '../../reference/price-type/price-type.entity.js';
import { isUnknownType, isUnknownUnit, type AutoCreatedRecord } from '../rules/unknown-record.js';
import type { ChangedData } from './changed-data.js';
import { subjectText, type Check } from './check.js';
import { foundFinding } from './found-finding.js';

/** Ids of one statement. */
const BATCH = 500;

/** The tables by path segment, with the rule about them. */
const TABLES = {
  MeasureUnit: {
    statements: new TableStatements(MeasureUnit),
    rule: 'unknown_unit',
    holds: isUnknownUnit,
    detail: ({ id, name }: Row) =>
      `An import made the unit ${name} without a factor to kilograms or litres:` +
      ` PATCH /${BASE}/MeasureUnit/${id}/ sets it, POST /${BASE}/MeasureUnit/${id}/merge/ merges it.`,
  },
  PriceType: {
    statements: new TableStatements(PriceType),
    rule: 'unknown_type',
    holds: isUnknownType,
    detail: ({ id, name }: Row) =>
      `An import made the price type ${name}: POST /${BASE}/PriceType/${id}/merge/ merges it into another one.`,
  },
} as const;
type Segment = keyof typeof TABLES;
const SEGMENTS = Object.keys(TABLES) as Segment[];

interface Row {
  readonly id: number;
  readonly name: string;
  /** Of a unit. */
  readonly conversion_factor?: number | null;
}

/**
 * Rules about units and price types that imports have created. A subject is a record: the path
 * segment of its table, and its id. Who made it is read from the history, so computing anew finds
 * the same.
 */
export class AutoCreatedRecordCheck implements Check {
  readonly name = 'made';
  readonly attributes = { measure_unit: ['name', 'conversion_factor'], price_type: ['name'] };
  readonly follows = {
    series: 'none',
    tables: SEGMENTS.map((segment) => TABLES[segment].statements.name),
  } as const;
  readonly batch = 200;

  subjectsOf(changed: ChangedData): Promise<Iterable<string>> {
    return Promise.resolve(
      SEGMENTS.flatMap((segment) =>
        changed.recordIds(this, TABLES[segment].statements.name).map((id) => `${segment} ${id}`),
      ),
    );
  }

  async allSubjects(transaction: Transaction): Promise<Iterable<string>> {
    const subjects: string[] = [];
    for (const segment of SEGMENTS) {
      const rows = await transaction.rows<{ id: number }>(
        TABLES[segment].statements.selectColumns(['id'], 'ORDER BY id'),
      );
      for (const { id } of rows) subjects.push(`${segment} ${id}`);
    }
    return subjects;
  }

  async check(transaction: Transaction, names: readonly string[]): Promise<FoundFinding[]> {
    const found: FoundFinding[] = [];
    for (const segment of SEGMENTS) {
      const prefix = `${segment} `;
      const ids = names
        .filter((name) => name.startsWith(prefix))
        .map((name) => Number(name.slice(prefix.length)));
      if (ids.length === 0) continue;
      for (const finding of await this.findings(transaction, segment, ids)) found.push(finding);
    }
    return found;
  }

  private async findings(
    transaction: Transaction,
    segment: Segment,
    ids: readonly number[],
  ): Promise<FoundFinding[]> {
    const { statements, rule, holds, detail } = TABLES[segment];
    const found: FoundFinding[] = [];
    for (const batch of batchesOf(ids, BATCH)) {
      const rows = await transaction.rows<Row>(
        statements.select(`WHERE id IN (${placeholders(batch.length)}) ORDER BY id`),
        batch,
      );
      const imported = await madeByImports(
        transaction,
        statements.name,
        rows.map(({ id }) => id),
      );
      for (const row of rows) {
        const { id, name, conversion_factor: factor = null } = row;
        const made: AutoCreatedRecord = { name, factor, byImport: imported.has(id) };
        if (!holds(made)) continue;
        found.push(
          foundFinding(rule, {
            subject: subjectText(this, `${segment} ${row.id}`),
            records: [{ table: segment, id: row.id, name: row.name }],
            detail: detail(row),
          }),
        );
      }
    }
    return found;
  }
}

/**
 * Which of some records imports have created: the last that made each, reverts of reverts apart.
 */
async function madeByImports(
  transaction: Transaction,
  table: string,
  ids: readonly number[],
): Promise<Set<number>> {
  const kinds = new Map<number, ChangeSetKind>();
  if (ids.length === 0) return new Set();
  for (const { id, kind } of await creationsOf(transaction, table, ids))
    if (kind !== 'revert') kinds.set(id, kind);
  // What the transaction creates is listed at its end.
  const own = transaction.changes.records
    .filter((record) => record.table === table && record.action === 'created' && ids.includes(record.id))
    .map(({ id }) => id);
  if (own.length > 0) {
    const kind = await kindOf(transaction);
    if (kind !== 'revert') for (const id of own) kinds.set(id, kind);
  }
  return new Set([...kinds].flatMap(([id, kind]) => (kind === 'import' ? [id] : [])));
}

/**
 * What kind of change set makes the records of a transaction. Dry runs of imports have none, and
 * several share a commit only where all of them are brief: neither imports nor reverts.
 */
async function kindOf(transaction: Transaction): Promise<ChangeSetKind> {
  const [kind = 'import'] = await transaction.changeSetKinds();
  return kind;
}
