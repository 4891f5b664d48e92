/** A whole number as programs write it that take codes for numbers. */
const WHOLE_WITH_DECIMALS = /^(\d+)\.0+$/;

/** A code without the decimals that a spreadsheet or a data frame has added: `7001.0` is 7001. */
export const wholeCode = (text: string): string => WHOLE_WITH_DECIMALS.exec(text)?.[1] ?? text;
