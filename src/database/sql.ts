/** `?, ?, ?`: the placeholders of a list of values, of which there is one at least. */
export const placeholders = (values: number): string => Array(values).fill('?').join(', ');

/** `(?, ?), (?, ?)`: the placeholders of rows. */
export const rowPlaceholders = (rows: number, columns: number): string =>
  Array(rows)
    .fill(`(${placeholders(columns)})`)
    .join(', ');

/** Quotes an identifier in MySQL's way, which SQLite accepts too. */
export const quoteIdentifier = (name: string): string => `\`${name}\``;

/** `a, b`, quoted: the columns of a SELECT or INSERT. */
export const quoteIdentifiers = (names: readonly string[]): string => names.map(quoteIdentifier).join(', ');

const toParameter = (column: string) => `${quoteIdentifier(column)} = ?`;

/** `a = ?, b = ?`: what follows SET. */
export const assignments = (columns: readonly string[]): string => columns.map(toParameter).join(', ');

/** `a = ? AND b = ?`: the condition that these columns, one at least, have given values. */
export const equalities = (columns: readonly string[]): string => columns.map(toParameter).join(' AND ');
