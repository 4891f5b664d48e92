/** The database cannot be used as it is, and waiting will not help. The message is one line for whoever starts the service. */
export class UnusableDatabaseError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'DatabaseRefused';
  }
}
