import assert from 'node:assert/strict';
import { closeSync, existsSync, openSync } from 'node:fs';
import { assertStatuses, assertDuration } from '../support/assertions.js';
import { measureLoad } from '../support/http.js';
import { ms, type Measurements, type Rule, type RunMode } from '../support/rule.js';
import { Service } from '../support/service.js';

const FULL = '/dev/full';

/** Sends requests until lines are dropped. */
async function dropLines(stdout: 'unread' | number, mode: RunMode): Promise<Measurements> {
  // Long request ids produce long lines, which fill the pipe and the buffer quickly.
  const service = await Service.start({ stdout });
  const result = await measureLoad(service.port, '/api/v1/PriceType/', {
    clients: 16,
    duration: mode.short ? 4000 : 12_000,
    request: { headers: { 'X-Request-Id': 'x'.repeat(64) } },
  });
  assertStatuses(result, [200]);
  assertDuration(mode, result.max, 1000, 'A request');
  const dropped = await service.metric('pds_log_lines_dropped_total');
  assert.ok(dropped > 0, `${dropped} lines were dropped of ${result.replies}.`);
  service.signal('SIGTERM');
  assert.equal(await service.waitForExit(5000), 0, 'The service did not exit.');
  return { requests: result.replies, 'lines dropped': dropped, 'p99 ms': ms(result.p99) };
}

export const logBlocked: Rule = {
  id: 'F17',
  title: 'log output blocked',
  run: (mode) => dropLines('unread', mode),
};

export const logFull: Rule = {
  id: 'F17S',
  title: 'disk of the log output full',
  ...(existsSync(FULL) ? {} : { skipReason: `There is no ${FULL}.` }),
  async run(mode) {
    const full = openSync(FULL, 'w');
    try {
      return await dropLines(full, mode);
    } finally {
      closeSync(full);
    }
  },
};
