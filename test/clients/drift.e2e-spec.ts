import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { digestOf } from '../../clients/typescript/scripts/normalize.mjs';
import { onSqlite } from '../support/engines.js';
import type { Json } from '../fuzz/api-document.js';
import { startTestApp } from '../support/test-app.js';

const CLIENT = 'clients/typescript';
const REMEDY = 'Run `npm run types` in clients/typescript with the address of a running service.';
const isInstalled = existsSync(`${CLIENT}/node_modules/openapi-typescript`);

onSqlite.describe('clients and the API document', () => {
  let text: string;
  beforeAll(async () => {
    const service = await startTestApp();
    ({ text } = await service.http().get('/openapi.json').expect(200));
    await service.close();
  });

  it('the types for TypeScript are those of the document', () => {
    const digest = readFileSync(`${CLIENT}/src/api.sha256`, 'utf8').trim();
    expect([digest, REMEDY]).toEqual([digestOf(JSON.parse(text)), REMEDY]);
  });

  it('a parameter, a field and an address more or less change the digest, and no other word does', () => {
    const changed = (change: (document: Json) => void) => {
      const document = JSON.parse(text) as Json;
      change(document);
      return digestOf(document) !== digestOf(JSON.parse(text));
    };
    const serie = '/api/v1/PriceSerie';
    expect([
      changed(({ paths }) => (paths![serie]!.get!.parameters as unknown as Json[]).pop()),
      changed(({ components }) => delete components!.schemas!.Serie!.properties!.market),
      changed(({ paths }) => delete paths![serie]),
      changed(({ components }) => (components!.schemas!.Serie!.properties!.description = text as never)),
      changed(({ info }) => (info!.description = text as never)),
      changed(({ paths }) => (paths![serie]!.get!.summary = text as never)),
      changed(({ paths }) => delete paths![serie]!.get!.responses![400]),
    ]).toEqual([true, true, true, true, false, false, false]);
  });

  (isInstalled ? it : notInstalled)('the generator makes the same types, which compile', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'types-'));
    writeFileSync(join(folder, 'openapi.json'), text);
    const made = spawn(process.execPath, [
      `${CLIENT}/scripts/make-types.mjs`,
      join(folder, 'openapi.json'),
      folder,
    ]);
    await once(made, 'exit');
    for (const file of ['api.d.ts', 'api.sha256'])
      expect(readFileSync(join(folder, file), 'utf8')).toBe(readFileSync(`${CLIENT}/src/${file}`, 'utf8'));
    rmSync(folder, { recursive: true });
    const compiler = `${CLIENT}/node_modules/typescript/bin/tsc`;
    const { stdout } = spawnSync(process.execPath, [compiler, '-p', CLIENT, '--noEmit']);
    expect(String(stdout)).toBe('');
  });

  it.each(['clients/python/pricedata.py', 'clients/r/pricedata.R'])(
    '%s names addresses and parameters that the document has',
    (file) => {
      const client = readFileSync(file, 'utf8');
      const { paths } = JSON.parse(text) as {
        paths: Record<string, { get?: { parameters?: { name: string }[] } }>;
      };
      const addresses = [
        ...client.matchAll(
          /(?:request|get|rows|get_json)\("([A-Z][a-z]\w*)["/]|\("([A-Z]\w+)", "\w+_ids"\)/g,
        ),
      ].map(([, called, table]) => called ?? table!);
      expect(addresses).toEqual(expect.arrayContaining(['PriceTable', 'Country', 'Source', 'Market']));
      expect(addresses.filter((name) => paths[`/api/v1/${name}`] === undefined)).toEqual([]);
      const parameters = [...client.matchAll(PARAMETERS)].map(([name]) => name);
      const known = new Set(
        Object.values(paths).flatMap(({ get }) => (get?.parameters ?? []).map(({ name }) => name)),
      );
      expect(parameters).toEqual(expect.arrayContaining(['start_date', 'as_of', 'sources_ids']));
      expect(parameters.filter((name) => !known.has(name))).toEqual([]);
    },
  );
});

/** Words of the clients that are parameters of the service. */
const PARAMETERS =
  /\b(iso3_country_codes|(commodity|market|price_types?|sources?)_ids|(start|end)_date|as_of|uuids|page_size)\b/g;

function notInstalled(title: string): void {
  process.stdout.write(`Skipped, needs npm ci in ${CLIENT}: ${title}\n`);
  it.skip(title, () => undefined);
}
