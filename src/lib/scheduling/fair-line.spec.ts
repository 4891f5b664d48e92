import { FairLine } from './fair-line.js';

describe('FairLine', () => {
  const line = new FairLine<string>();
  const takeAll = () => Array.from({ length: line.length }, () => line.shift());

  it('takes from one key after the other, and of each in order', () => {
    for (const item of ['a1', 'a2', 'a3', 'b1', 'c1', 'c2']) line.push(item[0]!, item);
    expect([...line.heads()]).toEqual(['a1', 'b1', 'c1']);
    expect(takeAll()).toEqual(['a1', 'b1', 'c1', 'a2', 'c2', 'a3']);
    expect([line.shift(), line.length]).toEqual([undefined, 0]);
  });

  it('knows who has a share, and forgets what is removed', () => {
    for (const item of ['a1', 'a2', 'a3', 'b1']) line.push(item[0]!, item);
    expect(['a', 'b', 'c'].map((key) => line.hasShare(key))).toEqual([true, false, false]);
    for (const item of ['a2', 'b1', 'c1']) line.remove(item[0]!, item);
    expect([line.length, ...takeAll()]).toEqual([2, 'a1', 'a3']);
  });
});
