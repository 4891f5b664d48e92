import { transformSync, version } from '@swc/core';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const FOLDER = fileURLToPath(new URL('../../node_modules/.cache/price-data-service/', import.meta.url));

/** How TypeScript is compiled for tests; types are checked apart. */
export const SWC_OPTIONS = {
  jsc: {
    target: 'es2022',
    parser: { syntax: 'typescript', decorators: true },
    transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false },
    keepClassNames: true,
    experimental: { keepImportAttributes: true },
  },
  module: { type: 'es6' },
};

/** The name of the compiled file, without its ending: other text or options make another one. */
const cachedName = (path, source) =>
  join(
    FOLDER,
    createHash('sha1')
      .update(JSON.stringify([version, SWC_OPTIONS]))
      .update(path)
      .update(source)
      .digest('hex'),
  );

/** The JavaScript of a TypeScript file, compiled at most once. */
export function compiled(path) {
  const source = readFileSync(path, 'utf8');
  const name = cachedName(path, source);
  if (existsSync(`${name}.js`)) return readFileSync(`${name}.js`, 'utf8');
  const { code, map } = transformSync(source, { ...SWC_OPTIONS, sourceMaps: true, filename: path });
  mkdirSync(FOLDER, { recursive: true });
  write(`${name}.map`, map);
  write(`${name}.js`, code);
  return code;
}

/** The file with the source map of a TypeScript file; undefined for all others. */
export function sourceMapOf(path) {
  const file = path.replace(/^file:\/\//, '').replace(/\?.*$/, '');
  return file.endsWith('.ts') && existsSync(file)
    ? `${cachedName(file, readFileSync(file, 'utf8'))}.map`
    : undefined;
}

/** Other processes compile the same file at the same time. */
function write(path, text) {
  writeFileSync(`${path}.${process.pid}`, text);
  renameSync(`${path}.${process.pid}`, path);
}
