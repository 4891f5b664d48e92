import { commonBase } from './common-base.js';

const having = (...bases: string[]) => ({ bases });

describe('the base period of real prices side by side', () => {
  it.each([
    ['the newest one of all', [having('2020', '2010'), having('2020', '2015')], '2020'],
    ['the only one in common', [having('2020', '2010'), having('2015', '2010')], '2010'],
    ['the newest of several in common', [having('2020', '2015', '2010'), having('2015', '2010')], '2015'],
    ['the one of most, without one in common', [having('2010'), having('2020'), having('2010')], '2010'],
    ['the newest, where as many have others', [having('2010'), having('2020')], '2020'],
    ['that of the others, where one has no index', [having(), having('2010')], '2010'],
    ['none without an index', [having()], null],
  ])('is %s', (_, indices, base) => {
    expect(commonBase(indices)).toBe(base);
    expect(commonBase([...indices].reverse())).toBe(base);
  });
});
