import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { compiled } from './typescript-cache.mjs';

/** What tests load in place of what cannot be had outside of a build, or of Jest's own loader. */
const REPLACED = [
  [/\/client-files\.js$/, new URL('client-files.ts', import.meta.url).href],
  [/^@jest\/globals$/, new URL('jest/globals.mjs', import.meta.url).href],
];

/** Resolves imports of built files (`.js`) to their TypeScript sources. */
export async function resolve(specifier, context, next) {
  const replaced = REPLACED.find(([pattern]) => pattern.test(specifier))?.[1];
  if (replaced !== undefined) return { url: replaced, format: 'module', shortCircuit: true };
  if (/^(\.|file:).*\.js$/.test(specifier)) {
    const url = new URL(specifier, context.parentURL).href.replace(/\.js$/, '.ts');
    if (existsSync(fileURLToPath(url))) return { url, format: 'module', shortCircuit: true };
  }
  return next(specifier, context);
}

export async function load(url, context, next) {
  if (!/\.ts(\?|$)/.test(url)) return next(url, context);
  return { source: compiled(fileURLToPath(url)), format: 'module', shortCircuit: true };
}
