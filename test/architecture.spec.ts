import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

/**
 * The rooms of the house and what each may see: everything that stands before it, itself, and nothing else. Rooms of one
 * line do not see each other. The files directly under src/ put the parts together: they see all, nothing sees them.
 */
const floors: string[][] = [
  ['common'],
  ['config'],
  ['database'],
  ['audit'],
  ['auth', 'idempotency', 'operations'],
  ['reference/base'],
  [
    'reference/commodity',
    'reference/cpi',
    'reference/fx-rate',
    'reference/market',
    'reference/measure-unit',
    'reference/price-type',
    'reference/source',
  ],
  ['reference'],
  ['price-series'],
  ['prices'],
  ['fpma-compat', 'import'],
  ['sample', 'openapi'],
  ['.'],
];

const source = resolve('src');
const files = (readdirSync(source, { recursive: true }) as string[]).filter(
  (file) => file.endsWith('.ts') && !file.endsWith('.spec.ts'),
);
const rooms = floors.flat();

function roomOf(file: string): string {
  const folder = dirname(file);
  const found = rooms
    .filter((room) => folder === room || folder.startsWith(`${room}/`))
    .sort((one, other) => other.length - one.length)[0];
  if (found === undefined) throw new Error(`${file} stands in a folder that has no floor in this test.`);
  return found;
}

/** The files of this project that a file imports; type-only imports are erased and make no cycle. */
function importsOf(file: string, typesToo: boolean): string[] {
  const text = readFileSync(join(source, file), 'utf8');
  return [...text.matchAll(/^(?:import|export)\s+(type\s+)?[^;]*?from\s+'(\.[^']+)'/gm)]
    .filter((match) => typesToo || match[1] === undefined)
    .map((match) => relative(source, resolve(source, dirname(file), match[2]!)).replace(/\.js$/, '.ts'));
}

describe('architecture', () => {
  const floorOf = (room: string) => floors.findIndex((floor) => floor.includes(room));

  it('lets each folder see only what stands below it', () => {
    const wrong = files.flatMap((file) =>
      importsOf(file, true)
        .filter(
          (target) => roomOf(target) !== roomOf(file) && floorOf(roomOf(target)) >= floorOf(roomOf(file)),
        )
        .map((target) => `${file} must not import ${target}`),
    );
    expect(wrong).toEqual([]);
  });

  it('has no cycles', () => {
    const state = new Map<string, 'open' | 'done'>();
    const cycles: string[] = [];
    const visit = (file: string, path: string[]) => {
      if (state.get(file) === 'done') return;
      if (state.get(file) === 'open') {
        cycles.push([...path.slice(path.indexOf(file)), file].join(' -> '));
        return;
      }
      state.set(file, 'open');
      for (const target of importsOf(file, false)) visit(target, [...path, file]);
      state.set(file, 'done');
    };
    for (const file of files) visit(file, []);
    expect(cycles).toEqual([]);
  });

  it('reads the environment in config/ alone', () => {
    const readers = files.filter((file) => /process\.env\b/.test(readFileSync(join(source, file), 'utf8')));
    expect(readers.filter((file) => roomOf(file) !== 'config')).toEqual([]);
  });

  it('holds every file to the suffix that the module system asks for', () => {
    const bare = files.filter((file) =>
      /from '\.[^']*(?<!\.js)'/.test(readFileSync(join(source, file), 'utf8')),
    );
    expect(bare).toEqual([]);
  });
});
