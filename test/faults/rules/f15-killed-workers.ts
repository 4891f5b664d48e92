import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { assertDuration } from '../support/assertions.js';
import { sendRequest, summarize, type HttpReply } from '../support/http.js';
import { ms, type Rule } from '../support/rule.js';
import { Service } from '../support/service.js';

/** Milliseconds after which a connection without a response is taken to hang. */
const HANGS_AFTER = 8000;
/** Longest time (ms) without a worker: most of it is the start of one. */
const LONGEST_GAP = 6000;

/** The processes that a process has started, by Linux. */
function childrenOf(pid: number): number[] {
  const text = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
  return text === '' ? [] : text.split(' ').map(Number);
}

/** Waits until the killed workers are replaced and the new ones accept connections. */
async function waitForWorkers(service: Service, killed: number[] = []): Promise<number[]> {
  for (const end = performance.now() + 20_000; performance.now() < end; await sleep(50)) {
    const workers = childrenOf(service.pid);
    if (workers.length < 2 || workers.some((pid) => killed.includes(pid))) continue;
    await sleep(2000);
    return workers;
  }
  throw new Error(`The workers were not replaced.${service.tail()}`);
}

export const killedWorkers: Rule = {
  id: 'F15',
  title: 'killed workers, with a new connection for each request',
  ...(process.platform === 'linux' ? {} : { skipReason: 'It finds the workers in /proc.' }),
  async run(mode) {
    const service = await Service.start({ settings: { WORKERS: '2', LOG_LEVEL: 'warn' } });
    const replies: HttpReply[] = [];
    let going = true;
    let servedAt = performance.now();
    let gap = 0;
    const clients = Array.from({ length: 32 }, async () => {
      while (going) {
        const reply = await sendRequest(service.port, '/api/v1/PriceType/', { timeoutMs: HANGS_AFTER });
        replies.push(reply);
        if (reply.status === 200) {
          gap = Math.max(gap, performance.now() - servedAt);
          servedAt = performance.now();
        } else await sleep(20);
      }
    });
    const rounds = mode.short ? 4 : 7;
    let workers = await waitForWorkers(service);
    const [steady] = workers;
    for (let round = 1; round <= rounds; round++) {
      // One waits longer after each round. The last round kills the other one, too, which must not
      // wait as long: until it is back, nothing accepts connections.
      const killed = round < rounds ? workers.filter((pid) => pid !== steady) : workers;
      for (const pid of killed) process.kill(pid, 'SIGKILL');
      workers = await waitForWorkers(service, killed);
    }
    going = false;
    await Promise.all(clients);
    assert.equal(service.exitStatus, null, service.tail());
    const result = summarize(replies);
    const others = Object.keys(result.statuses).filter((status) => !['200', 'none'].includes(status));
    assert.deepEqual(others, [], JSON.stringify(result.statuses));
    const hanging = replies.filter(({ error }) => error === 'no response').length;
    assert.equal(hanging, 0, `${hanging} of ${replies.length} connections were left open.`);
    assertDuration(mode, gap, LONGEST_GAP, 'The time without a served connection');
    await service.stop();
    return { rounds, requests: result.replies, lost: result.statuses.none ?? 0, 'longest gap ms': ms(gap) };
  },
};
