import { jest } from '@jest/globals';
import { AuditTrail } from '../../src/audit/audit-trail.js';
import type { ImportReport } from '../../src/import/import-report.js';
import { makeInput } from '../../src/import/input.js';
import { ObservationStore } from '../../src/prices/observation-store.js';
import { chunksOf } from '../support/import-input.js';
import { openImports } from '../support/imports.js';

const TEXT = [
  'iso3_country_code,commodity,price_type,market,source,currency,measure_unit,date,periodicity,price_value',
  'KEN,Maize,RETAIL,Kitui,Ministry,KES,90 kg,2026-01-01,monthly,50',
  'KEN,Maize,RETAIL,Kitui,Ministry,KES,90 kg,2026-02-01,monthly,51',
  '',
].join('\n');

describe('an import that breaks off', () => {
  let imports: Awaited<ReturnType<typeof openImports>>;
  beforeAll(async () => (imports = await openImports()));
  afterEach(async () => {
    jest.restoreAllMocks();
    await imports.empty();
    await imports.unitOfWork.run((tx) => tx.execute('UPDATE import_lock SET holder = NULL'));
  });
  afterAll(() => imports.close());

  const request = { format: 'prices', options: {}, dryRun: false, caller: null, requestId: null };
  const input = () => makeInput(chunksOf(TEXT), '', null);
  const trail = async () =>
    (await imports.rows<{ after: string }>('SELECT `after` FROM audit_log ORDER BY id')).map(
      ({ after }) => JSON.parse(after) as Partial<ImportReport>,
    );
  const holders = () => imports.rows('SELECT holder FROM import_lock');
  const points = () => imports.rows('SELECT day FROM observation');
  const free = [{ holder: null }];

  describe('by a defect', () => {
    const defect = new TypeError("Cannot read properties of undefined (reading 'secret')");
    beforeEach(() => jest.spyOn(ObservationStore.prototype, 'write').mockRejectedValueOnce(defect));
    const error = 'The service has a defect that ended the import; its log says more.';

    it('W9: leaves its audit row and the lock, and throws the defect for the log', async () => {
      let told: ImportReport | null = null;
      const ended = (report: ImportReport) => (told = report);
      await expect(imports.service.import(request, input(), undefined, ended)).rejects.toBe(defect);
      expect(told).toMatchObject({ error, read: 2, new: 0 });
      expect(await trail()).toEqual([expect.objectContaining({ error, read: 2, new: 0 })]);
      expect(await holders()).toEqual(free);
    });

    it('W9: does so for a request, too', async () => {
      await expect(imports.service.importWhole(request, input())).rejects.toBe(defect);
      expect(await trail()).toEqual([expect.objectContaining({ error, read: 2, new: 0 })]);
      expect(await holders()).toEqual(free);
      expect((await imports.importWhole('prices', TEXT)).new).toBe(2);
    });

    it.each(['import', 'importWhole'] as const)(
      'is not hidden by a failure to leave the audit row: %s',
      async (kind) => {
        jest.spyOn(AuditTrail.prototype, 'record').mockRejectedValueOnce(new Error('The table is gone.'));
        await expect(imports.service[kind](request, input())).rejects.toBe(defect);
      },
    );
  });

  it('W1: stores nothing of a request whose audit row cannot be stored', async () => {
    const failure = new Error('The table is gone.');
    jest.spyOn(AuditTrail.prototype, 'record').mockRejectedValueOnce(failure);
    await expect(imports.service.importWhole(request, input())).rejects.toBe(failure);
    expect(await points()).toEqual([]);
    expect(await holders()).toEqual(free);
  });

  it('counts once what a redone transaction stores', async () => {
    const taken = Object.assign(new Error('taken'), { code: 'SQLITE_CONSTRAINT_UNIQUE' });
    jest.spyOn(AuditTrail.prototype, 'record').mockRejectedValueOnce(taken);
    const report = await imports.service.importWhole(request, input());
    expect(report).toMatchObject({ error: null, read: 2, new: 2, unchanged: 0, series: 1 });
    const { dry_run, rejects, rows_per_second, ...audited } = report;
    expect([dry_run, rejects, rows_per_second]).toEqual([false, [], expect.any(Number)]);
    expect(await trail()).toEqual([audited]);
    expect(await points()).toHaveLength(2);
  });

  it('lets go of an input whose import is refused', async () => {
    const held = await imports.lock.take();
    const letGo = jest.fn();
    const refused = imports.service.import(request, makeInput(chunksOf(TEXT), '', null, Infinity, letGo));
    await expect(refused).rejects.toMatchObject({ code: 'import_running' });
    expect(letGo).toHaveBeenCalled();
    held.stop();
  });
});
