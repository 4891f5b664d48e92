import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { referenceTables } from '../../src/reference/reference.module.js';

const base = 'src/reference';
const tables = readdirSync(base, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && entry.name !== 'base')
  .map(({ name }) => name);

describe('the folder of a reference table', () => {
  it('is named after its path segment, and its module is in reference.module.ts', () => {
    const folders = referenceTables().map(({ name }) =>
      name.replace(/(?<=[a-z])(?=[A-Z])/g, '-').toLowerCase(),
    );
    expect(folders.sort()).toEqual(tables);
  });

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
