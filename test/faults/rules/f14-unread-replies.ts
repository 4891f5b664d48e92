import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { assertDuration, assertStatuses } from '../support/assertions.js';
import { measureLoad } from '../support/http.js';
import { writePricesFile } from '../support/prices-file.js';
import { ms, type Rule } from '../support/rule.js';
import { Service, runBuiltCommand } from '../support/service.js';
import { UnreadReplies } from '../support/unread.js';

const ALL = '/api/v1/PriceSeriePrice/?format=csv';
const CACHED = '/api/v1/PriceSerie/?page_size=100';

const formatCounts = (statuses: Record<string, number>) =>
  Object.entries(statuses)
    .map(([status, count]) => `${status}×${count}`)
    .join(' ');

export const unreadReplies: Rule = {
  id: 'F14',
  title: '200 and 400 clients that request all prices and do not read them',
  timeoutMs: 240_000,
  async run(mode) {
    const series = mode.short ? 1000 : 5000;
    const service = await Service.start();
    const imported = await runBuiltCommand(
      'import',
      ['prices', writePricesFile(series, 100)],
      service.databaseUrl,
    );
    assert.equal(imported.code, 0, imported.output);
    await sleep(500);
    let count = 0;
    const lists = () => `/api/v1/PriceSerie/?page_size=100&commodity_ids=${(count++ % 40) + 1}`;
    assertStatuses(await measureLoad(service.port, lists, { clients: 2, duration: 2000 }), [200]);

    // The page cache stores what is requested twice.
    for (let times = 0; times < 3; times++) await service.request(CACHED);

    const readers = new UnreadReplies();
    for (let reader = 0; reader < 200; reader++) readers.open(service.port, ALL);
    // Without an agent, every request has a connection of its own.
    const request = { agent: undefined };
    const probe = (path: string) =>
      measureLoad(service.port, path, { clients: 1, rate: 20, duration: 8000, request });
    const [health, cached] = await Promise.all([probe('/health/live'), probe(CACHED)]);
    const { statuses, stalled } = readers;
    readers.close();
    assertStatuses(health, [200]);
    assertStatuses(cached, [200]);
    assert.ok(stalled >= 3, `Only ${stalled} replies were under way: ${JSON.stringify(statuses)}`);
    await sleep(1000);

    const more = new UnreadReplies();
    for (let reader = 0; reader < 400; reader++) more.open(service.port, ALL);
    const answeredAfter = await more.answered(30_000);
    const memory = service.residentMemory();
    const answers = more.statuses;
    const { withoutRetryAfter } = more;
    more.close();
    const total = (answers['200'] ?? 0) + (answers['503'] ?? 0);
    assert.equal(total, 400, `The 400 clients got ${JSON.stringify(answers)}.`);
    assert.ok((answers['200'] ?? 0) >= 3, JSON.stringify(answers));
    assert.equal(withoutRetryAfter, 0);
    assertDuration(mode, health.p99, 100, 'p99 of health checks on new connections');
    assertDuration(mode, cached.p99, 250, 'p99 of a cached page on new connections');
    assertDuration(mode, answeredAfter, 12_000, 'The answers to 400 clients');
    assert.ok(memory <= 350, `The service uses ${memory} MB.`);
    await service.stop();
    return {
      points: series * 100,
      '200 clients': formatCounts(statuses),
      'under way': stalled,
      'health p99 ms': ms(health.p99),
      'health slowest ms': ms(health.max),
      'cached p99 ms': ms(cached.p99),
      'cached slowest ms': ms(cached.max),
      '400 clients': formatCounts(answers),
      'all answered after ms': ms(answeredAfter),
      'memory MB': ms(memory),
    };
  },
};
