/** Provider token of the `RevisionSource`. */
export const REVISION_SOURCE = Symbol('RevisionSource');

/** Tells which state the data are in. Provided by the database layer. */
export interface RevisionSource {
  /**
   * The present revision of a part of the data (`all`, `references`, `series`, `rates`), which changes with every
   * committed write to it; null while it is not known for sure, and then nothing is cached.
   */
  current(part: string): string | null;
}
