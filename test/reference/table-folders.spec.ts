import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { referenceTables } from '../../src/reference/reference.module.js';

const base = 'src/reference';
const tables = readdirSync(base, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && !['aliases', 'base'].includes(entry.name))
  .map(({ name }) => name);

/** What a table has besides: what others ask of its records, and the names of countries. */
const more: Readonly<Record<string, readonly string[]>> = {
  cpi: ['stored-indices.ts'],
  'fx-rate': ['stored-rates.ts'],
  market: ['country-names.ts', 'market-countries.ts', 'market-positions.ts'],
};

describe('the folder of a reference table', () => {
  it('is named after its path segment, and its module is in reference.module.ts', () => {
    const folders = referenceTables().map(({ name }) =>
      name.replace(/(?<=[a-z])(?=[A-Z])/g, '-').toLowerCase(),
    );
    expect(folders.sort()).toEqual(tables);
  });

  it.each(tables)('%s has five files', (table) => {
    const roles = ['controller', 'dto', 'entity', 'module', 'service'];
    const files = roles.map((role) => `${table}.${role}.ts`);
    expect(readdirSync(join(base, table)).sort()).toEqual([...(more[table] ?? []), ...files].sort());
  });

  it('has at most sixty lines for a table of three fields, and two for each further one', () => {
    const folder = join(base, 'commodity');
    const lines = readdirSync(folder).flatMap((file) =>
      readFileSync(join(folder, file), 'utf8').trimEnd().split('\n'),
    );
    const fields = lines.filter((line) => /^ {2}@\w*Column\(/.test(line)).length;
    expect(lines.length).toBeLessThanOrEqual(60 + 2 * (fields - 3));
  });
});
