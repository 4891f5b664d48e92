import { Admission } from './cache.js';

const key = (index: number) => `http://127.0.0.1:3000/api/v1/PriceSerie/?page=${index}`;

describe('Admission', () => {
  it('admits a key the second time', () => {
    const admission = new Admission();
    expect([admission.admits('a'), admission.admits('a'), admission.admits('b')]).toEqual([
      false,
      true,
      false,
    ]);
  });

  it('admits few keys at first sight', () => {
    const admission = new Admission();
    let early = 0;
    for (let index = 0; index < 100_000; index++) early += Number(admission.admits(key(index)));
    expect(early).toBeLessThan(1000);
  });

  it('remembers the last thousands of keys', () => {
    const admission = new Admission();
    for (let index = 0; index < 10_000; index++) admission.admits(key(index));
    let forgotten = 0;
    for (let index = 0; index < 10_000; index++) forgotten += Number(!admission.admits(key(index)));
    expect(forgotten).toBe(0);
  });
});
