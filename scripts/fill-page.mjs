import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Replaces the section of a page in docs/ between the comments `<!-- NAME -->` and
 * `<!-- end of NAME -->`.
 * @throws Error if the page has no such section
 */
export function fillPage(page, name, text) {
  const path = join(import.meta.dirname, '../docs', page);
  const [begin, end] = [`<!-- ${name} -->`, `<!-- end of ${name} -->`];
  const old = readFileSync(path, 'utf8');
  const [from, to] = [old.indexOf(begin), old.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`docs/${page} has no section ${name}.`);
  writeFileSync(path, `${old.slice(0, from)}${begin}\n\n${text}\n\n${old.slice(to)}`);
}
