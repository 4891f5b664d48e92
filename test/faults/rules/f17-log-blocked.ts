import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { assertStatuses, assertDuration } from '../support/assertions.js';
import { measureLoad } from '../support/http.js';
import { ms, type Measurements, type Rule, type RunMode, SkipRule } from '../support/rule.js';
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

/** Waits until something is so. @throws AssertionError after some seconds */
async function waitUntil(isSo: () => boolean, what: string): Promise<void> {
  for (let tries = 50; !isSo(); tries--) {
    assert.ok(tries > 0, `${what} was not written.`);
    await sleep(100);
  }
}

/** A disk that is mounted for a rule. */
interface SmallDisk {
  folder: string;
  grow: (bytes: number) => void;
  unmount: () => void;
}

/** A folder with a disk of its own of so many bytes; null where none can be mounted. */
function smallDisk(bytes: number): SmallDisk | null {
  const folder = mkdtempSync(join(tmpdir(), 'small-disk-'));
  const grow = (size: number) => {
    assert.equal(spawnSync('mount', ['-o', `remount,size=${size}`, folder]).status, 0);
  };
  const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${bytes}`, 'tmpfs', folder]);
  const unmount = () => {
    spawnSync('umount', [folder]);
    rmdirSync(folder);
  };
  if (status === 0) return { folder, grow, unmount };
  rmdirSync(folder);
  return null;
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

export const logFullOnce: Rule = {
  id: 'F17T',
  title: 'disk of the log output full for a while',
  async run(mode) {
    const disk = smallDisk(256 * 1024);
    if (disk === null) throw new SkipRule('No disk can be mounted.');
    const path = join(disk.folder, 'log');
    const log = openSync(path, 'a');
    const service = await Service.start({ stdout: log });
    try {
      const request = { headers: { 'X-Request-Id': 'x'.repeat(64) } };
      const load = { clients: 16, duration: mode.short ? 4000 : 12_000, request };
      const result = await measureLoad(service.port, '/api/v1/PriceType/', load);
      assertStatuses(result, [200]);
      const dropped = await service.metric('pds_log_lines_dropped_total');
      assert.ok(dropped > 0, `${dropped} lines were dropped of ${result.replies}.`);
      // There must be room for all lines that wait, since the count comes after them.
      disk.grow(16 * 1024 * 1024);
      await waitUntil(
        () => /"log lines dropped","count":\d+/.test(readFileSync(path, 'latin1')),
        'The count',
      );
      const id = 'after-the-disk-was-full';
      await measureLoad(service.port, '/api/v1/PriceType/', {
        clients: 1,
        duration: 100,
        request: { headers: { 'X-Request-Id': id } },
      });
      await waitUntil(() => readFileSync(path, 'latin1').includes(id), 'A later line');
      return { requests: result.replies, 'lines dropped': dropped };
    } finally {
      service.signal('SIGTERM');
      await service.waitForExit(5000);
      closeSync(log);
      disk.unmount();
    }
  },
};
