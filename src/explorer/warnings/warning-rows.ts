import type { WarningList, WarningRow } from '../../analysis/warnings/warnings.service.js';

/** All rows of a list of warnings. */
export async function rowsOf({ batches }: WarningList): Promise<WarningRow[]> {
  const rows: WarningRow[] = [];
  for await (const batch of batches) rows.push(...batch);
  return rows;
}
