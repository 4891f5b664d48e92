// Makes src/api.d.ts, and the digest of what it is made of, from the API document.
//
//   npm run types -- [FILE or URL of openapi.json]
import { readFile, writeFile } from 'node:fs/promises';
import openapiTS, { astToString } from 'openapi-typescript';
import { digestOf, normalize } from './normalize.mjs';

const source = process.argv[2] ?? 'http://127.0.0.1:3000/openapi.json';
const text = /^https?:/.test(source) ? await (await fetch(source)).text() : await readFile(source, 'utf8');
const document = JSON.parse(text);
const types = astToString(await openapiTS(normalize(document)));
const folder = process.argv[3] ?? new URL('../src/', import.meta.url).pathname;
await writeFile(
  `${folder}/api.d.ts`,
  `// Made by \`npm run types\` from the API document. Do not edit.\n\n${types}`,
);
await writeFile(`${folder}/api.sha256`, `${digestOf(document)}\n`);
