import { readFileSync } from 'node:fs';

type Packages = Record<string, string>;
const { dependencies, devDependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as {
  dependencies: Packages;
  devDependencies: Packages;
};

/** The rows of the table in a section of docs/dependencies.md. */
function tableIn(section: string): { name: string; reason: string }[] {
  const text = readFileSync('docs/dependencies.md', 'utf8');
  const table = text.slice(text.indexOf(`\n## ${section}\n`)).match(/(?:^\|.*\n)+/m)![0];
  return [...table.matchAll(/^\| `(.+?)` \| (.*) \|$/gm)].map(([, name, reason]) => ({
    name: name!,
    reason: reason!,
  }));
}

describe.each([
  ['In production', dependencies],
  ['For development', devDependencies],
])('Table of dependencies "%s"', (section, packages) => {
  const rows = tableIn(section);

  it('lists the packages of package.json in their order, each once', () => {
    expect(rows.map(({ name }) => name)).toEqual(Object.keys(packages));
  });

  it('gives a reason for each', () => {
    expect(rows.filter(({ reason }) => reason.trim() === '')).toEqual([]);
  });
});

it('Versions of dependencies are exact', () => {
  const versions = Object.entries({ ...dependencies, ...devDependencies });
  expect(versions.filter(([, version]) => !/^\d+\.\d+\.\d+(-r\.\d+)?$/.test(version))).toEqual([]);
});
