/** Provider token of the `NoticeSource`. */
export const NOTICE_SOURCE = Symbol('NoticeSource');

/**
 * What people have to know of the data wherever they look at them: on pages, in pictures, in the
 * notes of a workbook. Replies for programs do not have it.
 */
export interface NoticeSource {
  /** A sentence about the data as they are; null where there is nothing to say. */
  current(): Promise<string | null>;
}
