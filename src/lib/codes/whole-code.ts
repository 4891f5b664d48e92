/** A whole number as programs write it that take codes for numbers. */
const WHOLE_WITH_DECIMALS = /^(\d+)\.0+$/;

/** The base period of an index with its value there, as its name is often written. */
const BASE_OF_INDEX = /^(\d{4}\S*?)\s*=\s*100(?:\.0+)?$/;

/**
 * A code without what is no part of it: the decimals that a spreadsheet or a data frame has added
 * (`7001.0` is 7001), and the value of an index in its base period (`2015=100` is 2015).
 */
export const wholeCode = (text: string): string =>
  (WHOLE_WITH_DECIMALS.exec(text) ?? BASE_OF_INDEX.exec(text))?.[1] ?? text;
