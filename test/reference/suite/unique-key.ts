import { expectProblem, fieldViolation } from '../../support/problems.js';
import type { ReferenceTableCase } from '../reference-tables.js';
import { expectRecord, type TableClient } from '../table-client.js';

/** Tests of every reference table: the unique key. */
export function uniqueKeyTests(table: ReferenceTableCase, current: () => TableClient): void {
  const { whole, change, unique } = table;
  const changed = { ...whole, ...change };
  let client: TableClient;
  beforeEach(() => void (client = current()));

  it('W6: rejects a duplicate of the unique key, with the address of the existing record', async () => {
    const id = await client.create();
    const other = await client.create(client.nth(1));
    const key = Object.fromEntries(unique.map((name) => [name, whole[name]]));
    for (const [body, name] of [
      [whole, (field: string) => field],
      [client.prefixed({ ...changed, ...key }), (field: string) => `${table.table}_${field}`],
    ] as const) {
      const problem = {
        status: 409,
        code: 'duplicate',
        errors: unique.map((field) => fieldViolation(name(field), 'duplicate')),
        extra: {
          existing: expect.stringMatching(new RegExp(`^http://127\\.0\\.0\\.1:\\d+${client.path}${id}/$`)),
        },
      };
      expectProblem(await client.post(body), problem);
      expectProblem(await client.put(other, body), problem);
      expectProblem(await client.patch(other, body), problem);
    }
    expectRecord(await client.get(other), 200, client.record(other, client.nth(1)), 1);
    expect(await client.count()).toBe(2);
    expect(await client.auditRows()).toHaveLength(2);
  });

  it('W6: stores one of two concurrent equal POSTs', async () => {
    const responses = await Promise.all([client.post(whole), client.post(whole)]);
    expect(responses.map(({ status }) => status).sort()).toEqual([201, 409]);
    const created = responses.find(({ status }) => status === 201)!;
    expect((responses.find(({ status }) => status === 409)!.body as { existing: string }).existing).toBe(
      created.headers.location,
    );
    expect(await client.count()).toBe(1);
  });
}
