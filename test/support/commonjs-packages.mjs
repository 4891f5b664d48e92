import { readFileSync } from 'node:fs';
import { provideNest } from './provide-nest.mjs';

/*
 * Before each test file: where the service depends on a CommonJS package that needs Nest, Jest gets
 * what it cannot load for it. Nothing is loaded otherwise.
 */

const manifestOf = (folder) => JSON.parse(readFileSync(`${folder}/package.json`, 'utf8'));

function needsNest(name) {
  const { type, dependencies, peerDependencies } = manifestOf(`node_modules/${name}`);
  return type !== 'module' && '@nestjs/common' in { ...dependencies, ...peerDependencies };
}

const { dependencies, devDependencies } = manifestOf('.');
if (Object.keys({ ...dependencies, ...devDependencies }).some(needsNest)) await provideNest();
