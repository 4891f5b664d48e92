import { driverPackets, driverStatements } from '../support/driver-statements.js';
import { onServer } from '../support/engines.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { referenceTableCases } from './reference-tables.js';
import { TableClient, type Headers } from './table-client.js';

/**
 * Statements of every write: the account's state, the audit row, the change set, the change of the
 * record, and the revision, which is read, inserted and updated.
 */
const EVERY_WRITE = [
  /(FROM|JOIN) account /,
  /^INSERT INTO audit_log /,
  /^INSERT INTO change_set /,
  /^INSERT INTO record_change /,
  /FROM data_revision /,
  /^INSERT INTO revision /,
  /^UPDATE data_revision /,
];

let service: TestApp;
let auth: Headers;
beforeAll(async () => {
  service = await startTestApp();
  auth = await service.authHeader();
  // What findings cost is counted with them.
  service.unitOfWork.followers = [];
});
afterAll(() => service?.close());

describe.each(referenceTableCases)('statements of $name', (table) => {
  let client: TableClient;
  beforeEach(async () => {
    client = new TableClient(service, table, auth);
    await client.clear();
  });

  /** The statements without quotes, which differ between engines. */
  const statementsOf = async (work: () => PromiseLike<unknown>) =>
    (await driverStatements(service.database, work)).map((sql) => sql.replace(/[`"]/g, ''));
  const shape = (sql: string) => sql.split(' ')[0];

  /** The first words of a write's statements, without those of every write. */
  const writesOf = async (work: () => PromiseLike<unknown>) => {
    const statements = await statementsOf(work);
    for (const expected of EVERY_WRITE) {
      const at = statements.findIndex((sql) => expected.test(sql));
      expect([String(expected), at >= 0]).toEqual([String(expected), true]);
      statements.splice(at, 1);
    }
    return statements.map(shape);
  };

  it('are within the budget', async () => {
    const id = await client.create();
    for (let n = 1; n < 12; n++) await client.create(client.nth(n));
    expect((await statementsOf(() => client.get())).map(shape)).toEqual(['SELECT']);
    expect((await statementsOf(() => client.get('?page=2&page_size=5'))).map(shape)).toEqual(['SELECT']);
    expect((await statementsOf(() => client.get('?page=1&page_size=10000'))).map(shape)).toEqual(['SELECT']);
    expect((await statementsOf(() => client.get(`?search=${table.search}&page=1`))).map(shape)).toEqual([
      'SELECT',
    ]);
    expect((await statementsOf(() => client.get(id))).map(shape)).toEqual(['SELECT']);
    expect(await statementsOf(() => client.get('abc/'))).toEqual([]);
    // Rates and indices are corrected: the standing correction is looked up, another inserted.
    const corrected = ['FxRate', 'Cpi'].includes(table.name);
    const correction = corrected ? ['SELECT', 'INSERT'] : [];
    // A correction of a correction ends the former one; without the point, nothing is left of it.
    const another = corrected ? ['SELECT', 'UPDATE', 'INSERT'] : [];
    // Markets whose country has another name are looked for.
    const others = table.name === 'Market' ? ['SELECT'] : [];
    // MySQL has no RETURNING, so a new record is read back, and one that goes is read first.
    const mysql = service.database.writer.options.type === 'mysql';
    const posted = ['INSERT', ...(mysql ? ['SELECT'] : []), ...others, ...correction];
    expect(await writesOf(() => client.post(client.nth(12)))).toEqual(posted);
    // The last statement keeps the values from before.
    expect(await writesOf(() => client.put(id, { ...table.whole, ...table.change }))).toEqual([
      'SELECT',
      'UPDATE',
      'SELECT',
      ...others,
      'INSERT',
      ...another,
    ]);
    expect(await writesOf(() => client.patch(id, table.whole))).toEqual([
      'SELECT',
      'UPDATE',
      'SELECT',
      ...others,
      'INSERT',
      ...another,
    ]);
    // Records with a name may have aliases, which are read.
    expect(await writesOf(() => client.delete(id, { 'If-Match': '"3"' }))).toEqual([
      ...(mysql ? ['SELECT'] : []),
      'DELETE',
      ...(corrected ? [] : ['SELECT']),
      'INSERT',
      ...(corrected ? ['SELECT', 'UPDATE'] : []),
    ]);
  });

  it('are none for a cached list', async () => {
    await client.create();
    await client.get();
    expect(await statementsOf(() => client.get())).toEqual([]);
  });
});

onServer.describe('packets of a create', () => {
  it('are five, from the lock to COMMIT, with findings', async () => {
    const ready = await startTestApp();
    try {
      const bearer = await ready.authHeader();
      const create = (name: string) =>
        ready.http().post('/api/v1/Commodity/').set(bearer).send({ commodity_name: name }).expect(201);
      await create('Maize');
      const packets = await driverPackets(ready.database, () => create('Rice'));
      const first = packets.findIndex((packet) => packet.startsWith('START TRANSACTION'));
      const last = packets.findIndex((packet) => packet.endsWith('COMMIT'));
      expect(
        packets
          .slice(first, last + 1)
          .map((packet) =>
            packet.split(';\n').map((sql) => sql.replace(/[`"]/g, '').split(' ').slice(0, 3).join(' ')),
          ),
      ).toEqual([
        ['START TRANSACTION', 'SELECT d.*, r.mark'],
        ['INSERT INTO commodity'],
        ['INSERT INTO change_set'],
        ['INSERT INTO audit_log', 'SELECT id, name'],
        ['INSERT INTO record_change', 'INSERT INTO revision', 'UPDATE data_revision SET', 'COMMIT'],
      ]);
    } finally {
      await ready.close();
    }
  });
});
