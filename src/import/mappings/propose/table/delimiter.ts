import { parse } from 'csv-parse/sync';
import { DELIMITERS, delimiterSaidIn } from '../../../tables/delimiters.js';

/** Lines that are looked at. */
const MAX_LINES = 200;

/** What stands between the columns of a text: what most lines have as often, and most of all. */
export function findDelimiter(text: string): string {
  const lines = text.replace(/^\ufeff/, '').split(/\r\n|\n|\r/);
  const said = delimiterSaidIn(lines[0] ?? '');
  if (said !== null) return said;
  const begin = lines.slice(0, MAX_LINES).join('\n');
  let best = ',';
  let most = 0;
  // The comma last: numbers have it, too.
  for (const delimiter of DELIMITERS.toReversed()) {
    const score = scoreOf(begin, delimiter);
    if (score > most) [best, most] = [delimiter, score];
  }
  return best;
}

/** The part of the rows that have as many cells as most of those with several. */
function scoreOf(text: string, delimiter: string): number {
  const options = {
    delimiter,
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
  } as const;
  let records: string[][];
  try {
    records = parse(text, options);
  } catch {
    records = text.split('\n').map((line) => line.split(delimiter));
  }
  const counts = new Map<number, number>();
  for (const { length } of records) if (length > 1) counts.set(length, (counts.get(length) ?? 0) + 1);
  const [modal] = [...counts].sort(([, one], [, other]) => other - one);
  if (modal === undefined) return 0;
  const [, rows] = modal;
  return rows / records.length;
}
