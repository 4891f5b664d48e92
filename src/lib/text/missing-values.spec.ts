import { isMissingValue } from './missing-values.js';

describe('marks for missing values', () => {
  it.each(['NA', 'N/A', 'n/a', '#N/A', 'NULL', 'null', 'NaN', 'nan', 'None', '\\N', '<NA>', '#VALUE!'])(
    '%s is one',
    (text) => expect(isMissingValue(text)).toBe(true),
  );

  it.each(['-', '--', '–', '..', '…', '#N/D', '#¡VALOR!', '#VALEUR!', '#WERT!', '#ЗНАЧ!', '#ZAHL!', '#NUL!'])(
    '%s, as offices and spreadsheets in other languages write it, is one',
    (text) => expect(isMissingValue(text)).toBe(true),
  );

  it.each([
    '#¡NULO!',
    '#NÚM!',
    '#ДЕЛ/0!',
    's/d',
    'N.D.',
    'н/д',
    '(blank)',
    '(vide)',
    '(en blanco)',
    'No data',
  ])('%s, as formulas, pivot tables and people write it, is one', (text) =>
    expect(isMissingValue(text)).toBe(true),
  );

  it.each(['ND', 'Sin dato', 'SIN DATOS', 'No Disponible', 'pas de données', 'Não disponível', 'k.A.', '*'])(
    '%s, which offices write, is one',
    (text) => expect(isMissingValue(text)).toBe(true),
  );

  it.each(['', 'Na', 'Nan', 'Nana', 'North', '- -', '?', '0', 'NAM', 'Nil', 'Nd', 'Sindato', '***'])(
    '%j is none',
    (text) => expect(isMissingValue(text)).toBe(false),
  );
});
