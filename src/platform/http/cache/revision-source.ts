/** Provider token of the `RevisionSource`. */
export const REVISION_SOURCE = Symbol('RevisionSource');

/** The state the data are in. Provided by the database layer. */
export interface RevisionSource {
  /** Names of the areas of the data that change independently of each other. */
  readonly areas: readonly string[];

  /**
   * The present revision of some areas, joined by `+`, which changes with every committed write to
   * one of them; null while it is not known for sure: then nothing is cached.
   */
  current(areas: string): string | null;

  /** The number of the newest revision of all data; null while it is not known for sure. */
  newest(): string | null;
}
