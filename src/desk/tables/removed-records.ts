import { Injectable } from '@nestjs/common';
import { AuditLog } from '../../ledger/audit/audit-log.js';
import type { DeskTable } from './desk-tables.js';

/** A record that somebody has removed. */
export interface RemovedRecord {
  /** The id of the record that it was merged into; null where it was only removed. */
  readonly mergedInto: number | null;
  /** When, in ISO 8601, UTC. */
  readonly at: string;
  /** Who has done it; null for commands. */
  readonly by: string | null;
}

/** Finds out what has become of records, for forms that come late or twice. */
@Injectable()
export class RemovedRecords {
  constructor(private readonly audit: AuditLog) {}

  /** How a record was removed, by the audit log; null where that does not say so. */
  async find({ table: { statements } }: DeskTable, id: number): Promise<RemovedRecord | null> {
    const filters = { table: [statements.name], record_id: [id] };
    const [newest] = (await this.audit.page(filters, { page: 1, pageSize: 1 })).items;
    if (newest?.action !== 'delete') return null;
    const { at, username, subject } = newest;
    const mergedInto = Number(newest.before?.merged_into ?? 0) || null;
    return { mergedInto, at, by: username ?? (subject || null) };
  }
}
