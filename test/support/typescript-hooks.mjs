import { readFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { transform } from '@swc/core';

/** Resolves imports of built files (`.js`) to their TypeScript sources. */
export async function resolve(specifier, context, next) {
  if (/^(\.|file:).*\.js$/.test(specifier)) {
    const url = new URL(specifier, context.parentURL).href.replace(/\.js$/, '.ts');
    if (existsSync(fileURLToPath(url))) return { url, format: 'module', shortCircuit: true };
  }
  return next(specifier, context);
}

export async function load(url, context, next) {
  if (!url.endsWith('.ts')) return next(url, context);
  const { code } = await transform(await readFile(fileURLToPath(url), 'utf8'), {
    jsc: {
      target: 'es2022',
      parser: { syntax: 'typescript', decorators: true },
      transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false },
      experimental: { keepImportAttributes: true },
    },
    module: { type: 'es6' },
    sourceMaps: 'inline',
  });
  return { source: code, format: 'module', shortCircuit: true };
}
