import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Agent } from 'node:http';
import { connect, createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { sendRequest } from '../support/http.js';
import { findFreePort } from '../support/resources.js';
import { ms, type Rule } from '../support/rule.js';
import { Service } from '../support/service.js';

/** Checks that the service does not start while another program listens at its management port. */
async function startAtTakenPort(workers: string): Promise<void> {
  const other = createServer().listen(await findFreePort(), '127.0.0.1');
  await once(other, 'listening');
  const { port } = other.address() as { port: number };
  const service = await Service.launch({ settings: { WORKERS: workers, MANAGEMENT_PORT: String(port) } });
  assert.equal(await service.waitForExit(10_000), 1, service.tail());
  const message = `The service cannot listen on 127.0.0.1 port ${port} (something else listens there already)`;
  assert.ok(service.output.includes(message), service.tail());
  other.close();
}

export const managementPort: Rule = {
  id: 'METRICS',
  title: 'health and metrics on the management port, of one process and of two workers',
  async run() {
    const took: Record<string, number> = {};
    for (const workers of ['1', '2']) {
      await startAtTakenPort(workers);
      const service = await Service.start({ settings: { WORKERS: workers } });
      const management = (path: string, agent?: Agent) =>
        sendRequest(service.managementPort, path, { agent });
      while ((await service.metric('pds_database_connected')) !== Number(workers)) await sleep(200);
      assert.equal((await management('/health/ready')).status, 200);
      assert.equal((await management('/api/v1/Commodity/')).status, 404);
      assert.equal((await service.request('/metrics')).status, 404);
      assert.equal((await service.request('/health/ready')).status, 200);
      // Neither an idle connection nor one that sends nothing delays the shutdown.
      const agent = new Agent({ keepAlive: true });
      assert.equal((await management('/metrics', agent)).status, 200);
      const silent = connect(service.managementPort, '127.0.0.1');
      silent.on('error', () => undefined);
      await once(silent, 'connect');
      const began = performance.now();
      service.signal('SIGTERM');
      assert.equal(await service.waitForExit(11_000), 0, service.tail());
      took[`shutdown of ${workers} process(es), ms`] = ms(performance.now() - began);
      agent.destroy();
      silent.destroy();
    }
    return took;
  },
};
