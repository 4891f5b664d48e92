import type { Chunks } from '../../platform/formats/chunks.js';
import type { Column, Listing, Table } from '../../platform/formats/listing.js';
import { isReal } from '../price-columns.js';
import { COMPARED_FIELDS, type Comparison } from './comparison.service.js';

const COLUMNS: readonly Column[] = [
  { name: 'date', type: 'date' },
  ...COMPARED_FIELDS.map((name): Column => ({ name, type: 'number' })),
  ...COMPARED_FIELDS.map((name): Column => ({ name: `${name}_reason`, type: 'string' })),
];

/** A comparison as a reply: one object in JSON, a line for each month in CSV and NDJSON. */
export class ComparisonListing implements Listing {
  readonly page = 'single';
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
    const rows = this.comparison.observations.map(({ date, reasons, ...values }) => [
      date,
      ...COMPARED_FIELDS.map((name) => values[name]),
      ...COMPARED_FIELDS.map((name) => reasons[name] ?? null),
    ]);
    return { columns: COLUMNS, batches: () => [rows] };
  }
}
