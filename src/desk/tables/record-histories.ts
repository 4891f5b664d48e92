import { Injectable } from '@nestjs/common';
import { AuditLog } from '../../ledger/audit/audit-log.js';
import type { RecordState } from '../../reference/base/record-history.js';
import type { DeskTable } from './desk-tables.js';

/** States of a record that its page lists. */
export const MAX_STATES = 50;

/** A state of a record, and who has created it; null for imports and commands. */
export interface AttributedState extends RecordState {
  readonly by: string | null;
}

/** Reads what a record was, with the accounts of the audit log. */
@Injectable()
export class RecordHistories {
  constructor(private readonly audit: AuditLog) {}

  /** The states of a record, newest first. */
  async read({ service, table: { statements } }: DeskTable, id: number): Promise<AttributedState[]> {
    const states = await service.history(id, MAX_STATES);
    const request = { page: 1, pageSize: 2 * MAX_STATES };
    const entries = await this.audit.page({ table: [statements.name], record_id: [id] }, request);
    const names = new Map(
      entries.items.map(({ change_set_id, username, subject }) => [change_set_id, username ?? subject]),
    );
    return states.map((state) => ({
      ...state,
      by: (state.changeSet && names.get(state.changeSet.id)) || null,
    }));
  }
}
