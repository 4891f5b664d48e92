/** `?, ?, ?`: the placeholders of a list of values, of which there is one at least. */
export const placeholders = (values: number): string => Array(values).fill('?').join(', ');

/** `(?, ?), (?, ?)`: the placeholders of rows. */
export const rowPlaceholders = (rows: number, columns: number): string =>
  Array(rows)
    .fill(`(${placeholders(columns)})`)
    .join(', ');
