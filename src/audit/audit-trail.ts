import { Injectable } from '@nestjs/common';
import type { Caller } from '../common/access/caller.js';
import { Clock, instantText } from '../common/dates/clock.js';
import type { Transaction } from '../database/unit-of-work.js';

/** A record as far as the trail shows it. */
export type Recorded = Readonly<Record<string, unknown>>;

export const AUDITED_ACTIONS = ['create', 'update', 'delete', 'import'] as const;

export interface Change {
  /** Null for commands: whoever may run them has the machine. */
  caller: Pick<Caller, 'accountId' | 'tokenId'> | null;
  /** The request's id; null for commands. */
  requestId: string | null;
  /** The table's name in the database. */
  table: string;
  recordId: number | null;
  action: (typeof AUDITED_ACTIONS)[number];
  /** The columns that may be shown. What is not listed, such as a password's hash, never reaches the trail. */
  columns: readonly string[];
  /** The record as it was; null where there was none. */
  before: Recorded | null;
  /** The record as it is now; null where there is none. */
  after: Recorded | null;
}

/** The append-only trail of changes. */
@Injectable()
export class AuditTrail {
  constructor(private readonly clock: Clock) {}

  /**
   * Adds a change to the trail, in the transaction that makes it. Of an update only the fields that differ are kept.
   * @returns whether there was anything to add: an update that changes no listed column leaves no row
   */
  async record(transaction: Transaction, change: Change): Promise<boolean> {
    const columns =
      change.before === null || change.after === null
        ? change.columns
        : change.columns.filter((column) => change.before![column] !== change.after![column]);
    if (columns.length === 0) return false;
    await transaction.execute(
      'INSERT INTO audit_log (`at`, account_id, token_id, request_id, table_name, record_id, action, `before`, `after`) ' +
        'VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)',
      [
        instantText(this.clock.now()),
        change.caller?.accountId ?? null,
        change.caller?.tokenId ?? '',
        change.requestId ?? '',
        change.table,
        change.recordId,
        change.action,
        fields(change.before, columns),
        fields(change.after, columns),
      ],
    );
    return true;
  }
}

/** The listed columns of a record as JSON. */
function fields(record: Recorded | null, columns: readonly string[]): string | null {
  if (record === null) return null;
  return JSON.stringify(Object.fromEntries(columns.map((column) => [column, record[column] ?? null])));
}
