import assert from 'node:assert/strict';
import BetterSqlite3 from 'better-sqlite3';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileOf } from '../support/embedded.js';
import type { Rule } from '../support/rule.js';
import { Service } from '../support/service.js';
import { newFolder } from '../support/workshop.js';

export const foreignFile: Rule = {
  id: 'F8',
  title: 'embedded file damaged or foreign',
  async run() {
    const first = await Service.start();
    await first.stop();
    const good = readFileSync(fileOf(first.databaseUrl));
    const foreign = join(newFolder(), 'foreign.sqlite');
    const handle = new BetterSqlite3(foreign);
    handle.exec('CREATE TABLE letter (id INTEGER PRIMARY KEY, text TEXT)');
    handle.close();
    const files: Record<string, [content: Buffer, line: RegExp]> = {
      'header overwritten': [Buffer.concat([Buffer.alloc(100, 'x'), good.subarray(100)]), /damaged/],
      'pages overwritten': [
        Buffer.concat([good.subarray(0, 4096), Buffer.alloc(8192, 'x'), good.subarray(12288)]),
        /damaged/,
      ],
      'cut off': [good.subarray(0, 3 * 4096 + 100), /damaged/],
      'another program': [readFileSync(foreign), /holds the tables of something else/],
    };
    for (const [what, [content, line]] of Object.entries(files)) {
      const path = join(newFolder(), 'prices.sqlite');
      writeFileSync(path, content);
      const service = await Service.launch({ databaseUrl: `sqlite:${path}` });
      assert.equal(await service.end(8000), 1, `${what}:${service.tail()}`);
      assert.match(service.output, line, what);
      assert.ok(!service.output.includes('    at '), `${what}: a stack is no clear line.${service.tail()}`);
      assert.ok(readFileSync(path).equals(content), `${what}: the file was changed.`);
    }
    return { cases: Object.keys(files).length };
  },
};
