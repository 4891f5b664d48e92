import { isMissingValue } from '../../lib/text/missing-values.js';
import { normalizeText } from '../../lib/text/normalize-text.js';
import { oneLine } from '../../lib/text/one-line.js';
import type { Batch, RowViolation } from './batch.js';
import { MAX_LENGTHS, copyString } from './series.js';
import { textViolation } from './values.js';

/** Distinct comments that are cached. A file mostly has few, but may have one per row. */
const MAX_CACHED_COMMENTS = 10_000;

/** Reads and validates the comments of a file. They repeat, so results are cached. */
export class CommentReader {
  private readonly cache = new Map<string, string | RowViolation>();

  /** @param column name of the comment column in the file */
  constructor(private readonly column: string) {}

  /**
   * @param written as in the file
   * @param batch counts marks for missing values, which are blank
   * @param text without the apostrophe that guards it
   */
  read(written: string, batch: Batch<unknown>, text = written): string | RowViolation {
    if (written === '') return '';
    const mark = written.trim();
    if (isMissingValue(mark)) {
      batch.replaced.add({ column: this.column, value: mark, read_as: '' });
      return '';
    }
    let comment = this.cache.get(text);
    if (comment === undefined) {
      const clean = copyString(normalizeText(oneLine(text), MAX_LENGTHS.comment));
      comment = textViolation(this.column, clean, MAX_LENGTHS.comment) ?? clean;
      if (this.cache.size >= MAX_CACHED_COMMENTS) this.cache.clear();
      this.cache.set(copyString(text), comment);
    }
    return comment;
  }
}
