import { jest } from '@jest/globals';
import { runningImport } from '../../src/ledger/import-lock/import-lock.js';
import { openImports } from '../support/imports.js';
import { WFP_HEADER, wfpRow } from '../support/reverts.js';

describe('F6: an import that fills the disk', () => {
  let imports: Awaited<ReturnType<typeof openImports>>;
  beforeEach(async () => (imports = await openImports()));
  afterEach(() => imports.close());

  const text = [WFP_HEADER, wfpRow('2024-01-15', 100), wfpRow('2024-02-15', 101), ''].join('\n');

  it.each(['importText', 'importAtomically'] as const)(
    'ends its lock, unreleased as it is: %s',
    async (how) => {
      const full = Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' });
      // Once it is full, nothing can be written: neither prices, nor the end of the import.
      const change = jest.spyOn(imports.unitOfWork, 'change').mockRejectedValue(full);
      const failed = imports[how]('wfp', text, { country: 'KEN' });
      if (how === 'importText') expect((await failed).error).toMatch(/^Writes are temporarily unavailable/);
      else await expect(failed).rejects.toBe(full);
      change.mockRestore();
      expect(await imports.unitOfWork.run((transaction) => runningImport(transaction))).toBeNull();
      expect(await imports[how]('wfp', text, { country: 'KEN' })).toMatchObject({ new: 2, error: null });
      const states = await imports.rows('SELECT state FROM change_set ORDER BY id DESC LIMIT 2');
      expect(states).toEqual([{ state: 'done' }, { state: 'interrupted' }]);
    },
  );
});
