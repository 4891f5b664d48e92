import { RequestThrottle, type ThrottleLimits } from './request-throttle.js';

describe('R3: RequestThrottle', () => {
  let now = 0;
  beforeEach(() => (now = 1_000_000));

  const throttle = (limits: Partial<ThrottleLimits>, workers = 1) =>
    new RequestThrottle({ read: 0, write: 0, unauthenticated: 0, ...limits }, workers, () => now);
  const read = (subject: RequestThrottle, network: string) => subject.take('read', network);

  it('limits the reads of an address per minute, and returns the remaining quota and the time to wait', () => {
    const subject = throttle({ read: 2 });
    expect(read(subject, '192.0.2.1')).toEqual({
      retryAfter: null,
      headers: { 'RateLimit-Policy': '"read";q=2;w=60', RateLimit: '"read";r=1;t=60' },
    });
    now += 20_500;
    expect(read(subject, '192.0.2.1')).toEqual({
      retryAfter: null,
      headers: { 'RateLimit-Policy': '"read";q=2;w=60', RateLimit: '"read";r=0;t=40' },
    });
    expect(read(subject, '192.0.2.1')).toEqual({
      retryAfter: 40,
      headers: { 'RateLimit-Policy': '"read";q=2;w=60', RateLimit: '"read";r=0;t=40' },
    });
    expect(read(subject, '192.0.2.2')?.retryAfter).toBeNull();
    now += 39_500;
    expect(read(subject, '192.0.2.1')).toEqual({
      retryAfter: null,
      headers: { 'RateLimit-Policy': '"read";q=2;w=60', RateLimit: '"read";r=1;t=60' },
    });
  });

  it('counts further units of a request that has been accepted, beyond the limit, too', () => {
    const subject = throttle({ read: 10 });
    const limit = (r: number, t: number) => ({
      'RateLimit-Policy': '"read";q=10;w=60',
      RateLimit: `"read";r=${r};t=${t}`,
    });
    expect(read(subject, '192.0.2.1')).toEqual({ retryAfter: null, headers: limit(9, 60) });
    subject.add('read', '192.0.2.1', 4);
    expect(read(subject, '192.0.2.1')).toEqual({ retryAfter: null, headers: limit(4, 60) });
    subject.add('read', '192.0.2.1', 40);
    expect(read(subject, '192.0.2.1')).toEqual({ retryAfter: 60, headers: limit(0, 60) });
    expect(read(subject, '192.0.2.2')?.retryAfter).toBeNull();
    now += 60_000;
    // A reply that is still sent counts where it is sent.
    subject.add('read', '192.0.2.1', 2);
    expect(read(subject, '192.0.2.1')).toEqual({ retryAfter: null, headers: limit(7, 60) });
    subject.add('write', '7', 2);
  });

  it('counts each group of requests by itself, and only those that have a limit', () => {
    const subject = throttle({ read: 1, write: 1 });
    expect(subject.take('write', '7')).toEqual({
      retryAfter: null,
      headers: { 'RateLimit-Policy': '"write";q=1;w=60', RateLimit: '"write";r=0;t=60' },
    });
    expect(subject.take('write', '7')?.retryAfter).toBe(60);
    expect(subject.take('write', '8')?.retryAfter).toBeNull();
    expect(read(subject, '7')?.retryAfter).toBeNull();
    expect(subject.take('unauthenticated', '7')).toBeNull();
  });

  it('enforces its share of the limit with several workers, and advertises the whole limit', () => {
    const subject = throttle({ read: 10 }, 4);
    expect([1, 2, 3].map(() => read(subject, '192.0.2.1'))).toEqual([
      { retryAfter: null, headers: { 'RateLimit-Policy': '"read";q=10;w=60', RateLimit: '"read";r=1;t=60' } },
      { retryAfter: null, headers: { 'RateLimit-Policy': '"read";q=10;w=60', RateLimit: '"read";r=0;t=60' } },
      { retryAfter: 60, headers: { 'RateLimit-Policy': '"read";q=10;w=60', RateLimit: '"read";r=0;t=60' } },
    ]);
    expect(read(throttle({ read: 1 }, 4), '192.0.2.1')?.retryAfter).toBeNull();
  });

  it('F16: does not depend on the system time', () => {
    const subject = new RequestThrottle({ read: 1, write: 0, unauthenticated: 0 }, 1);
    expect(read(subject, '192.0.2.1')?.retryAfter).toBeNull();
    const dateNow = Date.now;
    try {
      for (const step of [3_600_000, -3_600_000]) {
        Date.now = () => dateNow() + step;
        expect(read(subject, '192.0.2.1')?.retryAfter).toBe(60);
      }
    } finally {
      Date.now = dateNow;
    }
  });

  it('tracks at most 50,000 clients and evicts the oldest', () => {
    const subject = throttle({ read: 1 });
    const address = (index: number) => `10.${index >> 16}.${(index >> 8) & 255}.${index & 255}`;
    for (let index = 0; index < 50_000; index++) read(subject, address(index));
    expect(read(subject, address(0))?.retryAfter).toBe(60);
    read(subject, address(50_000));
    expect(read(subject, address(1))?.retryAfter).toBe(60);
    expect(read(subject, address(0))?.retryAfter).toBeNull();
  });
});
