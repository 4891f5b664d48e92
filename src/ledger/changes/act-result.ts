/** What an act has changed, or would change. */
export interface ActResult {
  /** The id of its change set; null where it was only tried out. */
  change_set: number | null;
  counts: Readonly<Record<string, number>>;
}
