import { groupName } from './series-groups.js';

describe('names of groups', () => {
  const long = 'x'.repeat(200);

  it('are the names themselves where they are short, and have a digest where they are long', () => {
    expect(groupName('KEN', 'Maize', 'RETAIL')).toBe('["KEN","Maize","RETAIL"]');
    expect(groupName('KEN', long)).toMatch(/^\["KEN","x{59} [0-9a-f]{32}$/);
    expect(groupName('KEN', long)).toHaveLength(100);
  });

  it('differ where names do', () => {
    const names = [['a', 'b'], ['a","b'], ['a,b'], [long, 'a'], [long, 'b'], [`${long}a`], []];
    expect(new Set(names.map((parts) => groupName(...parts))).size).toBe(names.length);
  });

  it('have whole characters only', () => {
    for (let blanks = 0; blanks < 4; blanks++) {
      const name = groupName(' '.repeat(blanks), '𝄞'.repeat(100));
      expect(() => encodeURIComponent(name)).not.toThrow();
    }
  });
});
