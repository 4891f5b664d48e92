/** What may stand between the cells of a text; a line `sep=` before the header may name any. */
export const DELIMITERS: readonly string[] = [',', ';', '\t', '|'];

const SEP = /^"?sep=(.)"?[,;\t|]*$/i;

/** The delimiter that a line `sep=;` names; null for other lines. */
export const delimiterSaidIn = (line: string): string | null => SEP.exec(line)?.[1] ?? null;
