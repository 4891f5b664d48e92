import assert from 'node:assert/strict';
import { closeSync, existsSync, openSync } from 'node:fs';
import { assertStatuses, assertDuration } from '../support/assertions.js';
import { measureLoad } from '../support/http.js';
import { ms, type Measurements, type Rule } from '../support/rule.js';
import { Service } from '../support/service.js';

export const logBlocked: Rule = {
  id: 'F17',
  title: 'log output blocked or full',
  async run(mode) {
    const { short } = mode;
    const measurements: Measurements = {};
    const targets: ['unread' | number, string][] = [['unread', 'unread pipe']];
    const full = existsSync('/dev/full') ? openSync('/dev/full', 'w') : null;
    if (full !== null) targets.push([full, 'full disk']);
    for (const [stdout, name] of targets) {
      // Long request ids produce long lines, which fill the pipe and the buffer quickly.
      const service = await Service.start({ stdout });
      const result = await measureLoad(service.port, '/api/v1/PriceType/', {
        clients: 16,
        duration: short ? 4000 : 12_000,
        request: { headers: { 'X-Request-Id': 'x'.repeat(64) } },
      });
      assertStatuses(result, [200]);
      assertDuration(mode, result.max, 1000, 'A request');
      const dropped = await service.metric('pds_log_lines_dropped_total');
      assert.ok(dropped > 0, `${dropped} lines were dropped of ${result.replies}.`);
      service.signal('SIGTERM');
      assert.equal(await service.waitForExit(5000), 0, `${name}: the service did not exit.`);
      measurements[`${name}: requests`] = result.replies;
      measurements[`${name}: lines dropped`] = dropped;
      measurements[`${name}: p99 ms`] = ms(result.p99);
    }
    if (full !== null) closeSync(full);
    return measurements;
  },
};
