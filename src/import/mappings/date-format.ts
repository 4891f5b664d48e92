/** What is wrong with a format of dates, as the rest of a sentence; null for nothing. */
export function dateFormatProblem(format: string): string | null {
  if (format === EXCEL) return null;
  const signs = [...format.matchAll(/%(.?)/gs)].map(([, sign]) => sign!);
  const unknown = signs.find((sign) => !SIGNS.includes(sign));
  if (unknown !== undefined) return `must not have %${unknown}; it can have ${SHOWN_SIGNS}.`;
  const repeated = signs.find((sign, index) => sign !== '%' && signs.indexOf(sign) !== index);
  if (repeated !== undefined) return `must not have %${repeated} twice.`;
  const has = (...some: string[]) => some.some((sign) => signs.includes(sign));
  const isWeek = has('G') && has('V');
  const isDate = has('Y', 'y') && (has('j') || has('m', 'b', 'B'));
  return isWeek !== isDate ? null : 'must have a year and a month, such as %Y-%m, or a week, %G-W%V.';
}

/** The format of the numbers that workbooks have for days. */
const EXCEL = 'excel';

/** Signs of strptime: parts of dates, then of times and names of days, which are read over. */
const SIGNS = [...'YymbBdejGVu', ...'HIMSfpzZaA', '%'];
const SHOWN_SIGNS = SIGNS.map((sign) => `%${sign}`).join(' ');
