import { isMissingValue } from './missing-values.js';

describe('marks for missing values', () => {
  it.each(['NA', 'N/A', 'n/a', '#N/A', 'NULL', 'null', 'NaN', 'nan', 'None', '\\N', '<NA>', '#VALUE!'])(
    '%s is one',
    (text) => expect(isMissingValue(text)).toBe(true),
  );

  it.each(['-', '--', '–', '..', '…', '#N/D', '#¡VALOR!', '#VALEUR!', '#WERT!', '#ЗНАЧ!'])(
    '%s, as offices and spreadsheets in other languages write it, is one',
    (text) => expect(isMissingValue(text)).toBe(true),
  );

  it.each(['', 'Na', 'Nan', 'Nana', 'North', '- -', '?', '0', 'NAM', 'Nil'])('%j is none', (text) =>
    expect(isMissingValue(text)).toBe(false),
  );
});
