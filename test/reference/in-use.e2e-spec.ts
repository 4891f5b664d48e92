import { getMetadataArgsStorage } from 'typeorm';
import { PriceSerie } from '../../src/price-series/price-serie.entity.js';
import { createRecords, type SeriesFields } from '../support/factories.js';
import { expectProblem } from '../support/problems.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { referenceTableCases } from './reference-tables.js';
import { TableClient, type Headers } from './table-client.js';
import { testChange } from '../support/change-set.js';

describe('W7: a record that series refer to', () => {
  let service: TestApp;
  let auth: Headers;
  beforeAll(async () => {
    service = await startTestApp();
    auth = await service.authHeader();
  });
  afterAll(() => service?.close());

  const columns = getMetadataArgsStorage().joinColumns.filter(({ target }) => target === PriceSerie);
  const referredTo = referenceTableCases.filter(({ table }) =>
    columns.some(({ name }) => name === `${table}_id`),
  );

  it('is of every table that series have a column for', () =>
    expect(columns.map(({ name }) => name).sort()).toEqual(
      referredTo.map(({ table }) => `${table}_id`).sort(),
    ));

  it.each(referredTo)('of $name cannot be deleted, and the response counts the series', async (table) => {
    const client = new TableClient(service, table, auth);
    await client.clear();
    const id = await client.create();
    const fields = { [`${table.table}_id`]: id } as SeriesFields;
    await createRecords(service.unitOfWork, async (factory) => {
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
    // A record in use can still be changed.
    await client.patch(id, table.change).expect(200);
    await service.unitOfWork.change(testChange, (transaction) =>
      transaction.execute('DELETE FROM price_serie'),
    );
    await client.delete(id).expect(204);
  });
});

describe('a built-in price type', () => {
  let service: TestApp;
  let client: TableClient;
  beforeAll(async () => {
    service = await startTestApp();
    const types = referenceTableCases.find(({ table }) => table === 'price_type')!;
    client = new TableClient(service, types, await service.authHeader());
  });
  afterAll(() => service?.close());

  it('cannot be deleted, also if nothing refers to it', async () => {
    for (const id of [11, 12, 13, 17]) {
      const stored = (await client.get(id)).body as object;
      expectProblem(await client.delete(id), {
        status: 409,
        code: 'built_in',
        errors: [{ in: 'path', name: 'id', code: 'built_in' }],
      });
      expectProblem(await client.delete(id, { 'If-Match': '"2"' }), {
        status: 412,
        code: 'precondition_failed',
      });
      expect((await client.get(id)).body).toEqual(stored);
    }
    expect(await client.auditRows()).toEqual([]);
    const own = await client.create();
    await client.delete(own).expect(204);
  });
});
