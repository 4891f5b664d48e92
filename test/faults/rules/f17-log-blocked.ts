import assert from 'node:assert/strict';
import { closeSync, existsSync, openSync } from 'node:fs';
import { assertOnly, assertWithin } from '../support/assertions.js';
import { runLoad } from '../support/http.js';
import { ms, type Figures, type Rule } from '../support/rule.js';
import { Service } from '../support/service.js';

export const logBlocked: Rule = {
  id: 'F17',
  title: 'log target blocked or full',
  async run(mode) {
    const { short } = mode;
    const figures: Figures = {};
    const targets: ['unread' | number, string][] = [['unread', 'unread pipe']];
    const full = existsSync('/dev/full') ? openSync('/dev/full', 'w') : null;
    if (full !== null) targets.push([full, 'full disk']);
    for (const [stdout, name] of targets) {
      // Long request ids make long lines, so the pipe and the buffer fill soon.
      const service = await Service.start({ stdout });
      const seen = await runLoad(service.port, '/api/v1/PriceType/', {
        clients: 16,
        duration: short ? 4000 : 12_000,
        ask: { headers: { 'X-Request-Id': 'x'.repeat(64) } },
      });
      assertOnly(seen, [200]);
      assertWithin(mode, seen.most, 1000, 'A request');
      const metrics = (await service.ask('/metrics')).text;
      const dropped = Number(/^pds_log_lines_dropped_total (\d+)$/m.exec(metrics)?.[1]);
      assert.ok(dropped > 0, `${dropped} lines were dropped of ${seen.replies}.`);
      service.signal('SIGTERM');
      assert.equal(await service.end(5000), 0, `${name}: it did not end.`);
      figures[`${name}: requests`] = seen.replies;
      figures[`${name}: lines dropped`] = dropped;
      figures[`${name}: p99 ms`] = ms(seen.p99);
    }
    if (full !== null) closeSync(full);
    return figures;
  },
};
