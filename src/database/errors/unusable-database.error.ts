/**
 * The database cannot be used and retrying will not help. The message is one line for the operator.
 */
export class UnusableDatabaseError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'UnusableDatabaseError';
  }
}
