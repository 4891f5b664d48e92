import { jest } from '@jest/globals';
import { AuditTrail } from '../../src/ledger/audit/audit-trail.js';
import { ChangeSets } from '../../src/history/change-sets.js';
import { someImport } from '../support/change-set.js';
import { openImports } from '../support/imports.js';

describe('H1: a change set of a killed import', () => {
  let imports: Awaited<ReturnType<typeof openImports>>;
  let changeSets: ChangeSets;
  beforeEach(async () => {
    imports = await openImports();
    changeSets = new ChangeSets(imports.database);
  });
  afterEach(() => imports.close());

  const setHeartbeat = (at: number) =>
    imports.unitOfWork.run((transaction) => transaction.execute('UPDATE import_lock SET seen_at = ?', [at]));

  it('is running while its lock has heartbeats, and interrupted once the lock is silent', async () => {
    const held = await imports.lock.acquire(someImport);
    held.stopHeartbeat();
    expect(await changeSets.read(held.changeSetId)).toMatchObject({
      kind: 'import',
      state: 'running',
      ended_at: null,
    });
    const lastSeen = '2026-01-01T12:00:00.000Z';
    await setHeartbeat(Date.parse(lastSeen));
    const interrupted = { id: held.changeSetId, state: 'interrupted', ended_at: lastSeen };
    expect(await changeSets.read(held.changeSetId)).toMatchObject(interrupted);

    const next = await imports.lock.acquire(someImport);
    expect(await changeSets.read(held.changeSetId)).toMatchObject(interrupted);
    expect(await changeSets.read(next.changeSetId)).toMatchObject({ state: 'running' });
    await imports.unitOfWork.run((transaction) => next.release(transaction));
    next.stopHeartbeat();
  });

  it('has the counts of the batches that were stored', async () => {
    // As if the process was killed before its last transaction.
    jest.spyOn(AuditTrail.prototype, 'record').mockRejectedValueOnce(new Error('killed'));
    await expect(imports.importFile('wfp', 'ok/wfp_food_prices_ken.csv')).rejects.toThrow('killed');
    await setHeartbeat(0);
    expect(await imports.rows('SELECT COUNT(*) AS points FROM observation')).toEqual([{ points: 3 }]);
    expect(await changeSets.read(2)).toMatchObject({
      state: 'interrupted',
      first_revision: 2,
      counts: { new: 3, changed: 0 },
    });
  });
});
