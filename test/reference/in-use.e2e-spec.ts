import { make, type SeriesFields } from '../support/factories.js';
import { expectProblem } from '../support/problems.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { referenceTables } from './reference-tables.js';
import { TableClient, type Headers } from './table-client.js';

describe('W7: a record that series refer to', () => {
  let service: TestApp;
  let auth: Headers;
  beforeAll(async () => {
    service = await startTestApp();
    auth = await service.signedIn();
  });
  afterAll(() => service?.close());

  const referredTo = referenceTables.filter(({ name }) => !['FxRate', 'Cpi'].includes(name));

  it.each(referredTo)('of $name cannot be deleted, and is told by what it is used', async (table) => {
    const client = new TableClient(service, table, auth);
    await client.clear();
    const id = await client.make();
    const fields = { [`${table.table}_id`]: id } as SeriesFields;
    await make(service.unitOfWork, async (factory) => {
      for (let n = 0; n < 3; n++) await factory.series(fields);
    });
    const problem = {
      status: 409,
      code: 'in_use',
      errors: [{ in: 'path', name: 'PriceSerie', code: 'in_use', count: 3 }],
    };
    expectProblem(await client.delete(id), problem);
    expectProblem(await client.delete(id, { 'If-Match': '"1"' }), problem);
    expectProblem(await client.delete(id, { 'If-Match': '"2"' }), {
      status: 412,
      code: 'precondition_failed',
    });
    expectProblem(await client.delete(id, { 'If-None-Match': '"2"' }), problem);
    expect((await client.get(id)).headers.etag).toBe('"1"');
    expect((await client.auditRows()).map(({ action }) => action)).toEqual(['create']);
    // In use is no reason not to change it.
    await client.patch(id, table.change).expect(200);
    await service.unitOfWork.run((tx) => tx.execute('DELETE FROM price_serie'));
    await client.delete(id).expect(204);
  });
});
