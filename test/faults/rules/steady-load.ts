import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { assertStatuses, assertDuration } from '../support/assertions.js';
import { measureLoad } from '../support/http.js';
import { writePricesFile } from '../support/prices-file.js';
import { ms, type Rule } from '../support/rule.js';
import { Service, runBuiltCommand } from '../support/service.js';

const COUNTRIES = ['KEN', 'UGA', 'TZA', 'ETH', 'RWA', 'MLI', 'NER', 'TCD'];
/** Milliseconds. */
const P99 = 150;

export const steadyLoad: Rule = {
  id: 'LOAD',
  title: '200 lists per second, alone and with 5 writes per second',
  timeoutMs: 240_000,
  async run(mode) {
    const { short } = mode;
    const service = await Service.start();
    await service.login();
    const file = writePricesFile(short ? 1000 : 5000, 10);
    const imported = await runBuiltCommand('import', ['prices', file], service.databaseUrl);
    assert.equal(imported.code, 0, imported.output);
    let count = 0;
    const list = () => {
      const country = COUNTRIES[count % COUNTRIES.length];
      const day = String(1 + (count++ % 28)).padStart(2, '0');
      return `/api/v1/PriceSerie/?page_size=100&iso3_country_codes=${country}&newerThan=2000-01-${day}`;
    };
    const duration = short ? 5000 : 60_000;
    const alone = await measureLoad(service.port, list, { clients: 32, rate: 200, duration });

    let going = true;
    let written = 0;
    const writing = (async () => {
      for (; going; await sleep(200)) {
        const reply = await service.write('POST', '/api/v1/Commodity/', {
          commodity_name: `Written ${written}`,
        });
        assert.equal(reply.status, 201, reply.text);
        written++;
      }
    })();
    const beside = await measureLoad(service.port, list, { clients: 32, rate: 200, duration });
    going = false;
    await writing;

    assertStatuses(alone, [200]);
    assertStatuses(beside, [200]);
    assertDuration(mode, alone.p99, P99, 'p99');
    assertDuration(mode, beside.p99, 1.5 * P99, 'p99 with writes');
    await service.stop();
    return {
      lists: alone.replies + beside.replies,
      writes: written,
      'p99 alone ms': ms(alone.p99),
      'p99 beside writes ms': ms(beside.p99),
    };
  },
};
