import type { Database } from '../database/database.js';
import { DataRevision } from '../ledger/revision/data-revision.js';
import { SeriesCatalogue } from '../price-series/catalogue/catalogue.js';
import { PriceDifferences } from '../prices/history/price-differences.js';
import { PointReader } from '../prices/store/point-reader.js';
import { Criteria } from '../price-series/filters/criteria.js';
import type { EditionDifference, EditionRecord } from './edition-record.js';

/**
 * Counts how an edition differs from the one before: series by their uuids, and stored points, of
 * which marked ones are not in the files.
 */
export async function differenceTo(
  database: Database,
  { number: edition, revision: from }: EditionRecord,
  revision: number,
): Promise<EditionDifference> {
  const catalogue = new SeriesCatalogue(database, new DataRevision(database));
  const uuidsAt = async (at: number) => {
    const snapshot = await catalogue.at(at);
    return new Set(Array.from({ length: snapshot.size }, (_, row) => snapshot.uuidAt(row)));
  };
  const [before, after] = [await uuidsAt(from), await uuidsAt(revision)];
  const points = { added: 0, changed: 0, removed: 0 };
  const differences = new PriceDifferences(database, catalogue, new PointReader(database));
  for await (const batch of await differences.ofSelection(Criteria.none, { from, to: revision }))
    for (const { action } of batch) points[action]++;
  return {
    edition,
    series_added: [...after].filter((uuid) => !before.has(uuid)).length,
    series_removed: [...before].filter((uuid) => !after.has(uuid)).length,
    points_added: points.added,
    points_changed: points.changed,
    points_removed: points.removed,
  };
}
