import type { FoundConvention } from './convention/convention.js';
import { ReplacedValues } from './replaced-values.js';
import { Text, WideCount } from '../../platform/validation/fields.js';

/** Why a value is rejected: the input's column, a stable reason code, and a sentence for people. */
export interface RowViolation {
  readonly field: string;
  readonly reason: string;
  readonly detail: string;
}

/** A rejected row. `line` counts from 1, including the header. */
export class RejectedRow implements RowViolation {
  @WideCount() readonly line!: number;
  @Text() readonly field!: string;
  @Text() readonly reason!: string;
  @Text() readonly detail!: string;
}

/** What a reader found in one chunk of its input. */
export class Batch<Row> {
  readonly rows: Row[] = [];
  readonly rejects: RejectedRow[] = [];
  readonly skipped = new Map<string, number>();
  /** Rows read: accepted, rejected and skipped. */
  read = 0;
  /** Numbers with more than 15 significant digits, which were rounded. */
  rounded = 0;
  /** Rates of which the reciprocals are stored. */
  inverted = 0;
  /** How the file writes numbers and dates, as found so far; null for JSON. */
  convention: FoundConvention | null = null;
  /** What is to be said of the file as a whole, in sentences. */
  notes: readonly string[] = [];
  /** Values that were read as others. */
  readonly replaced = new ReplacedValues();

  skip(reason: string, count = 1): void {
    this.skipped.set(reason, (this.skipped.get(reason) ?? 0) + count);
  }

  reject(line: number, { field, reason, detail }: RowViolation): void {
    this.rejects.push({ line, field, reason, detail });
  }
}

/** The whole input is rejected. The message is one line for whoever started the import. */
export class ImportRejected extends Error {
  /** @param choices the names among which the option that the message asks for chooses */
  constructor(
    message: string,
    readonly choices: readonly string[] = [],
  ) {
    super(message);
    this.name = 'ImportRejected';
  }
}

/** The input is not in the format that it is read as. */
export class WrongFormat extends ImportRejected {
  /** @param nearness the share of the columns of a layout that the input has, from 0 to 1 */
  constructor(
    message: string,
    readonly nearness = 0,
  ) {
    super(message);
  }
}
