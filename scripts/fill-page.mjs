import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Writes a part of a page of docs/, between the comments `<!-- NAME -->` and `<!-- end of NAME -->`; the rest of it stays.
 * @throws Error where the page has no such part
 */
export function fillPage(page, name, text) {
  const path = join(import.meta.dirname, '../docs', page);
  const [begin, end] = [`<!-- ${name} -->`, `<!-- end of ${name} -->`];
  const old = readFileSync(path, 'utf8');
  const [from, to] = [old.indexOf(begin), old.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`docs/${page} has no part ${name}.`);
  writeFileSync(path, `${old.slice(0, from)}${begin}\n\n${text}\n\n${old.slice(to)}`);
}
