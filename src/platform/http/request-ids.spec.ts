import { RequestIds } from './request.js';

describe('Ids of requests', () => {
  it('are different UUIDs, from one source and from several', () => {
    const sources = [new RequestIds(), new RequestIds()];
    const ids = sources.flatMap((source) => Array.from({ length: 1000 }, () => source.next()));
    expect(new Set(ids).size).toBe(2000);
    const version4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
    expect(ids.filter((id) => !version4.test(id))).toEqual([]);
  });
});
