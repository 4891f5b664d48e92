/*
 * How programs write a value that is missing: R (NA), pandas (NaN, None, <NA>, NaT), SQL (NULL,
 * \N), spreadsheets (#N/A and other errors of formulas, and blank items of pivot tables, also in
 * Spanish, Portuguese, French, German and Russian), people (n/a; s/d, sin datos; н/д) and
 * statistical offices (dashes and dots). Compared with letter case: `Nan` is a province of
 * Thailand, `Na` a name.
 */
const MISSING_VALUES: readonly string[] = [
  ...['NA', 'na', 'N/A', 'n/a', 'N/a', 'N.A.', 'n.a.', '#NA', '#N/A', '#N/A N/A'],
  ...['NaN', 'nan', 'NAN', '-NaN', '-nan', '1.#IND', '-1.#IND', '1.#QNAN', '-1.#QNAN'],
  ...['NULL', 'Null', 'null', '(null)', '\\N', 'None', 'none', 'NONE', '<NA>', 'NaT', 'undefined'],
  ...['#VALUE!', '#REF!', '#DIV/0!', '#NAME?', '#NUM!', '#NULL!', '#CALC!', '#SPILL!', '#ERROR!'],
  ...['#FIELD!', '#BLOCKED!', '#BUSY!', '#CONNECT!', '#UNKNOWN!', '#GETTING_DATA', '(blank)'],
  ...['#N/D', '#¡VALOR!', '#¡REF!', '#¡DIV/0!', '#¿NOMBRE?', '#¡NUM!', '#¡NULO!', '(en blanco)'],
  ...['#VALOR!', '#NOME?', '#NÚM!', '#NULO!', '(vazio)'],
  ...['#VALEUR!', '#NOM?', '#NOMBRE!', '#NUL!', '#N/DISP', '(vide)'],
  ...['#NV', '#WERT!', '#BEZUG!', '#ZAHL!', '(Leer)'],
  ...['#Н/Д', '#ЗНАЧ!', '#ССЫЛКА!', '#ССЫЛ!', '#ИМЯ?', '#ЧИСЛО!', '#ДЕЛ/0!', '#ПУСТО!', '(пусто)'],
  ...['n/d', 'N/D', 'n.d.', 'N.D.', 'nd', 'ND', 's/d', 'S/D', 's.d.', 'S.D.', 'н/д', 'Н/Д', 'н.д.'],
  ...inCases('no data', 'not available', 'sin dato', 'sin datos', 'no disponible', 'sem dados'),
  ...inCases('não disponível', 'non disponible', 'pas de données', 'нет данных', 'не указано'),
  ...['k.A.', 'k. A.', 'keine Angabe', 'Keine Angabe', '*', '**'],
  ...['-', '--', '---', '–', '—', '.', '..', '...', '…'],
];

const marks = new Set<string>(MISSING_VALUES);
const MAX_LENGTH = Math.max(...MISSING_VALUES.map((mark) => mark.length));

/** Whether a trimmed text is a mark for a missing value. */
export const isMissingValue = (text: string): boolean => text.length <= MAX_LENGTH && marks.has(text);

/** Whether a trimmed text is such a mark, and no word: a place may be called `None`, not `-`. */
export const isMissingName = (text: string): boolean => isMissingValue(text) && !/^\p{L}+$/u.test(text);

/** Phrases in small letters, with a capital one first, with capital words, and in capitals. */
function inCases(...phrases: readonly string[]): string[] {
  const capital = (text: string) => text.slice(0, 1).toUpperCase() + text.slice(1);
  return phrases.flatMap((phrase) => [
    phrase,
    capital(phrase),
    phrase.split(' ').map(capital).join(' '),
    phrase.toUpperCase(),
  ]);
}
