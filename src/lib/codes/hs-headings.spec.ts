import { completeHsCode } from './hs-headings.js';

describe('codes of the Harmonized System', () => {
  it.each([
    ['713', '0713'],
    ['71333', '071333'],
    ['40120', '040120'],
    ['4', '04'],
    ['0713', '0713'],
    ['10', '10'],
    ['1006', '1006'],
    ['7133310', '7133310'],
    ['713331000', '713331000'],
    ['999', null],
    ['509', null],
    ['799', null],
    ['70000', null],
    ['0', null],
  ])('completes %s to %s', (digits, code) => expect(completeHsCode(digits)).toBe(code));
});
