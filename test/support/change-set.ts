import type { NewChangeSet } from '../../src/ledger/changes/change-set.js';
import type { ImportChangeSet } from '../../src/ledger/import-lock/import-lock.js';

/** The change set of data that tests write themselves. */
export const testChange: NewChangeSet = { kind: 'record', reason: 'Test' };

/** The change set of an import that a test begins itself. */
export const someImport: ImportChangeSet = { kind: 'import', format: 'wfp', reason: '' };
