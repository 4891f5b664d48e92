import { batchesOf } from '../../lib/collections/batches.js';
import { isoFromDay } from '../../lib/dates/calendar-date.js';
import type { CellValue, Listing, Table } from '../../platform/formats/listing.js';
import { entryJson } from '../../price-series/price-serie.view.js';
import type { PriceTable } from './price-table.service.js';

/** Values that are written at once. */
const VALUES_PER_CHUNK = 5000;
/** Entries that are written at once. */
const ENTRIES_PER_CHUNK = 50;

/** The values of one date, in the order of the series; NaN where there is none. */
interface TableRow {
  readonly date: string;
  readonly values: Float64Array;
}

/**
 * A table as a reply: dates, series and values apart in JSON; a line for each date in CSV and
 * NDJSON, with the series under their labels.
 */
export class PriceTableListing implements Listing {
  readonly page = 'single';
  readonly size: number;
  readonly revision: number;

  constructor(private readonly content: PriceTable) {
    this.size = content.numbers.length;
    this.revision = content.revision;
  }

  /** Chunks that come in the course of time: the body is streamed. */
  async *items(layout: 'array' | 'lines'): AsyncGenerator<string> {
    if (layout === 'lines') yield* this.lines();
    else yield* this.object();
  }

  table(): Table {
    const columns = this.content.labels.map((name) => ({ name, type: 'number' as const }));
    return {
      columns: [{ name: 'date', type: 'date' }, ...columns],
      batches: () => this.cells(),
    };
  }

  private *object(): Generator<string> {
    const { axis, bases, catalogue, labels, numbers, rows } = this.content;
    yield `{"dates":${JSON.stringify(numbers.map((number) => isoFromDay(axis.dayOf(number))))},"columns":[`;
    for (let from = 0; from < rows.length; from += ENTRIES_PER_CHUNK) {
      const entries = Array.from(rows.subarray(from, from + ENTRIES_PER_CHUNK), (row, index) => {
        const uuid = `{"uuid":"${catalogue.uuidAt(row)}",`;
        const label = JSON.stringify(labels[from + index]);
        const base = bases[from + index]!;
        const indexBase = base === null ? '' : `"index_base":${JSON.stringify(base)},`;
        return `${uuid}"label":${label},${indexBase}${entryJson(catalogue, row).slice(uuid.length)}`;
      });
      yield (from === 0 ? '' : ',') + entries.join(',');
    }
    yield '],"values":[';
    let separator = '';
    for (const batch of this.batches()) {
      yield separator + batch.map(({ values }) => `[${jsonNumbers(values)}]`).join(',');
      separator = ',';
    }
    yield ']}';
  }

  private *lines(): Generator<string> {
    const names = this.content.labels.map((label) => `,${JSON.stringify(label)}:`);
    for (const batch of this.batches()) {
      let text = '';
      for (const { date, values } of batch) {
        text += `{"date":"${date}"`;
        for (const [index, name] of names.entries()) text += name + jsonNumber(values[index]!);
        text += '}\n';
      }
      yield text;
    }
  }

  private *cells(): Generator<CellValue[][]> {
    for (const batch of this.batches())
      yield batch.map(({ date, values }) => [
        date,
        ...Array.from(values, (value) => (Number.isNaN(value) ? null : value)),
      ]);
  }

  /** The rows of the table, some thousand values at a time. */
  private *batches(): Generator<TableRow[]> {
    const { axis, numbers, series } = this.content;
    const rowsPerChunk = Math.ceil(VALUES_PER_CHUNK / (series.length + 1));
    // The next value of each series. Dates and values are both gone through from the newest on.
    const next = series.map((one) => one.numbers.length - 1);
    for (const batch of batchesOf(numbers, rowsPerChunk))
      yield batch.map((number) => {
        const values = new Float64Array(series.length).fill(NaN);
        for (const [index, one] of series.entries()) {
          let at = next[index]!;
          while (at >= 0 && one.numbers[at]! > number) at--;
          if (one.numbers[at] === number) values[index] = one.values[at]!;
          next[index] = at;
        }
        return { date: isoFromDay(axis.dayOf(number)), values };
      });
  }
}

const jsonNumber = (value: number) => (Number.isNaN(value) ? 'null' : String(value));

function jsonNumbers(values: Float64Array): string {
  let text = '';
  for (let index = 0; index < values.length; index++)
    text += (index === 0 ? '' : ',') + jsonNumber(values[index]!);
  return text;
}
