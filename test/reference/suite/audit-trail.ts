import type { ReferenceTableCase } from '../reference-tables.js';
import { expectRecord, type TableClient } from '../table-client.js';

/** Tests of every reference table: the audit trail. */
export function auditTrailTests(table: ReferenceTableCase, current: () => TableClient): void {
  const { whole, change } = table;
  const changed = { ...whole, ...change };
  let client: TableClient;
  beforeEach(() => void (client = current()));

  it('W9: logs who changed what, when and in which request, and of an update only what differs', async () => {
    const requestIds = ['one', 'two', 'three', 'four'].map((name) => `${table.name}-${name}`);
    const header = (n: number) => ({ 'X-Request-Id': requestIds[n]! });
    const { body } = await client.post(whole, header(0));
    const { id } = body as { id: number };
    await client.put(id, changed, header(1)).expect(200);
    await client.patch(id, change, header(2)).expect(200);
    await client.delete(id, header(3)).expect(204);
    const [[field, value]] = Object.entries(change) as [[string, unknown]];
    const row = { account_id: 1, record_id: id };
    expect(await client.auditRows()).toEqual([
      { ...row, request_id: requestIds[0], action: 'create', before: null, after: whole },
      {
        ...row,
        request_id: requestIds[1],
        action: 'update',
        before: { [field]: whole[field] },
        after: { [field]: value },
      },
      { ...row, request_id: requestIds[3], action: 'delete', before: changed, after: null },
    ]);
  });

  it('W1: stores nothing if the audit row cannot be stored', async () => {
    const id = await client.create();
    const { writer } = client.service.database;
    await writer.query('ALTER TABLE audit_log RENAME TO audit_log_away');
    try {
      for (const response of [
        await client.post(client.nth(1)),
        await client.put(id, changed),
        await client.patch(id, change),
        await client.delete(id),
      ]) {
        expect(response.status).toBeGreaterThanOrEqual(500);
      }
    } finally {
      await writer.query('ALTER TABLE audit_log_away RENAME TO audit_log');
    }
    expectRecord(await client.get(id), 200, client.record(id, whole), 1);
    expect(await client.count()).toBe(1);
  });
}
