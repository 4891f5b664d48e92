import { headerProblem, wrongHeader } from './header-problem.js';

const OWN = { required: ['currency', 'date', 'rate'], optional: ['rate_type', 'id'] };
const WFP = { required: ['date', 'market', 'price'], optional: null };

describe('headerProblem', () => {
  it.each<[string, string[], string | null]>([
    ['a missing column', ['currency', 'date'], 'the column rate is missing'],
    [
      'one that is nearly there',
      ['Currency', 'date', 'rate'],
      'the column currency is missing, unless "Currency" is meant to be it',
    ],
    ['an unknown one', ['currency', 'date', 'rate', 'note'], 'the column "note" is not known'],
    [
      'an unknown one that is nearly known',
      ['currency', 'date', 'rate', 'ratetype'],
      'the column "ratetype" is not known, unless it is meant to be rate_type',
    ],
    ['a repeated one', ['currency', 'date', 'rate', 'rate'], 'the column rate is there more than once'],
    [
      'several',
      ['currency', 'dates', 'x'],
      'the column date is missing, unless "dates" is meant to be it; the column rate is missing; the column "x" is not known',
    ],
    ['nothing of a right header', ['currency', 'date', 'rate', 'id'], null],
    ['nothing of another file', ['a', 'b', 'c'], null],
    ['nothing of an empty header', [''], null],
  ])('tells %s', (_, header, expected) => {
    expect(headerProblem(header, [OWN])?.problem ?? null).toBe(expected);
  });

  it('compares with the layout that is nearest, and leaves further columns alone', () => {
    expect(headerProblem(['date', 'markets', 'note'], [OWN, WFP])?.problem).toBe(
      'the column market is missing, unless "markets" is meant to be it; the column price is missing',
    );
  });

  it('proposes no column for two', () => {
    const VAM = { required: ['cm_name', 'cur_name', 'pt_name', 'mp_price'], optional: null };
    expect(headerProblem(['cmname', 'mp_price', 'mp_prices'], [VAM])?.problem).toBe(
      'the column cm_name is missing, unless "cmname" is meant to be it; the column cur_name is missing; ' +
        'the column pt_name is missing',
    );
  });

  it('names the nearest layout of several, and its missing columns', () => {
    const layouts = [
      { ...OWN, name: 'the own columns' },
      { ...WFP, name: "WFP's layout" },
    ];
    const accepted = 'CSV with some columns';
    const messageOf = (header: string[]) => wrongHeader('fx', header, layouts, accepted).message;
    expect(messageOf(['date', 'market', 'cost'])).toBe(
      "The input is not in the format fx: the column price is missing; compared with the nearest layout, WFP's layout.",
    );
    expect(messageOf(['price', 'a'])).toBe(
      "The input is not in the format fx. Accepted: CSV with some columns. Compared with the nearest layout, WFP's layout: the column date is missing; the column market is missing.",
    );
    expect(messageOf(['a', 'b'])).toBe('The input is not in the format fx. Accepted: CSV with some columns.');
  });

  it('names a few columns only', () => {
    const header = [...OWN.required, ...'abcdefg'];
    expect(headerProblem(header, [OWN])?.problem).toMatch(
      /^(the column "[a-e]" is not known; ){5}and 2 more columns$/,
    );
  });

  it('takes no time for very many columns', () => {
    const many = Array.from({ length: 100_000 }, (_, index) => `currency ${index}`);
    expect(headerProblem([...OWN.required, ...many], [OWN])).toBeNull();
  });
});
