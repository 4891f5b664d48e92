/**
 * Compares texts by their UTF-16 code units, whatever the locale of the process and the collation
 * of the database: the files must have one order.
 */
export const compareText = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);
