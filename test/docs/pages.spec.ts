import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { problemCodes, violationCodes } from '../../src/platform/errors/problem-codes.js';
import { RULES } from '../../src/quality/rules/rule-table.js';

const pages = [
  ...readdirSync('.').filter((file) => file.endsWith('.md')),
  ...['docs', 'deploy', 'bench'].flatMap((folder) =>
    (readdirSync(folder, { recursive: true }) as string[])
      .filter((file) => file.endsWith('.md'))
      .map((file) => join(folder, file)),
  ),
];

const sources = ['src', 'test'].flatMap((folder) =>
  (readdirSync(folder, { recursive: true }) as string[])
    .filter((file) => file.endsWith('.ts'))
    .map((file) => join(folder, file)),
);
const fileNames = new Set([...sources.map((file) => basename(file)), 'ormconfig.ts']);
const code = sources.map((file) => readFileSync(file, 'utf8')).join('\n');

/** Files and folders of the project that a text names, without patterns (`<number>`, `*`). */
const pathsIn = (text: string): string[] =>
  [...text.matchAll(/(?<![\w./-])(?:src|test|docs|deploy|scripts|sample|bench|\.ci)\/[\w./*<>-]*/g)]
    .map(([path]) => path.replace(/[.,]$/, ''))
    .filter((path) => !/[*<]/.test(path));

/** Anchors of the headings of a page, as GitHub makes them. */
const anchorsOf = (page: string): string[] =>
  [...readFileSync(page, 'utf8').matchAll(/^#+ (.*)$/gm)].map(([, heading]) =>
    heading!
      .toLowerCase()
      .replace(/[^\w -]/g, '')
      .replaceAll(' ', '-'),
  );

describe.each(pages)('%s', (page) => {
  const text = readFileSync(page, 'utf8');
  const prose = text.replace(/^```.*?^```$/gms, '');

  it('names only files that exist', () => {
    // Guides also name files to create, in folders that exist.
    const exists = (path: string) => existsSync(page.startsWith('docs/adding-') ? dirname(path) : path);
    const missing = pathsIn(prose).filter((path) => !exists(path));
    expect(missing).toEqual([]);
  });

  it('names only classes and files that the code has', () => {
    const names = [...prose.matchAll(/`([A-Z][a-z]+[A-Z]\w*|[\w.-]+\.ts)`/g)].map(([, name]) => name!);
    const missing = names.filter((name) =>
      name.endsWith('.ts') ? !fileNames.has(name) : !new RegExp(`\\b${name}\\b`).test(code),
    );
    expect(page.startsWith('docs/adding-') ? [] : missing).toEqual([]);
  });

  it('links only to pages and headings that exist', () => {
    const links = [...prose.matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]*))?\)/g)];
    const broken = links.filter(([, path, anchor]) => {
      const target = path === '' ? page : join(dirname(page), path!);
      return !existsSync(target) || (anchor !== undefined && !anchorsOf(target).includes(anchor));
    });
    expect(broken.map(([link]) => link)).toEqual([]);
  });

  it('has lines of at most 100 columns, apart from tables and code', () => {
    const long = prose.split('\n').filter((line) => line.length > 100 && !line.startsWith('|'));
    expect(long).toEqual([]);
  });
});

describe('docs/api/errors.md', () => {
  const text = readFileSync('docs/api/errors.md', 'utf8');

  /** The rows of a table, each with its cells. */
  const rowsOf = (header: string) => {
    const [, rows = ''] = text.split(`${header}\n|---|---|\n`);
    return rows
      .split('\n\n')[0]!
      .split('\n')
      .map((row) => row.split('|').slice(1, 3));
  };

  it('lists every code of errors beside its status', () => {
    const listed = rowsOf('| status | code |').map(([statuses, codes]) => ({
      statuses: statuses!.trim().split(', ').map(Number),
      codes: Array.from(codes!.matchAll(/`(\w+)`/g), ([, code]) => code!),
    }));
    const named = listed.flatMap(({ codes }) => codes);
    expect(named.toSorted()).toEqual(Object.keys(problemCodes).sort());
    for (const { statuses, codes } of listed) {
      const actual = codes.map((code) => problemCodes[code as keyof typeof problemCodes].status);
      expect([...new Set(actual)].sort()).toEqual(statuses);
    }
  });

  it('lists every code of violations', () => {
    const named = rowsOf('| code | meaning |').map(([code]) => code!.trim().replaceAll('`', ''));
    expect(named.toSorted()).toEqual(Object.keys(violationCodes).sort());
  });
});

it('docs/quality.md names every rule', () => {
  const text = readFileSync('docs/quality.md', 'utf8');
  expect(Object.keys(RULES).filter((rule) => !text.includes(`\`${rule}\``))).toEqual([]);
});
