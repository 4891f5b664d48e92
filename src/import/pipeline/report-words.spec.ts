import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { SKIP_REASONS } from './report-words.js';

const folder = resolve('src/import');
const code = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts') && !name.endsWith('.spec.ts'))
  .map((name) => readFileSync(resolve(folder, name), 'utf8'))
  .join('\n');

it('every reason to skip a row is explained, and no other', () => {
  const used = [
    ...code.matchAll(/skip(?:\(|: )(?:run\.mode === 'fill_only' \? )?'([a-z_]+)'(?: : '([a-z_]+)')?/g),
  ];
  const reasons = used.flatMap(([, first, second]) => (second === undefined ? [first] : [first, second]));
  expect([...new Set(reasons)].sort()).toEqual(Object.keys(SKIP_REASONS).sort());
});
