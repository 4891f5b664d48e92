/** A column of the data revision: what part of the data it is of. */
type Area = 'reference' | 'series' | 'rates' | 'findings';

/** The revision of an area of the data, as an expression: read with rows, it belongs to them. */
export const currentRevision = (area: Area): string =>
  `(SELECT ${area}_revision FROM data_revision WHERE id = 1)`;

/**
 * `SELECT` of rows with the revision of their area as the first column, so that they are sure to
 * belong together. One row has it also where nothing else is found.
 * @param joined a table with its condition: `fx_rate f ON f.currency = ?`
 * @param rest of the statement
 */
export const selectWithRevision = (area: Area, columns: string, joined: string, rest = ''): string =>
  `SELECT r.${area}_revision, ${columns} FROM data_revision r LEFT JOIN ${joined} WHERE r.id = 1 ${rest}`;
