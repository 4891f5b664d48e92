import { PriceFragmentCache, type FragmentRevisions } from './price-fragment-cache.js';

const revisions: FragmentRevisions = { series: 5, references: 3, rates: 4 };
const text = (length: number) => Buffer.alloc(length, 'x');

describe('price fragment cache', () => {
  it('returns fragments of the same series, variant and revisions', () => {
    const fragments = new PriceFragmentCache();
    const bytes = text(10);
    fragments.set(1, 'json', revisions, bytes);
    expect(fragments.get(1, 'json', revisions)).toBe(bytes);
    expect(fragments.get(2, 'json', revisions)).toBeNull();
    expect(fragments.get(1, 'fpma', revisions)).toBeNull();
    expect(fragments.get(1, 'json', { ...revisions })).toBe(bytes);
  });

  it.each(['series', 'references', 'rates'] as const)('drops a fragment after a change of %s', (area) => {
    const fragments = new PriceFragmentCache();
    fragments.set(1, 'json', revisions, text(10));
    expect(fragments.get(1, 'json', { ...revisions, [area]: 6 })).toBeNull();
    expect([fragments.get(1, 'json', revisions), fragments.bytes]).toEqual([null, 0]);
  });

  it('stays within its capacity and evicts the least recently used fragment', () => {
    const fragments = new PriceFragmentCache(4000);
    for (const id of [1, 2, 3]) fragments.set(id, 'json', revisions, text(800));
    expect(fragments.get(1, 'json', revisions)).not.toBeNull();
    fragments.set(4, 'json', revisions, text(800));
    expect([1, 2, 3, 4].filter((id) => fragments.get(id, 'json', revisions) !== null)).toEqual([1, 3, 4]);
    expect(fragments.bytes).toBeLessThanOrEqual(4000);
    fragments.set(4, 'json', revisions, text(700));
    expect(fragments.get(4, 'json', revisions)).toHaveLength(700);
    expect(fragments.bytes).toBeLessThanOrEqual(4000);
  });

  it('does not store a text that would evict many others', () => {
    const fragments = new PriceFragmentCache();
    fragments.set(1, 'json', revisions, text(3_000_000));
    expect([fragments.get(1, 'json', revisions), fragments.bytes]).toEqual([null, 0]);
  });
});
