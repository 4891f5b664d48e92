import { readFileSync } from 'node:fs';

it('The newest release of the changelog is the version of package.json', () => {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
  const releases = readFileSync('CHANGELOG.md', 'utf8').matchAll(
    /^## \[(\d+\.\d+\.\d+)\] - \d{4}-\d\d-\d\d$/gm,
  );
  expect([...releases][0]?.[1]).toBe(version);
});
