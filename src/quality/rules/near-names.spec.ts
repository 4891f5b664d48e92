import fc from 'fast-check';
import { foldForSearch } from '../../lib/text/folding.js';
import { nearPairs } from './near-names.js';

const pairs = (...names: string[]) =>
  nearPairs(names.map((name) => ({ name }))).map(([one, other]) => `${one.name} | ${other.name}`);

describe('nearPairs', () => {
  it.each<[string, string]>([
    ['Owino', 'Owinno'],
    ['Kampala', 'Kampela'],
    ['Rice', 'RICE'],
    ['Maïs', 'mais'],
    ['Wheat flour', 'Wheat-flour'],
    ['St. Anne', 'ST ANNE'],
    ['Rice (5%)', 'Rice 5'],
    ['1.5 KG', '1,5 kg'],
    ['کابل بازار', 'كابل بازار'],
    ['काठमांडू', 'काठमाडू'],
  ])('finds %s near %s', (one, other) => {
    expect(pairs(one, other)).toEqual([`${one} | ${other}`]);
  });

  it.each<[string, string]>([
    ['Rice', 'Ricee'],
    ['Market 1', 'Market 2'],
    ['Market 1', 'Market 11'],
    ['Market', 'Market 1'],
    ['1.5 kg', '15 kg'],
    ['10-20 kg', '1020 kg'],
    ['Kampala', 'Kampaal'],
    ['Kampala', 'Kempela'],
    ['Maize', 'Maize (white)'],
    ['Beans A', 'Beans 1'],
    ['-', '.'],
    ['काठ', 'काठा'],
  ])('leaves %s and %s apart', (one, other) => {
    expect(pairs(one, other)).toEqual([]);
  });

  it('finds nothing in none and one', () => {
    expect(pairs()).toEqual([]);
    expect(pairs('Kampala')).toEqual([]);
  });

  it('names each pair of several once', () => {
    expect(pairs('Kampala', 'kampala', 'Kampela', 'Lira')).toEqual([
      'Kampala | kampala',
      'Kampala | Kampela',
      'kampala | Kampela',
    ]);
  });

  it('compares 3,000 numbered names at once', () => {
    const names = Array.from({ length: 3000 }, (_, index) => `Camp market ${index}`);
    expect(pairs(...names, 'Camp markett 7')).toEqual(['Camp market 7 | Camp markett 7']);
  });

  /** Word for word as the rule says, of names with letters and digits alone. */
  function plainlyNear(one: string, other: string): boolean {
    const [a, b] = [foldForSearch(one).replaceAll(' ', ''), foldForSearch(other).replaceAll(' ', '')];
    if (a === b) return a !== '';
    const letters = (text: string) => text.replace(/\d/g, '').length;
    if (Math.max(letters(a), letters(b)) < 6) return false;
    const changes = (from: string) =>
      [...from].flatMap((character, index) => {
        if (/\d/.test(character)) return [];
        const [before, after] = [from.slice(0, index), from.slice(index + 1)];
        return [before + after, ...'abc'.split('').map((letter) => before + letter + after)];
      });
    return changes(a).includes(b) || changes(b).includes(a);
  }

  it('finds what a plain comparison of all pairs finds', () => {
    const name = fc.string({ unit: fc.constantFrom('a', 'b', 'C', 'á', ' ', '1'), maxLength: 9 });
    fc.assert(
      fc.property(fc.array(name, { maxLength: 25 }), (names) => {
        const expected = names.flatMap((one, index) =>
          names
            .slice(index + 1)
            .filter((other) => plainlyNear(one, other))
            .map((other) => `${one} | ${other}`),
        );
        // Blanks between digits count, and are not what this is about.
        fc.pre(names.every((text) => !/1 +1/.test(text)));
        expect(pairs(...names)).toEqual(expected);
      }),
      { numRuns: 300 },
    );
  });
});
