import type { RowViolation } from '../formats/batch.js';
import { quoteValue } from '../formats/values.js';
import { comparableText } from './mapped-fields.js';
import type { MappingList } from './mapping.js';
import { type Pattern, patternOf } from './pattern.js';

/** A field that one cell lists for all unpivoted columns, such as their units. */
export class ListedField {
  private readonly pattern: Pattern;
  /** The field of an item that the names of the columns have as well: it says whose the item is. */
  private readonly key: string;
  /** The last cell, and what it says: cells repeat. */
  private lastCell: string | null = null;
  private lastItems: ReadonlyMap<string, string> = new Map();

  constructor(
    private readonly name: string,
    private readonly list: MappingList,
  ) {
    this.pattern = patternOf(list.item);
    this.key = this.pattern.fields.find((field) => field !== name)!;
  }

  /** What a cell says for a column, whose name says `texts`; '' for nothing. */
  textFor(cell: string, texts: Readonly<Record<string, string>>): string {
    if (cell !== this.lastCell) {
      this.lastItems = this.itemsOf(cell);
      this.lastCell = cell;
    }
    return this.lastItems.get(texts[this.key]!) ?? '';
  }

  /** The violation of a row whose column has no item in the cell. @param label of the cell */
  missingItem({ label }: { readonly label: string }, header: string): RowViolation {
    const detail = `${label} has no ${this.name} for the column ${quoteValue(header)}.`;
    return { field: label, reason: 'invalid_choice', detail };
  }

  private itemsOf(cell: string): Map<string, string> {
    const items = new Map<string, string>();
    for (const part of cell.split(this.list.by)) {
      const texts = this.pattern.match(comparableText(part.trim()));
      // Of two that say it, the first one counts.
      if (texts !== null && !items.has(texts[this.key]!)) items.set(texts[this.key]!, texts[this.name]!);
    }
    return items;
  }
}
