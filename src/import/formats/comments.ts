import { cleanText } from '../../common/text/clean-text.js';
import type { RowFault } from './batch.js';
import { LENGTHS, ownCopy } from './series.js';
import { textFault } from './values.js';

/** Comments that are remembered: those of a file are mostly few, but may be as many as its rows. */
const REMEMBERED = 10_000;

/** Reads the comments of a file. They repeat, so each is checked once. */
export class Comments {
  private readonly known = new Map<string, string | RowFault>();

  /** @param column what the file calls them */
  constructor(private readonly column: string) {}

  read(text: string): string | RowFault {
    let comment = this.known.get(text);
    if (comment === undefined) {
      const clean = ownCopy(cleanText(text, LENGTHS.comment));
      comment = textFault(this.column, clean, LENGTHS.comment) ?? clean;
      if (this.known.size >= REMEMBERED) this.known.clear();
      this.known.set(ownCopy(text), comment);
    }
    return comment;
  }
}
