import { jest } from '@jest/globals';
import { AuditTrail } from '../../src/ledger/audit/audit-trail.js';
import type { ImportReport } from '../../src/import/pipeline/import-report.dto.js';
import { createInput } from '../../src/import/pipeline/input.js';
import { ObservationStore } from '../../src/prices/store/observation-store.js';
import { chunksOf } from '../support/import-input.js';
import { openImports } from '../support/imports.js';
import { someImport } from '../support/change-set.js';

const TEXT = [
  'iso3_country_code,commodity,price_type,market,source,currency,measure_unit,date,periodicity,price_value',
  'KEN,Maize,RETAIL,Kitui,Ministry,KES,90 kg,2026-01-01,monthly,50',
  'KEN,Maize,RETAIL,Kitui,Ministry,KES,90 kg,2026-02-01,monthly,51',
  '',
].join('\n');

describe('an import that fails', () => {
  let imports: Awaited<ReturnType<typeof openImports>>;
  beforeAll(async () => (imports = await openImports()));
  afterEach(async () => {
    jest.restoreAllMocks();
    await imports.empty();
    await imports.unitOfWork.run((transaction) =>
      transaction.execute('UPDATE import_lock SET holder = NULL'),
    );
  });
  afterAll(() => imports.close());

  const request = { format: 'prices', options: {}, dryRun: false, caller: null, requestId: null };
  const input = () => createInput(chunksOf(TEXT), '', null);
  const trail = async () =>
    (await imports.rows<{ after: string }>('SELECT `after` FROM audit_log ORDER BY id')).map(
      ({ after }) => JSON.parse(after) as Partial<ImportReport>,
    );
  const holders = () => imports.rows('SELECT holder FROM import_lock');
  const points = () => imports.rows('SELECT day FROM observation');
  const free = [{ holder: null }];

  describe('with an internal error', () => {
    const internalError = new TypeError("Cannot read properties of undefined (reading 'secret')");
    beforeEach(() => jest.spyOn(ObservationStore.prototype, 'write').mockRejectedValueOnce(internalError));
    const error = 'The import ended with an internal error. See the log for details.';

    it('W9: writes its audit row, releases the lock and throws the error for the log', async () => {
      let reported: ImportReport | null = null;
      const onReport = (report: ImportReport) => (reported = report);
      await expect(imports.service.import(request, input(), undefined, onReport)).rejects.toBe(internalError);
      expect(reported).toMatchObject({ error, read: 2, new: 0 });
      expect(await trail()).toEqual([expect.objectContaining({ error, read: 2, new: 0 })]);
      expect(await holders()).toEqual(free);
    });

    it('W9: does the same for a request', async () => {
      await expect(imports.service.importAtomically(request, input())).rejects.toBe(internalError);
      expect(await trail()).toEqual([expect.objectContaining({ error, read: 2, new: 0 })]);
      expect(await holders()).toEqual(free);
      expect((await imports.importAtomically('prices', TEXT)).new).toBe(2);
    });

    it.each(['import', 'importAtomically'] as const)(
      'is not hidden by a failure to write the audit row: %s',
      async (kind) => {
        jest
          .spyOn(AuditTrail.prototype, 'record')
          .mockRejectedValueOnce(new Error('The table does not exist.'));
        await expect(imports.service[kind](request, input())).rejects.toBe(internalError);
      },
    );
  });

  it('W1: stores nothing of a request whose audit row cannot be stored', async () => {
    const failure = new Error('The table does not exist.');
    jest.spyOn(AuditTrail.prototype, 'record').mockRejectedValueOnce(failure);
    await expect(imports.service.importAtomically(request, input())).rejects.toBe(failure);
    expect(await points()).toEqual([]);
    expect(await holders()).toEqual(free);
  });

  it('counts the rows of a retried transaction once', async () => {
    const duplicate = Object.assign(new Error('duplicate'), { code: 'SQLITE_CONSTRAINT_UNIQUE' });
    jest.spyOn(AuditTrail.prototype, 'record').mockRejectedValueOnce(duplicate);
    const report = await imports.service.importAtomically(request, input());
    expect(report).toMatchObject({ error: null, read: 2, new: 2, unchanged: 0, series: 1 });
    const { dry_run, rows_per_second, change_set_id, ...rest } = report;
    expect([dry_run, rows_per_second, change_set_id]).toEqual([
      false,
      expect.any(Number),
      expect.any(Number),
    ]);
    const { rejects, conflicting_attributes, superseded_corrections, ...counted } = rest;
    expect([rejects, conflicting_attributes, superseded_corrections]).toEqual([[], [], []]);
    const { backdated, created_records, first_findings, first_rows, replaced_values, ...audited } = counted;
    expect([created_records.length, first_findings, first_rows.length, replaced_values, backdated]).toEqual([
      4,
      [],
      2,
      [],
      null,
    ]);
    expect(await trail()).toEqual([audited]);
    expect(await points()).toHaveLength(2);
  });

  it('closes the input of an import that is rejected', async () => {
    const held = await imports.lock.acquire(someImport);
    const destroySource = jest.fn();
    const rejected = imports.service.import(
      request,
      createInput(chunksOf(TEXT), '', null, Infinity, destroySource),
    );
    await expect(rejected).rejects.toMatchObject({ code: 'import_running' });
    expect(destroySource).toHaveBeenCalled();
    held.stopHeartbeat();
  });
});
