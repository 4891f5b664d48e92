import type { RecordFields, ReferenceTableCase } from '../reference-tables.js';
import type { TableClient } from '../table-client.js';

const csvField = (value: unknown) => `"${String(value ?? '').replaceAll('"', '""')}"`;
const csv = (record: RecordFields) =>
  `${Object.keys(record).join(',')}\n${Object.values(record).map(csvField).join(',')}\n`;

/** Imports of a table by its own name. */
export function importTests(table: ReferenceTableCase, client: () => TableClient): void {
  const importCsv = async (text: string) => {
    const { service, auth } = client();
    const response = await service
      .http()
      .post(`/api/v1/Import/?format=${table.name}`)
      .set({ ...auth, 'Content-Type': 'text/csv' })
      .send(text)
      .expect(200);
    return response.body as Record<string, unknown>;
  };
  const records = async () => {
    const { body } = await client().get();
    const created = body as { id: number }[];
    return created.filter(({ id }) => !table.seeds.some((seed) => seed.id === id));
  };

  it('stores a record as a POST does', async () => {
    expect(await importCsv(csv(table.whole))).toMatchObject({ error: null, new: 1, rejected: 0 });
    const [record] = await records();
    expect(record).toEqual({ id: expect.any(Number), ...table.whole, ...table.imported });
  });

  it('gives the fields that are left out their defaults', async () => {
    const required = client().requiredOnly();
    expect(await importCsv(csv(required))).toMatchObject({ error: null, new: 1, rejected: 0 });
    const [record] = await records();
    expect(record).toEqual({ id: expect.any(Number), ...required, ...table.defaults, ...table.imported });
  });

  it.each(table.required)('rejects a record without %s', async (name) => {
    const report = await importCsv(csv({ ...table.whole, [name]: '' }));
    expect(report.rejects).toEqual([
      { line: 2, field: name, reason: 'required', detail: `${name} is required.` },
    ]);
    expect(await records()).toEqual([]);
  });
}
