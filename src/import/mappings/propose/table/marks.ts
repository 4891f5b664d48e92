import { isMissingValue } from '../../../../lib/text/missing-values.js';
import { foldForSearch } from '../../../../lib/text/folding.js';
import type { SampleRow } from './sample.js';

/*
 * Marks of missing values that only their place shows: `NR` in a column of prices is one, and may
 * be a market elsewhere.
 */

/** Abbreviations, without dots, slashes and blanks, and phrases. */
const KNOWN = new Set(
  [
    ...['nr', 'nq', 'na', 'nd', 'ns', 'np', 'nc', 'nt', 'ni', 'nm', 'nav', 'sd', 'sc', 'so', 'sr', 'sm'],
    ...['oos', 'os', 'tba', 'tbc', 'xx', 'xxx', 'nil', 'none', 'missing', 'unavailable', 'closed', 'holiday'],
    ...['not reported', 'not quoted', 'no quote', 'no quotation', 'no supply', 'no stock', 'out of stock'],
    ...['out of season', 'not traded', 'no trading', 'no market', 'no market day', 'no price', 'no prices'],
    ...['no transaction', 'not collected', 'not surveyed', 'not recorded', 'market closed', 'not in season'],
    ...['absent', 'rupture', 'non renseigne', 'non releve', 'non cote', 'pas de marche', 'non collecte'],
    ...['sin cotizacion', 'sin mercado', 'sin oferta', 'sin registro', 'no cotizo', 'no hay', 'agotado'],
    ...['sem cotacao', 'sem oferta', 'sem registo', 'nao cotado', 'нет', 'отсутствует', 'нет товара'],
    ...['غير متوفر', 'غير متوفرة', 'لا يوجد', 'مغلق'],
  ].map(keyOf),
);

/** A text without case, accents, dots, slashes and blanks. */
function keyOf(text: string): string {
  return foldForSearch(text).replace(/[\s./\\_-]+/g, '');
}

/** Longest mark in characters, and most different ones in a column that are not known as such. */
const MAX_MARK = 24;
const MAX_UNKNOWN = 3;

/** Marks of missing values in columns of numbers, beside those that stand for them everywhere. */
export interface FoundMarks {
  readonly all: ReadonlySet<string>;
  /** Those that are marks by their place alone, with the number of their cells. */
  readonly unknown: ReadonlyMap<string, number>;
}

/**
 * Finds texts that repeat in columns which otherwise have numbers.
 * @param isNumber whether a text is a number
 * @param isOther whether a text is something else for certain, such as a date
 */
export function findMarks(
  rows: readonly SampleRow[],
  width: number,
  isNumber: (text: string) => boolean,
  isOther: (text: string) => boolean,
): FoundMarks {
  const once = withoutRepeated(rows);
  const textsOf = (column: number) =>
    once.map(({ cells }) => (cells[column] ?? '').trim()).map((text) => (isMissingValue(text) ? '' : text));
  const columns = Array.from({ length: width }, (_, column) => textsOf(column));
  // Headers are above the first number, but for years.
  const isValue = (text: string) => text !== '' && isNumber(text) && !/^(?:19|20)\d\d$/.test(text);
  const firsts = columns.map((texts) => texts.findIndex(isValue)).filter((at) => at >= 0);
  const first = Math.min(...firsts, once.length);
  const counts = columns.flatMap((texts) => {
    const numbers = texts.filter(isNumber).length;
    if (numbers === 0) return [];
    const found = new Map<string, Cells>();
    for (const [at, text] of texts.entries()) {
      if (text === '' || text.length > MAX_MARK || /\d/.test(text) || isNumber(text) || isOther(text))
        continue;
      const cells = found.get(text) ?? { count: 0, isBelow: false };
      found.set(text, { count: cells.count + 1, isBelow: cells.isBelow || at >= first });
    }
    return [{ numbers, found }];
  });
  const known = new Set(
    counts.flatMap(({ found }) =>
      [...found].flatMap(([text, { isBelow }]) => (isBelow ? [keyOf(text)] : [])),
    ),
  );
  const isKnown = (text: string) => KNOWN.has(keyOf(text)) && known.has(keyOf(text));
  const all = new Set(counts.flatMap(({ found }) => [...found.keys()].filter(isKnown)));
  const unknown = new Map<string, number>();
  for (const { numbers, found } of counts) {
    const others = [...found].filter(([text, { count, isBelow }]) => !all.has(text) && isBelow && count > 1);
    const repeated = others.reduce((sum, [, { count }]) => sum + count, 0);
    if (others.length > MAX_UNKNOWN || repeated >= numbers) continue;
    for (const [text, { count }] of others) unknown.set(text, (unknown.get(text) ?? 0) + count);
  }
  for (const text of unknown.keys()) all.add(text);
  return { all, unknown };
}

/** Those of a text in a column. */
interface Cells {
  readonly count: number;
  /** Whether one of them is at or below the first row with a number. */
  readonly isBelow: boolean;
}

/** Rows without those that an earlier one is equal to, such as repeated headers. */
function withoutRepeated(rows: readonly SampleRow[]): SampleRow[] {
  const seen = new Set<string>();
  return rows.filter(({ cells }) => {
    const key = cells.map((cell) => cell.trim()).join('\n');
    return !seen.has(key) && seen.add(key);
  });
}
