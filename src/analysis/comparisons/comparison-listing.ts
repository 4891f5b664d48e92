import type { Chunks } from '../../platform/formats/chunks.js';
import type { Column, Listing, Table } from '../../platform/formats/listing.js';
import { isReal } from '../price-columns.js';
import { type Sort, sortItems } from '../../platform/listing/sort.js';
import { COMPARED_FIELDS, ComparedMonth, type Comparison } from './comparison.service.js';
import { columnsOf, omitColumns } from '../../platform/formats/columns.js';

/** The columns of a comparison. */
export const comparisonColumns: readonly Column[] = [
  ...omitColumns(columnsOf(ComparedMonth), ['reasons']),
  ...COMPARED_FIELDS.map((name): Column => ({ name: `${name}_reason`, type: 'string', member: 'reasons' })),
];

const comparisonCells = ({ date, reasons, ...values }: ComparedMonth) => [
  date,
  ...COMPARED_FIELDS.map((name) => values[name]),
  ...COMPARED_FIELDS.map((name) => reasons[name] ?? null),
];

/** Months of a comparison in the order of a sort. */
export async function sortedMonths(months: readonly ComparedMonth[], sort: Sort): Promise<ComparedMonth[]> {
  const names = comparisonColumns.map(({ name }) => name);
  const valueOf = (month: ComparedMonth, column: string) => comparisonCells(month)[names.indexOf(column)];
  return (await sortItems([months], sort, valueOf, (month) => month)).items;
}

/** A comparison as a reply: one object in JSON, a line for each month in CSV and NDJSON. */
export class ComparisonListing implements Listing {
  readonly page = 'single';
  readonly rowsMember = 'observations';
  readonly size: number;
  readonly revision: number;

  constructor(private readonly comparison: Comparison) {
    this.size = comparison.observations.length;
    this.revision = comparison.revision;
  }

  items(layout: 'array' | 'lines'): Chunks {
    const { a, b, terms, base, observations, explained } = this.comparison;
    if (layout === 'lines') return [observations.map((each) => `${JSON.stringify(each)}\n`).join('')];
    const { formula, measure, per, currency, unit } = terms;
    const index_base = isReal(measure) ? { index_base: base } : {};
    const shown = JSON.stringify({ formula, measure, per, currency, unit, ...index_base }).slice(0, -1);
    const explain = explained === null ? '' : `,"explain":${explained}`;
    return [`${shown},"a":${a},"b":${b},"observations":${JSON.stringify(observations)}${explain}}`];
  }

  table(): Table {
    const rows = this.comparison.observations.map(comparisonCells);
    return { columns: comparisonColumns, batches: () => [rows] };
  }
}
