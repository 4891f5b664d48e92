import type { IncomingMessage } from 'node:http';
import type { Route } from '../platform/http/routes/route-options.js';
import { RequestThrottle, type ThrottleLimits } from './request-throttle.js';

describe('R3: RequestThrottle', () => {
  let now = 0;
  beforeEach(() => (now = 1_000_000));

  const throttle = (limits: Partial<ThrottleLimits>) =>
    new RequestThrottle(
      { reads: 0, writes: 0, workers: 1, ...limits },
      (authorization) => Number(/\d+/.exec(authorization ?? '')?.[0] ?? NaN) || null,
      () => now,
    );
  const request = (authorization?: string) => ({ headers: { authorization } }) as IncomingMessage;
  const route = (throttleGroup: string) => ({ throttleGroup }) as Route;
  const read = (subject: RequestThrottle, address: string) => subject.take(request(), route('read'), address);
  const write = (subject: RequestThrottle, authorization: string | undefined, address = '192.0.2.1') =>
    subject.take(request(authorization), route('write'), address);

  it('limits the reads of an address per minute, and returns the remaining quota and the time to wait', () => {
    const subject = throttle({ reads: 2 });
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

  it('counts the addresses of one IPv6 network together', () => {
    const subject = throttle({ reads: 1 });
    expect(read(subject, '2001:db8:1:2::1')?.retryAfter).toBeNull();
    expect(read(subject, '2001:db8:1:2:ffff::9')?.retryAfter).toBe(60);
    expect(read(subject, '2001:db8:1:3::1')?.retryAfter).toBeNull();
  });

  it('counts writes by account across addresses, and those without a valid token by address', () => {
    const subject = throttle({ writes: 1 });
    expect(write(subject, 'Bearer 7', '192.0.2.1')?.retryAfter).toBeNull();
    expect(write(subject, 'Bearer 7', '192.0.2.2')).toEqual({
      retryAfter: 60,
      headers: { 'RateLimit-Policy': '"write";q=1;w=60', RateLimit: '"write";r=0;t=60' },
    });
    expect(write(subject, 'Bearer 8', '192.0.2.1')?.retryAfter).toBeNull();
    expect(write(subject, undefined, '192.0.2.1')?.retryAfter).toBeNull();
    expect(write(subject, undefined, '192.0.2.1')?.retryAfter).toBe(60);
  });

  it('counts only requests that have a limit', () => {
    expect(read(throttle({ writes: 1 }), '192.0.2.1')).toBeNull();
    expect(write(throttle({ reads: 1 }), 'Bearer 7')).toBeNull();
    expect(throttle({ reads: 1, writes: 1 }).take(request(), route('login'), '192.0.2.1')).toBeNull();
  });

  it('enforces its share of the limit with several workers, and advertises the whole limit', () => {
    const subject = throttle({ reads: 10, workers: 4 });
    expect([1, 2, 3].map(() => read(subject, '192.0.2.1'))).toEqual([
      { retryAfter: null, headers: { 'RateLimit-Policy': '"read";q=10;w=60', RateLimit: '"read";r=1;t=60' } },
      { retryAfter: null, headers: { 'RateLimit-Policy': '"read";q=10;w=60', RateLimit: '"read";r=0;t=60' } },
      { retryAfter: 60, headers: { 'RateLimit-Policy': '"read";q=10;w=60', RateLimit: '"read";r=0;t=60' } },
    ]);
    expect(read(throttle({ reads: 1, workers: 4 }), '192.0.2.1')?.retryAfter).toBeNull();
  });

  it('F16: does not depend on the system time', () => {
    const subject = new RequestThrottle({ reads: 1, writes: 0, workers: 1 }, () => null);
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
    const subject = throttle({ reads: 1 });
    const address = (index: number) => `10.${index >> 16}.${(index >> 8) & 255}.${index & 255}`;
    for (let index = 0; index < 50_000; index++) read(subject, address(index));
    expect(read(subject, address(0))?.retryAfter).toBe(60);
    read(subject, address(50_000));
    expect(read(subject, address(1))?.retryAfter).toBe(60);
    expect(read(subject, address(0))?.retryAfter).toBeNull();
  });
});
