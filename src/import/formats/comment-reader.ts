import { normalizeText } from '../../lib/text/normalize-text.js';
import type { RowViolation } from './batch.js';
import { MAX_LENGTHS, copyString } from './series.js';
import { textViolation } from './values.js';

/** Distinct comments that are cached. A file mostly has few, but may have one per row. */
const MAX_CACHED_COMMENTS = 10_000;

/** Reads and validates the comments of a file. They repeat, so results are cached. */
export class CommentReader {
  private readonly cache = new Map<string, string | RowViolation>();

  /** @param column name of the comment column in the file */
  constructor(private readonly column: string) {}

  read(text: string): string | RowViolation {
    let comment = this.cache.get(text);
    if (comment === undefined) {
      const clean = copyString(normalizeText(text, MAX_LENGTHS.comment));
      comment = textViolation(this.column, clean, MAX_LENGTHS.comment) ?? clean;
      if (this.cache.size >= MAX_CACHED_COMMENTS) this.cache.clear();
      this.cache.set(copyString(text), comment);
    }
    return comment;
  }
}
