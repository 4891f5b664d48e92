import assert from 'node:assert/strict';
import BetterSqlite3 from 'better-sqlite3';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathOf } from '../support/embedded.js';
import type { Rule } from '../support/rule.js';
import { Service } from '../support/service.js';
import { createFolder } from '../support/resources.js';

export const foreignFile: Rule = {
  id: 'F8',
  title: 'embedded file damaged or foreign',
  async run() {
    const first = await Service.start();
    await first.stop();
    const good = readFileSync(pathOf(first.databaseUrl));
    const foreign = join(createFolder(), 'foreign.sqlite');
    const handle = new BetterSqlite3(foreign);
    handle.exec('CREATE TABLE letter (id INTEGER PRIMARY KEY, text TEXT)');
    handle.close();
    const files: Record<string, [content: Buffer, line: RegExp]> = {
      'header overwritten': [Buffer.concat([Buffer.alloc(100, 'x'), good.subarray(100)]), /damaged/],
      'pages overwritten': [
        Buffer.concat([good.subarray(0, 4096), Buffer.alloc(8192, 'x'), good.subarray(12288)]),
        /damaged/,
      ],
      truncated: [good.subarray(0, 3 * 4096 + 100), /damaged/],
      empty: [Buffer.alloc(0), /prices\.sqlite is empty/],
      'another application': [readFileSync(foreign), /contains the tables of another application/],
    };
    for (const [what, [content, line]] of Object.entries(files)) {
      const path = join(createFolder(), 'prices.sqlite');
      writeFileSync(path, content);
      const service = await Service.launch({ databaseUrl: `sqlite:${path}` });
      assert.equal(await service.waitForExit(8000), 1, `${what}:${service.tail()}`);
      assert.match(service.output, line, what);
      assert.ok(!service.output.includes('    at '), `${what}: a stack trace was printed.${service.tail()}`);
      assert.ok(readFileSync(path).equals(content), `${what}: the file was changed.`);
    }
    return { cases: Object.keys(files).length };
  },
};
