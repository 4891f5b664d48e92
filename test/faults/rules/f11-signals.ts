import assert from 'node:assert/strict';
import { Agent } from 'node:http';
import { connect } from 'node:net';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { assertWithin } from '../support/assertions.js';
import { pathOf } from '../support/embedded.js';
import { startLoad } from '../support/http.js';
import { holdLock } from '../support/lock-holder.js';
import { ms, type Rule } from '../support/rule.js';
import { Service } from '../support/service.js';

/** Opens a connection to the service and sends a text. */
async function socketTo(service: Service, text: string) {
  const socket = connect(service.port, '127.0.0.1');
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  if (text !== '') socket.write(text);
  return socket;
}

export const signals: Rule = {
  id: 'F11',
  title: 'SIGTERM and SIGINT under load, slow and idle clients',
  timeoutMs: 180_000,
  async run({ short }) {
    let slowest = 0;
    let responses = 0;
    const rounds = short ? 2 : 6;
    for (let round = 0; round < rounds; round++) {
      const service = await Service.start();
      await service.login();
      // An idle keep-alive connection, a silent one, and a partial request.
      const idle = new Agent({ keepAlive: true });
      assert.equal((await service.request('/api/v1/PriceType/', { agent: idle })).status, 200);
      const silent = await socketTo(service, '');
      const half = await socketTo(service, 'GET /api/v1/PriceType/ HTTP/1.1\r\nHost: loc');
      // A write that takes two seconds: another process holds the lock.
      const { released } = await holdLock(pathOf(service.databaseUrl), 2000);
      const slow = service.write('POST', '/api/v1/Commodity/', { commodity_name: 'Slow' });
      let count = 0;
      const load = startLoad(service.port, () => `/api/v1/Commodity/?name=name${count++}`, { clients: 8 });
      await sleep(500);

      const began = performance.now();
      service.signal(round % 2 === 0 ? 'SIGTERM' : 'SIGINT');
      assert.equal(await service.waitForExit(11_000), 0, `${service.tail()}`);
      const took = performance.now() - began;
      slowest = Math.max(slowest, took);
      assertWithin(took, 10_000, 'The shutdown');
      const written = await slow;
      assert.equal(
        written.status,
        201,
        `The write in progress was answered ${written.status} ${written.error}.`,
      );
      assert.equal(written.headers.connection, 'close');
      assert.ok(written.ms > 500, 'The write had ended before the signal.');
      const result = await load.stop();
      assert.equal(result.truncated, 0, 'Responses were truncated.');
      assert.deepEqual(
        Object.keys(result.statuses).filter((status) => !['200', 'none'].includes(status)),
        [],
      );
      responses += result.statuses['200'] ?? 0;
      await released;
      silent.destroy();
      half.destroy();
      idle.destroy();
    }

    // Not ready at once, but still accepting connections.
    const delayed = await Service.start({ settings: { SHUTDOWN_DELAY: '2' } });
    delayed.signal('SIGTERM');
    await delayed.waitForStatus('/health/ready', 503, 500);
    assert.equal((await delayed.request('/api/v1/PriceType/')).status, 200);
    assert.equal(await delayed.waitForExit(5000), 0);

    // A request that never completes: the deadline, and a second signal.
    const unfinished =
      'POST /api/auth/login/ HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 50\r\n\r\n{';
    const stuck = await Service.start();
    const sender = await socketTo(stuck, unfinished);
    await sleep(200);
    const began = performance.now();
    stuck.signal('SIGTERM');
    if (short) {
      await sleep(300);
      assert.equal(stuck.exitStatus, null);
      stuck.signal('SIGTERM');
      assert.equal(await stuck.waitForExit(2000), 1);
    } else {
      assert.equal(await stuck.waitForExit(11_000), 1, stuck.tail());
      const deadline = performance.now() - began;
      assertWithin(deadline, 10_500, 'The shutdown');
      const twice = await Service.start();
      const other = await socketTo(twice, unfinished);
      await sleep(200);
      twice.signal('SIGTERM');
      await sleep(300);
      assert.equal(twice.exitStatus, null);
      twice.signal('SIGINT');
      assert.equal(await twice.waitForExit(2000), 1);
      other.destroy();
    }
    sender.destroy();
    return { rounds, 'answers whole': responses, 'slowest end ms': ms(slowest) };
  },
};
