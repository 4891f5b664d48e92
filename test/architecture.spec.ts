import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { foreignTables } from './support/foreign-tables.js';

/**
 * The layers of `src/`: a folder may import from the folders of lower layers and from itself.
 * Folders of one layer do not import each other. Files directly under `src/` compose the
 * application, and those of `commands/` what commands run: they may import everything, and nothing
 * else imports them.
 */
const listed: string[][] = [
  ['lib'],
  ['platform/errors'],
  ['platform/clock', 'platform/logging', 'platform/metrics', 'platform/runtime', 'platform/workers'],
  ['platform/commands', 'platform/outgoing', 'platform/validation'],
  ['platform/formats'],
  ['platform/http'],
  ['platform/listing', 'platform/shutdown'],
  ['web'],
  ['config'],
  ['database'],
  ['ledger'],
  ['auth', 'idempotency', 'operations'],
  ['reference/base'],
  readdirSync(resolve('src/reference'))
    .filter((folder) => !/^(?:base|aliases)$|\./.test(folder))
    .map((folder) => `reference/${folder}`),
  ['reference'],
  ['reference/aliases'],
  ['price-series'],
  ['prices'],
  ['quality'],
  ['analysis'],
  ['releases'],
  ['fpma-compat', 'history/feed', 'import'],
  ['harvests', 'history', 'mirror'],
  ['editions'],
  ['explorer'],
  ['desk'],
  ['sample', 'openapi'],
];

const source = resolve('src');

/** Folders that are not listed, such as those of `nest generate`, see the listed ones. */
const unlisted = readdirSync(source, { withFileTypes: true })
  .filter(
    (entry) =>
      entry.isDirectory() &&
      !['commands', ...listed.flat()].some((folder) => folder.split('/')[0] === entry.name),
  )
  .map(({ name }) => name);
const layers = [...listed, unlisted, ['.'], ['commands']];

const files = (readdirSync(source, { recursive: true }) as string[]).filter(
  (file) => file.endsWith('.ts') && !file.endsWith('.spec.ts'),
);
const folders = layers.flat();

/** The longest listed folder that holds a file. */
function folderOf(file: string): string {
  const path = dirname(file);
  const found = folders
    .filter((folder) => path === folder || path.startsWith(`${folder}/`))
    .sort((one, other) => other.length - one.length)[0];
  if (found === undefined) throw new Error(`${file} is in a folder that has no layer.`);
  return found;
}

/**
 * The files of this project that a file imports; type-only imports are erased and make no cycle.
 */
function importsOf(file: string, typesToo: boolean): string[] {
  const text = readFileSync(join(source, file), 'utf8');
  return [...text.matchAll(/^(?:import|export)\s+(type\s+)?[^;]*?from\s+'(\.[^']+)'/gm)]
    .filter((match) => typesToo || match[1] === undefined)
    .map((match) => relative(source, resolve(source, dirname(file), match[2]!)).replace(/\.js$/, '.ts'));
}

const isIn = (folder: string, file: string) => file.startsWith(`${folder}/`);
const textOf = (file: string) => readFileSync(join(source, file), 'utf8');

/** Every table, by the folder that owns it: in SQL its name stands there alone. */
const owners: Record<string, string> = {
  database: 'lease',
  ledger: 'change_set data_revision import_lock record_change revision series_change',
  'ledger/versions': 'record_version',
  'ledger/audit': 'audit_log',
  'ledger/corrections': 'correction',
  'ledger/findings': 'finding finding_member',
  auth: 'account auth_attempt invitation login_session provider_session refresh_token',
  idempotency: 'idempotency_key',
  'reference/base': 'alias',
  'reference/commodity': 'commodity',
  'reference/cpi': 'cpi',
  'reference/fx-rate': 'fx_rate',
  'reference/market': 'market',
  'reference/measure-unit': 'measure_unit',
  'reference/price-type': 'price_type',
  'reference/source': 'source',
  'price-series': 'price_serie series_alias series_join series_period series_period_version',
  'prices/store': 'observation observation_version repeated_points',
  quality: 'series_digest series_group series_outlier series_step',
  releases: 'released_period',
  mirror: 'mirror',
  'import/mappings/stored': 'mapping mapping_version',
  editions: 'edition edition_lock',
  harvests: 'harvest harvest_run held_file',
};
const ownerOf = new Map(
  Object.entries(owners).flatMap(([folder, tables]) => tables.split(' ').map((table) => [table, folder])),
);

