import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const base = 'src/reference';
const tables = readdirSync(base, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && entry.name !== 'base')
  .map(({ name }) => name);

describe('the folder of a reference table', () => {
  it.each(tables)('%s has five files', (table) => {
    const roles = ['controller', 'dto', 'entity', 'module', 'service'];
    expect(readdirSync(join(base, table)).sort()).toEqual(roles.map((role) => `${table}.${role}.ts`));
  });

  it('has at most sixty lines for a table of three fields', () => {
    const files = readdirSync(join(base, 'commodity'));
    const lines = files.flatMap((file) =>
      readFileSync(join(base, 'commodity', file), 'utf8')
        .trimEnd()
        .split('\n'),
    );
    expect(lines.length).toBeLessThanOrEqual(60);
  });
});
