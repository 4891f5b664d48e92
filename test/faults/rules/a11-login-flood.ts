import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { assertStatuses, assertDuration } from '../support/assertions.js';
import { sendRequest, measureLoad } from '../support/http.js';
import { ms, type Rule } from '../support/rule.js';
import { Service } from '../support/service.js';

/** Milliseconds up to which a doubled latency is only noise. */
const NOISE = 30;

export const loginFlood: Rule = {
  id: 'A11',
  title: 'reads while 100 connections log in',
  async run(mode) {
    const { short } = mode;
    // Each attempt comes from another address, as throttled attempts cost nothing.
    const service = await Service.start({ settings: { TRUST_PROXY: 'loopback' } });
    const duration = short ? 4000 : 15_000;
    let count = 0;
    const read = () => `/api/v1/Commodity/?name=name${count++}`;
    const reads = () => measureLoad(service.port, read, { clients: 8, rate: 100, duration });
    const calm = await reads();
    let going = true;
    const statuses: Record<string, number> = {};
    const logins = Array.from({ length: 100 }, async (_, client) => {
      for (let tries = 0; going; tries++) {
        const body = { username: `user ${client} ${tries}`, password: 'not the right one' };
        const headers = { 'X-Forwarded-For': `10.${client}.${tries >> 8}.${tries & 255}` };
        const { status } = await sendRequest(service.port, '/api/auth/login/', {
          method: 'POST',
          body,
          headers,
        });
        statuses[status] = (statuses[status] ?? 0) + 1;
        // Without a pause, immediate rejections would measure the speed of this script.
        await sleep(250);
      }
    });
    const flooded = await reads();
    going = false;
    await Promise.all(logins);
    assertStatuses(calm, [200]);
    assertStatuses(flooded, [200]);
    assert.ok((statuses['401'] ?? 0) > 0, `No password was hashed: ${JSON.stringify(statuses)}.`);
    for (const status of Object.keys(statuses)) assert.ok(['401', '429', '503'].includes(status), status);
    // On a shared machine the two measurements are not comparable.
    const limit = short ? 200 : Math.max(2 * calm.p99, NOISE);
    assertDuration(mode, flooded.p99, limit, `p99 of reads (${ms(calm.p99)} ms without logins)`);
    await service.stop();
    return {
      logins: Object.entries(statuses)
        .map(([status, times]) => `${status}×${times}`)
        .join(' '),
      'p99 calm ms': ms(calm.p99),
      'p99 flooded ms': ms(flooded.p99),
    };
  },
};
