import type { CatalogueSnapshot } from '../price-series/catalogue/catalogue-snapshot.js';
import { currencyOf, unitOf } from './aggregates/dimensions.js';
import type { Measure, Per } from './price-columns.js';

/** What a price is per. A unit without a base unit stays as published. */
export const quantityOf = (catalogue: CatalogueSnapshot, row: number, per: Per): string =>
  unitOf(catalogue, row, per) ?? catalogue.referenceAt('measure_unit', row).name;

/**
 * The labels of the series of a table, such as `Kenya · Nairobi · Maize (white) · RETAIL · KES/kg`.
 * Labels that are alike have the first 8 digits of the uuid after them or, where these are alike
 * too, all of it.
 */
export function seriesLabels(
  catalogue: CatalogueSnapshot,
  rows: Iterable<number>,
  measure: Measure,
  per: Per,
): string[] {
  const labels = Array.from(rows, (row) => {
    const { market, commodity, price_type } = catalogue.seriesAt(row);
    const price = `${currencyOf(catalogue, row, measure)}/${quantityOf(catalogue, row, per)}`;
    const names = [market.country_name, market.name, commodity.name, price_type.name, price];
    return { label: names.join(' · '), uuid: catalogue.uuidAt(row) };
  });
  const counts = countOf(labels.map(({ label }) => label));
  const short = labels.map(({ label, uuid }) =>
    counts.get(label)! > 1 ? `${label} [${uuid.slice(0, 8)}]` : label,
  );
  const shortCounts = countOf(short);
  return short.map((text, index) => {
    const { label, uuid } = labels[index]!;
    return shortCounts.get(text)! > 1 ? `${label} [${uuid}]` : text;
  });
}

function countOf(texts: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return counts;
}
