import { jest } from '@jest/globals';
import { PngRenderer } from './png-renderer.js';

const drawing = (text: string, weight = 400) =>
  '<svg xmlns="http://www.w3.org/2000/svg" width="200" height="40" font-family="system-ui, sans-serif">' +
  `<text x="10" y="30" font-size="24" font-weight="${weight}">${text}</text></svg>`;

/** A character that no font has: it is drawn as an empty frame, as all such are. */
const MISSING = '中';

describe('PngRenderer', () => {
  let renderer: PngRenderer;
  const draw = (svg: string) => renderer.render({ svg, width: 200 }, new AbortController().signal);

  beforeEach(() => (renderer = new PngRenderer()));
  afterEach(() => renderer.onModuleDestroy());

  it('has letters of every script that names are in, in both weights', async () => {
    const images = new Map<string, string>();
    for (const weight of [400, 600])
      for (const text of [MISSING, 'é', 'Я', 'ب', 'က', ' '])
        images.set(`${weight} ${text}`, (await draw(drawing(text, weight))).toString('base64'));
    expect(new Set(images.values()).size).toBe(11);
  });

  it('joins Arabic letters, and writes them from the right', async () => {
    const [joined, apart] = [await draw(drawing('بب')), await draw(drawing('ب\u200Cب'))];
    expect(joined.equals(apart)).toBe(false);
  });

  it('draws again after a drawing that is none', async () => {
    await expect(draw('<svg')).rejects.toThrow('SVG');
    expect((await draw(drawing('a'))).subarray(1, 4).toString()).toBe('PNG');
  });

  it('gives an image up that takes too long, and draws the next one', async () => {
    await draw(drawing('a'));
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] });
    try {
      const endless = draw(drawing('b'));
      const next = draw(drawing('c'));
      const given = expect(endless).rejects.toMatchObject({ status: 503, headers: { 'Retry-After': '2' } });
      // The turn begins in a microtask; the thread's message comes later.
      await Promise.resolve();
      jest.advanceTimersByTime(10_000);
      await given;
      expect((await next).subarray(1, 4).toString()).toBe('PNG');
    } finally {
      jest.useRealTimers();
    }
  });

  it('rejects what would wait for too long, and what nobody waits for', async () => {
    const aborted = renderer.render({ svg: drawing('a'), width: 200 }, AbortSignal.abort(new Error('left')));
    await expect(aborted).rejects.toThrow('left');
    const results = await Promise.allSettled(Array.from({ length: 30 }, () => draw(drawing('a'))));
    const rejected = results.filter((result) => result.status === 'rejected');
    expect(results.length - rejected.length).toBe(25);
    for (const { reason } of rejected)
      expect(reason).toMatchObject({ status: 503, headers: { 'Retry-After': '2' } });
  });
});
