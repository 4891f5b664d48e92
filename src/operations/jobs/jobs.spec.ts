import { jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { setTimeout as sleep } from 'node:timers/promises';
import { Draining } from '../../platform/shutdown/draining.js';
import { Jobs } from './jobs.js';

describe('a job', () => {
  const logged = jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
  afterEach(() => logged.mockReset());

  it('answers the request that begins it soon, and goes on', async () => {
    const jobs = new Jobs(new Draining());
    const startedAt = performance.now();
    let hasEnded = false;
    const value = await jobs.begin<string>(async (begun) => {
      begun('begun');
      await sleep(2000);
      hasEnded = true;
    });
    expect([value, hasEnded]).toEqual(['begun', false]);
    expect(performance.now() - startedAt).toBeGreaterThan(1400);
    while (!hasEnded) await sleep(20);
  });

  it('is over with the request where it is brief', async () => {
    const jobs = new Jobs(new Draining());
    let hasEnded = false;
    await jobs.begin<void>(async (begun) => {
      begun();
      await sleep(20);
      hasEnded = true;
    });
    expect(hasEnded).toBe(true);
  });

  it('gives the request its error before it has begun, and logs one that comes after', async () => {
    const jobs = new Jobs(new Draining());
    await expect(jobs.begin(() => Promise.reject(new Error('before')))).rejects.toThrow('before');
    expect(logged).not.toHaveBeenCalled();
    await jobs.begin<void>((begun) => {
      begun();
      return Promise.reject(new Error('after'));
    });
    expect(logged.mock.calls).toEqual([[new Error('after')]]);
  });

  it('is told that the service shuts down, which waits for it, but not for long', async () => {
    const jobs = new Jobs(new Draining());
    const ended: string[] = [];
    await Promise.all([
      jobs.begin<void>(async (begun) => {
        begun();
        await sleep(5000, undefined, { signal: jobs.signal, ref: false }).catch(() => sleep(100));
        ended.push('told');
      }),
      jobs.begin<void>(async (begun) => {
        begun();
        await sleep(5000, undefined, { ref: false });
        ended.push('deaf');
      }),
      jobs.beforeApplicationShutdown().then(() => ended.push('shutdown')),
    ]);
    expect(ended).toEqual(['told', 'shutdown']);
  });
});
