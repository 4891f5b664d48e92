import { SeenPoints } from './seen-points.js';

describe('SeenPoints', () => {
  it('tells the value noted first, and the one that replaced it', () => {
    const seen = new SeenPoints();
    expect([seen.note(7, 1.5), seen.note(7, 2), seen.note(8, 2), seen.note(7, 3)]).toEqual([
      null,
      1.5,
      null,
      1.5,
    ]);
    seen.replace(7, 9);
    expect([seen.note(7, 1), seen.note(8, 1)]).toEqual([9, 2]);
  });

  it('holds as many points as a Map does, whatever their numbers', () => {
    const seen = new SeenPoints();
    const map = new Map<number, number>();
    const wrong: number[] = [];
    // Series by series, day by day, as files come, with numbers far above 2^32; every third point comes again.
    for (let series = 0; series < 400; series++) {
      for (let day = 0; day < 300; day++) {
        const key = (series * 977 * 4 + (series % 3) + 1) * 4_194_304 + 730_000 + day * (series % 2 ? 1 : 30);
        for (const value of day % 3 === 0 ? [series, day] : [day]) {
          if (seen.note(key, value) !== (map.get(key) ?? null)) wrong.push(key);
          if (!map.has(key)) map.set(key, value);
        }
      }
    }
    expect([map.size, wrong]).toEqual([120_000, []]);
  });
});
