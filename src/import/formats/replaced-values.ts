import { Text, WideCount } from '../../platform/validation/fields.js';

/** A value of an input that was read as another one. */
export class ReplacedValue {
  /** As the input names it. */
  @Text() readonly column!: string;
  @Text({ description: 'As in the input' }) readonly value!: string;
  @Text({ description: 'Empty for a missing value' }) readonly read_as!: string;
}

/** With the number of cells. */
export class ReplacedCells extends ReplacedValue {
  @WideCount() readonly cells!: number;
}

/** Distinct values that are remembered; all cells are counted. */
const MAX_VALUES = 1000;

/** Cells that were read as something else, also between threads. */
export interface CountedReplacements {
  /** All of them. */
  readonly cells: number;
  /** Those that occur most first. */
  readonly list: readonly ReplacedCells[];
}

/** Counts the cells of an input that were read as something else. */
export class ReplacedValues implements CountedReplacements {
  cells = 0;
  private readonly counts = new Map<string, ReplacedCells>();

  add({ column, value, read_as }: ReplacedValue, cells = 1): void {
    this.cells += cells;
    const key = `${column}\n${value}\n${read_as}`;
    const before = this.counts.get(key);
    if (before === undefined && this.counts.size >= MAX_VALUES) return;
    this.counts.set(key, { column, value, read_as, cells: (before?.cells ?? 0) + cells });
  }

  addAll(values: readonly ReplacedValue[]): void {
    for (const value of values) this.add(value);
  }

  addCounted({ cells, list }: CountedReplacements): void {
    this.cells += cells - list.reduce((sum, one) => sum + one.cells, 0);
    for (const one of list) this.add(one, one.cells);
  }

  get list(): ReplacedCells[] {
    return [...this.counts.values()].sort((a, b) => b.cells - a.cells);
  }
}
