/** Columns of dollars, and of exchange rates beside prices, that publishers add to their files. */
const DOLLARS_OR_RATES =
  /^(?:usd_?price|price_?usd|dollar_?price|price_in_usd|(?:.*_)?(?:exchange_?rate|parallel_?rate)(?:_.*)?|fx_?rate)$/i;

/** What an import says of the columns of a file that it might be thought to read, in sentences. */
export function unreadColumns(header: readonly string[], read: readonly string[]): string[] {
  const named = header.filter(
    (column) => DOLLARS_OR_RATES.test(column.trim().replace(/[\s-]+/g, '_')) && !read.includes(column),
  );
  if (named.length === 0) return [];
  const are = named.length === 1 ? 'is' : 'are';
  return [`${named.join(' and ')} ${are} not read. ${OFFICIAL_DOLLARS}`];
}

/** Which rate a dollar is of. */
const OFFICIAL_DOLLARS =
  'Dollars are prices divided by the official rate of their month that is stored here.';

/** What an import says of a file that has parallel rates. */
export const PARALLEL_RATES = `The file has parallel rates, which are stored and not used. ${OFFICIAL_DOLLARS}`;