/** Where a table's name is next; a string may end in between and go on on the next line. */
const TABLE_POSITION =
  /(?:\b(?:FROM|JOIN|INTO|UPDATE|TABLE)(?:[\s(]|['"`]\s*\+\s*['"`])+|\b(?:from:|FROM\w* =)\s+['"`])\\?[`"]?/
    .source;
/** What writes or reads the table of an entity that it is given. */
const ENTITY_POSITION =
  /\b(?:insert|update|delete|remove\w*|from|into|getRepository|createQueryBuilder)\((?:transaction, )?/
    .source;

/** A text that may be given as a table's name: an argument, or not the last element of a list. */
const GIVEN_TABLE = /(?:[([,]\s*|\b(?:table|name): )'(\w+)'(?!\])/g;

/** By class. */
const entityTables = new Map<string, string>();
const entityFiles = new Map<string, string>();
for (const file of files)
  for (const [, table, name] of textOf(file).matchAll(/@Entity\('(\w+)'[^]*?export class (\w+)/g)) {
    entityTables.set(name!, table!);
    entityFiles.set(table!, file);
  }

/**
 * The tables that a file's SQL names. A file that puts a variable where a table's name stands also
 * names those that it has as texts: it gives them to itself.
 */
function tablesNamedIn(file: string): Set<string> {
  const text = textOf(file).replace(/^\s*(?:\/\*[^]*?\*\/|\/\/.*$)/gm, '');
  const named = [...text.matchAll(new RegExp(`${TABLE_POSITION}(\\w+)`, 'g'))].map(([, name]) => name!);
  const entities = [...text.matchAll(new RegExp(`${ENTITY_POSITION}([A-Z]\\w+)`, 'g'))];
  named.push(...entities.map(([, name]) => entityTables.get(name!) ?? ''));
  if (new RegExp(`${TABLE_POSITION}\\$\\{[a-z]\\w*\\}`).test(text))
    named.push(...[...text.matchAll(GIVEN_TABLE)].map(([, name]) => name!));
  return new Set(named.filter((name) => ownerOf.has(name)));
}

/** Paths of the text files in some folders of the repository. */
const filesBelow = (...roots: readonly string[]): string[] =>
  roots.flatMap((root) =>
    (readdirSync(resolve(root), { recursive: true }) as string[])
      .filter((file) => /\.(?:ts|mjs|md)$/.test(file))
      .map((file) => resolve(root, file)),
  );

/** The names that files declare and export, with their files. Migrations are found by name. */
function exportedNames(): [name: string, file: string][] {
  const exported = /^export (?:abstract |async )?(?:function\*?|const|let|class|interface|type|enum) (\w+)/gm;
  return files
    .filter((file) => !file.startsWith('database/migrations/'))
    .flatMap((file) =>
      [...textOf(file).matchAll(exported)].map(([, name]): [string, string] => [name!, file]),
    );
}

describe('architecture', () => {
  const layerOf = (folder: string) => layers.findIndex((layer) => layer.includes(folder));

  it('lets each folder import from lower layers only', () => {
    const wrong = files.flatMap((file) =>
      importsOf(file, true)
        .filter(
          (target) =>
            folderOf(target) !== folderOf(file) && layerOf(folderOf(target)) >= layerOf(folderOf(file)),
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

  it('has no word of the domain in lib, platform and database', () => {
    const words = /\b(?:fpma|price|prices|series|serie|commodity|commodities|market|markets|cpi)\b/i;
    // Migrations name tables, and the areas of the data revision are its columns.
    const named = /^database\/(?:migrations\/|revisions\.ts$)/;
    const found = files
      .filter((file) => /^(?:lib|platform|database)\//.test(file) && !named.test(file))
      .flatMap((file) =>
        textOf(file)
          .split('\n')
          .flatMap((line) => (words.test(line) ? [`${file}: ${line.trim()}`] : [])),
      );
    expect(found).toEqual([]);
  });

  it('exports no name from two files', () => {
    const filesOf = new Map<string, Set<string>>();
    for (const [name, file] of exportedNames()) filesOf.set(name, (filesOf.get(name) ?? new Set()).add(file));
    const repeated = [...filesOf].filter(([, { size }]) => size > 1);
    expect(repeated.map(([name, names]) => `${name}: ${[...names].join(', ')}`)).toEqual([]);
  });

  it('exports only what another file uses, of tests and documents, too', () => {
    const users = new Map<string, string[]>();
    for (const path of filesBelow('src', 'test', 'bench', 'scripts', '.ci', 'docs'))
      for (const word of new Set(readFileSync(path, 'utf8').match(/\w+/g)))
        users.set(word, [...(users.get(word) ?? []), relative(source, path)]);
    const unused = exportedNames().filter(([name, file]) => users.get(name)!.every((user) => user === file));
    expect(unused).toEqual([]);
  });

  it('keeps lib free of frameworks', () => {
    const outside = files
      .filter((file) => file.startsWith('lib/'))
      .filter((file) => /from '(?!\.|node:)/.test(textOf(file)));
    expect(outside).toEqual([]);
  });

  it('lets scripts for browsers import each other only, and nothing import them', () => {
    const isClient = (file: string) => file.startsWith('web/client/');
    const crossing = files.flatMap((file) =>
      importsOf(file, false)
        .filter((target) => isClient(file) !== isClient(target))
        .map((target) => `${file} must not import ${target}`),
    );
    const packages = files.filter((file) => isClient(file) && /from '[^.]/.test(textOf(file)));
    expect([crossing, packages]).toEqual([[], []]);
  });

  it('binds no LIMIT: SQLite would compile the statement anew each time', () => {
    expect(files.filter((file) => /LIMIT \?/.test(textOf(file)))).toEqual([]);
  });

  it('reads the environment in config/ alone', () => {
    const readers = files.filter((file) => /process\.env\b/.test(textOf(file)));
    expect(readers.filter((file) => folderOf(file) !== 'config')).toEqual([]);
  });

  it('knows the owner of every table', () => {
    expect([...ownerOf.keys()].sort()).toEqual([...entityFiles.keys()].sort());
    const elsewhere = [...entityFiles].filter(([table, file]) => !isIn(ownerOf.get(table)!, file));
    expect(elsewhere).toEqual([]);
  });

  it("names a table in SQL in its owner's folder alone, but for what is listed", () => {
    const found = files
      .filter((file) => !file.startsWith('database/migrations/'))
      .flatMap((file) =>
        [...tablesNamedIn(file)]
          .filter((table) => !isIn(ownerOf.get(table)!, file))
          .map((table) => `${file}: ${table}`),
      );
    const expected = foreignTables.flatMap(({ files: listedFiles }) =>
      Object.entries(listedFiles).flatMap(([file, tables]) =>
        tables.split(' ').map((table) => `${file}: ${table}`),
      ),
    );
    expect(found.sort()).toEqual(expected.sort());
    // May only fall: a table's owner reads and writes it for others, in words of the domain.
    expect(expected).toHaveLength(28);
  });

  it('holds every file to the suffix that the module system asks for', () => {
    const bare = files.filter((file) => /from '\.[^']*(?<!\.js(?:on)?)'/.test(textOf(file)));
    expect(bare).toEqual([]);
  });
});
