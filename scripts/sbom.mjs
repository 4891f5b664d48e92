/*
 * Writes the software bill of materials (CycloneDX) of the installed packages to a file, without
 * those for development:
 *   node scripts/sbom.mjs FILE
 *
 * `npm sbom --omit dev` leaves out every package that development uses as well, such as Express, so
 * the whole list is filtered here by what an installation for production has.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';

const { packages } = JSON.parse(readFileSync('node_modules/.package-lock.json', 'utf8'));
const production = new Set(
  Object.entries(packages)
    .filter(([, { dev }]) => !dev)
    .map(([path, { name, version }]) => `${name ?? path.split('node_modules/').at(-1)}@${version}`),
);

const npmSbom = ['sbom', '--sbom-format', 'cyclonedx'];
const sbom = JSON.parse(execFileSync('npm', npmSbom, { maxBuffer: 100 * 1024 * 1024 }));
const root = sbom.metadata.component['bom-ref'];
sbom.components = sbom.components.filter((component) => production.has(component['bom-ref']));
// A package that development uses, too, can be marked as one for development.
for (const component of sbom.components) component.properties = [];
sbom.dependencies = sbom.dependencies
  .filter(({ ref }) => ref === root || production.has(ref))
  .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((other) => production.has(other)) }));

const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8'));
for (const [name, version] of Object.entries(dependencies))
  assert(production.has(`${name}@${version}`), name);
assert.deepEqual(new Set(sbom.components.map((component) => component['bom-ref'])), production);

writeFileSync(process.argv[2], `${JSON.stringify(sbom, null, 2)}\n`);
console.log(`${process.argv[2]} lists ${production.size} packages.`);
