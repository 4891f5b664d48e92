import { EncodedBody, FinishedReply, NEWEST } from './finished-reply.js';
import type { Route } from './routes.js';
import { PageCache } from './cache.js';

const OVERHEAD = 2048;
const route = { pattern: '/x' } as Route;
const answer = (bytes: number) =>
  new FinishedReply(new EncodedBody(Buffer.alloc(bytes, 'x'), 'text/plain'), {
    status: 200,
    tag: 'tag',
    headers: [],
    revision: NEWEST,
  });

function cacheOf(bounds: { totalBytes?: number; addressBytes?: number; hosts?: number } = {}) {
  const cache = new PageCache({ totalBytes: 100_000, addressBytes: 50_000, hosts: 2, ...bounds });
  return {
    cache,
    keep: (
      key: string,
      bytes: number,
      options: { origin?: string; revision?: string; day?: string } = {},
    ) => {
      const { origin = 'http://a', revision = '1', day = null } = options;
      const made = answer(bytes);
      cache.store(origin + key, { origin, route, format: null }, 'json', { reply: made, revision, day });
      return made;
    },
    get: (key: string, { origin = 'http://a', revision = '1', today = '2024-01-01' } = {}) => {
      const address = cache.get(origin + key);
      return address === undefined ? null : cache.fresh(address, 'json', revision, () => today);
    },
  };
}

describe('PageCache', () => {
  it('gives a page back while its revision and its day last', () => {
    const { keep, get } = cacheOf();
    const kept = keep('/x', 10, { day: '2024-01-01' });
    expect(get('/x')).toBe(kept);
    expect(get('/x', { revision: '2' })).toBeNull();
    expect(get('/x', { today: '2024-01-02' })).toBeNull();
    expect(get('/x', { origin: 'http://b' })).toBeNull();
    expect(get('/y')).toBeNull();
  });

  it('counts its bytes, and replaces a page instead of keeping two', () => {
    const { cache, keep, get } = cacheOf();
    keep('/x', 10);
    const newer = keep('/x', 30, { revision: '2' });
    expect([cache.bytes, cache.size]).toEqual([OVERHEAD + 30, 1]);
    expect(get('/x', { revision: '2' })).toBe(newer);
  });

  it('stays within its bytes: the oldest page that nobody asked for goes', () => {
    const { cache, keep, get } = cacheOf({ totalBytes: 3 * (OVERHEAD + 1000) });
    for (const key of ['/1', '/2', '/3']) keep(key, 1000);
    get('/1');
    keep('/4', 1000);
    expect(['/1', '/2', '/3', '/4'].map((key) => get(key) !== null)).toEqual([true, false, true, true]);
    keep('/5', 1000);
    keep('/6', 1000);
    expect(cache.bytes).toBe(3 * (OVERHEAD + 1000));
    expect(cache.size).toBe(3);
  });

  it('keeps no page that is too large', () => {
    const { cache, keep } = cacheOf({ addressBytes: OVERHEAD + 100 });
    keep('/x', 101);
    expect(cache.size).toBe(0);
    keep('/x', 100);
    expect(cache.size).toBe(1);
  });

  it('counts compressed forms, and drops a page that they make too large', async () => {
    const { cache, keep } = cacheOf({ addressBytes: OVERHEAD + 10_000 });
    const kept = keep('/x', 9_980);
    const variant = await kept.variant('br');
    expect(cache.bytes).toBe(OVERHEAD + 9_980 + variant.bytes.length);
    await kept.variant('gzip');
    expect([cache.size, cache.bytes]).toEqual([0, 0]);
  });

  it('counts no form of a page that is gone', async () => {
    const { cache, keep } = cacheOf();
    const old = keep('/x', 5000);
    keep('/x', 10, { revision: '2' });
    await old.variant('br');
    expect(cache.bytes).toBe(OVERHEAD + 10);
  });

  it('R1: knows a limited number of hosts: made-up ones do not keep the real one out', () => {
    const { cache, keep, get } = cacheOf({ hosts: 2 });
    keep('/x', 10, { origin: 'http://a' });
    keep('/y', 10, { origin: 'http://a' });
    keep('/x', 10, { origin: 'http://b' });
    expect(cache.size).toBe(3);
    keep('/z', 10, { origin: 'http://a' });
    keep('/x', 10, { origin: 'http://c' });
    expect(['http://a', 'http://b', 'http://c'].map((origin) => get('/x', { origin }) !== null)).toEqual([
      true,
      false,
      true,
    ]);
    expect([cache.size, cache.bytes]).toEqual([4, 4 * (OVERHEAD + 10)]);
  });
});
