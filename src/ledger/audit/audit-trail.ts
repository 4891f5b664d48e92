import { Injectable } from '@nestjs/common';
import type { Reads } from '../../database/reads.js';
import type { Caller } from '../../platform/http/caller.js';
import { Clock, instantText } from '../../platform/clock/clock.js';
import type { Transaction } from '../unit-of-work.js';

/** A record, or its changed columns, as the audit log shows it. */
type AuditedRecord = Readonly<Record<string, unknown>>;

export const AUDITED_ACTIONS = ['create', 'update', 'delete', 'import', 'revert'] as const;

/** What the audit log says about the account that made a change. */
export type AuditedCaller = Pick<Caller, 'accountId' | 'tokenId' | 'issuer' | 'subject'>;

interface AuditedChange {
  /** Null for commands: whoever can run them has access to the host. */
  caller: AuditedCaller | null;
  /** The request's id; null for commands. */
  requestId: string | null;
  /** The table's name in the database. */
  table: string;
  recordId: number | null;
  action: (typeof AUDITED_ACTIONS)[number];
  /** The columns to log. Others, such as the hash of a password, never reach the audit log. */
  columns: readonly string[];
  /** The record before the change; null for a creation. */
  before: AuditedRecord | null;
  /** The record after the change; null for a deletion. */
  after: AuditedRecord | null;
}

/** Writes the append-only audit log, and reads there what became of a record. */
@Injectable()
export class AuditTrail {
  constructor(private readonly clock: Clock) {}

  /**
   * Logs a change, in the transaction that makes it. Of an update only the columns that differ are
   * logged.
   * @returns false if nothing was logged, because an update changed none of the columns
   */
  async record(transaction: Transaction, change: AuditedChange): Promise<boolean> {
    const columns =
      change.before === null || change.after === null
        ? change.columns
        : change.columns.filter((column) => change.before![column] !== change.after![column]);
    if (columns.length === 0) return false;
    await transaction.executeWithNext(
      'INSERT INTO audit_log (`at`, account_id, token_id, request_id, table_name, record_id, action, `before`, `after`, issuer, subject, change_set_id) ' +
        'VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
      [
        instantText(this.clock.now()),
        change.caller?.accountId ?? null,
        change.caller?.tokenId ?? '',
        change.requestId ?? '',
        change.table,
        change.recordId,
        change.action,
        columnsAsJson(change.before, columns),
        columnsAsJson(change.after, columns),
        change.caller?.issuer ?? '',
        change.caller?.subject ?? '',
        await transaction.changeSetId(),
      ],
    );
    return true;
  }

  /** What the logged columns of a record became by each of its changes, the newest first. */
  async changesOf(reads: Pick<Reads, 'rows'>, table: string, recordId: number): Promise<AuditedRecord[]> {
    const rows = await reads.rows<{ after: string | null }>(
      'SELECT `after` FROM audit_log WHERE table_name = ? AND record_id = ? ORDER BY id DESC',
      [table, recordId],
    );
    return rows.map(({ after }) => JSON.parse(after ?? '{}') as AuditedRecord);
  }
}

/** The given columns of a record as JSON. */
function columnsAsJson(record: AuditedRecord | null, columns: readonly string[]): string | null {
  if (record === null) return null;
  return JSON.stringify(Object.fromEntries(columns.map((column) => [column, record[column] ?? null])));
}
