/** What is wrong with a value: the column as the file names it, a stable reason, and a sentence for whoever mends the file. */
export interface RowFault {
  readonly field: string;
  readonly reason: string;
  readonly detail: string;
}

/** A row that is not taken. `line` counts from 1, the header included. */
export interface Reject extends RowFault {
  readonly line: number;
}

/** What a reader found in a stretch of its file. */
export class Batch<Row> {
  readonly rows: Row[] = [];
  readonly rejects: Reject[] = [];
  readonly skipped = new Map<string, number>();
  /** Prices or records found: rows, rejects and skipped ones together. */
  read = 0;
  /** Numbers of more than 15 significant digits, which were rounded. */
  rounded = 0;

  skip(reason: string, count = 1): void {
    this.skipped.set(reason, (this.skipped.get(reason) ?? 0) + count);
  }

  reject(line: number, { field, reason, detail }: RowFault): void {
    this.rejects.push({ line, field, reason, detail });
  }
}

/** The whole input cannot be taken. The message is one line for whoever started the import. */
export class ImportRejected extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ImportRefused';
  }
}
