import assert from 'node:assert/strict';
import type { Rule } from '../support/rule.js';
import { Service } from '../support/service.js';

const GOOD = 'q8N2-vT5x_Lr7W0z-bK4mJ9cE1yH6sD3';
/** Invalid settings, and the variable that the error must name. */
const INVALID: [settings: Record<string, string>, variable: string][] = [
  [{ JWT_SECRET: '' }, 'JWT_SECRET'],
  [{ JWT_SECRET: 'hunter2-hunter2' }, 'JWT_SECRET'],
  [{ JWT_SECRET: 'abababababababababababababababababab' }, 'JWT_SECRET'],
  [{ JWT_SECRET: 'change-me-to-something-long-and-random' }, 'JWT_SECRET'],
  [{ JWT_SECRET: GOOD, JWT_SECRET_PREVIOUS: 'hunter2' }, 'JWT_SECRET_PREVIOUS'],
  [{ JWT_SECRET: GOOD, TRUST_PROXY: 'everybody' }, 'TRUST_PROXY'],
  [{ JWT_SECRET: GOOD, AUTH_ISSUER: 'https://login.example.org' }, 'AUTH_JWKS_URL'],
  [{ JWT_SECRET: GOOD, ACCESS_TOKEN_TTL: '2h' }, 'ACCESS_TOKEN_TTL'],
  [{ JWT_SECRET: GOOD, REFRESH_TOKEN_TTL: 'hunter2' }, 'REFRESH_TOKEN_TTL'],
];

export const production: Rule = {
  id: 'A13',
  title: 'production does not start with unsafe settings',
  async run() {
    let slowest = 0;
    for (const [settings, variable] of INVALID) {
      const service = await Service.launch({ settings: { NODE_ENV: 'production', ...settings } });
      const code = await service.waitForExit(5000);
      slowest = Math.max(slowest, performance.now() - service.startedAt);
      assert.equal(code, 1, `${variable}:${service.tail()}`);
      assert.match(service.output, new RegExp(`^ *${variable} `, 'm'));
      for (const value of Object.values(settings)) {
        assert.ok(value === '' || !service.output.includes(value), `The value of ${variable} was printed.`);
      }
    }
    const service = await Service.start({ settings: { NODE_ENV: 'production', JWT_SECRET: GOOD } });
    const { headers } = await service.request('/api/v1/PriceType/');
    assert.equal(headers['ratelimit-policy'], '"read";q=6000;w=60');
    await service.stop();
    return { cases: INVALID.length, 'slowest rejection ms': Math.round(slowest) };
  },
};
