import { PriceFragments, type FragmentState } from './price-fragments.js';

const state: FragmentState = { series: 5, references: 3, rates: 4 };
const text = (length: number) => Buffer.alloc(length, 'x');

describe('price fragments', () => {
  it('are given back for the same series, form and state', () => {
    const fragments = new PriceFragments();
    const bytes = text(10);
    fragments.keep(1, 'json', state, bytes);
    expect(fragments.get(1, 'json', state)).toBe(bytes);
    expect(fragments.get(2, 'json', state)).toBeNull();
    expect(fragments.get(1, 'fpma', state)).toBeNull();
    expect(fragments.get(1, 'json', { ...state })).toBe(bytes);
  });

  it.each(['series', 'references', 'rates'] as const)('are of no use after a change of %s', (area) => {
    const fragments = new PriceFragments();
    fragments.keep(1, 'json', state, text(10));
    expect(fragments.get(1, 'json', { ...state, [area]: 6 })).toBeNull();
    expect([fragments.get(1, 'json', state), fragments.bytes]).toEqual([null, 0]);
  });

  it('take no more than their room, and let go what was not asked for the longest', () => {
    const fragments = new PriceFragments(4000);
    for (const id of [1, 2, 3]) fragments.keep(id, 'json', state, text(800));
    expect(fragments.get(1, 'json', state)).not.toBeNull();
    fragments.keep(4, 'json', state, text(800));
    expect([1, 2, 3, 4].filter((id) => fragments.get(id, 'json', state) !== null)).toEqual([1, 3, 4]);
    expect(fragments.bytes).toBeLessThanOrEqual(4000);
    fragments.keep(4, 'json', state, text(700));
    expect(fragments.get(4, 'json', state)).toHaveLength(700);
    expect(fragments.bytes).toBeLessThanOrEqual(4000);
  });

  it('do not keep a text that would push out many others', () => {
    const fragments = new PriceFragments();
    fragments.keep(1, 'json', state, text(3_000_000));
    expect([fragments.get(1, 'json', state), fragments.bytes]).toEqual([null, 0]);
  });
});
