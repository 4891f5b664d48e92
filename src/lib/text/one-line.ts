const BREAKS = /[\t-\r\u0085\u2028\u2029]+/g;

/** A text with its line breaks and tabs as blanks: the remark in a cell may have several lines. */
export const oneLine = (text: string): string => text.replace(BREAKS, ' ');
