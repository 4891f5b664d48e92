import type { WarningList, WarningRow } from '../../analysis/warnings/warnings.service.js';

/** All rows of a list of warnings. */
export async function rowsOf({ batches }: WarningList): Promise<WarningRow[]> {
  const rows: WarningRow[] = [];
  for await (const batch of batches) rows.push(...batch);
  return rows;
}

/** The larger of the two shares; 0 where neither is known. */
export const largerShare = ({
  share_high,
  share_alert_or_worse,
}: Pick<WarningRow, 'share_high' | 'share_alert_or_worse'>): number =>
  Math.max(share_high ?? 0, share_alert_or_worse ?? 0);
