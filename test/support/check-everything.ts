import { batchesOf } from '../../src/lib/collections/batches.js';
import type { Transaction } from '../../src/ledger/unit-of-work.js';
import { CheckedSeriesReader } from '../../src/quality/checks/checked-series-reader.js';
import { everySubject } from '../../src/quality/checks/check.js';
import { checks } from '../../src/quality/checks/index.js';
import { checkSubjects } from '../../src/quality/findings-follower.js';

/** Computes all findings anew in one transaction, in the batches of `npm run findings`. */
export async function checkEverything(transaction: Transaction): Promise<void> {
  const reader = new CheckedSeriesReader(transaction);
  for (const check of checks)
    for (const names of batchesOf([...(await everySubject(transaction, check))], check.batch))
      await checkSubjects(transaction, check, names, reader);
}
