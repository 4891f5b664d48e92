import { jest } from '@jest/globals';
import { EventEmitter } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { RequestInfo } from '../request.js';
import { ReadCosts, type Throttle } from './throttle.js';

describe('R3: ReadCosts', () => {
  let time: number;
  let units: Record<string, number>;
  let costs: ReadCosts;
  beforeEach(() => {
    time = 0;
    units = {};
    const add = (_: string, client: string, count: number) => (units[client] = (units[client] ?? 0) + count);
    const throttle = { add } as unknown as Throttle;
    costs = new ReadCosts({ now: () => time }, throttle);
  });
  afterEach(() => costs.onModuleDestroy());

  /** A read that is being made. */
  function begin(network: string): RequestInfo {
    const request = { socket: { bytesWritten: 0 } };
    const made = { request, response: new EventEmitter(), bytesMade: 0, bytesSent: 0, client: { network } };
    const info = { ...made, cost: null } as unknown as RequestInfo;
    costs.begin(info);
    info.cost!.work();
    return info;
  }
  const end = ({ response }: RequestInfo) => response.emit('close');

  it('a light read counts no more than its request, whatever else the process does', () => {
    const light = begin('192.0.2.1');
    time += 60_000;
    end(light);
    expect(units).toEqual({});
  });

  it('processor time counts by tens of milliseconds, in every thread, while the reply is made', async () => {
    const info = begin('192.0.2.1');
    await sleep(60);
    time += 35;
    end(info);
    expect(units).toEqual({ '192.0.2.1': 3 });
  });

  it('no reply is charged for what was used while it waited, or longer than it was made', async () => {
    const [heavy, waiting] = [begin('192.0.2.1'), begin('192.0.2.2')];
    waiting.cost!.rest();
    await sleep(60);
    time += 55;
    end(heavy);
    waiting.cost!.work();
    end(waiting);
    expect(units).toEqual({ '192.0.2.1': 5 });
    const short = begin('192.0.2.3');
    await sleep(25);
    time += 60_000;
    end(short);
    expect(units['192.0.2.3']).toBeGreaterThanOrEqual(2);
    expect(units['192.0.2.3']).toBeLessThan(1000);
  });

  it('replies that are made together share, and each is charged in the course of it', async () => {
    const [one, other] = [begin('192.0.2.1'), begin('2001:db8:0:0::/64')];
    time += 80;
    while (Object.keys(units).length < 2) await sleep(10);
    expect(Math.abs(units['192.0.2.1']! - units['2001:db8:0:0::/64']!)).toBeLessThanOrEqual(1);
    end(one);
    end(other);
  });

  it('a reply is not charged for what those used that have ended meanwhile', () => {
    let now = 1000;
    const clock = jest.spyOn(performance, 'now').mockImplementation(() => now);
    const long = begin('192.0.2.1');
    for (let count = 0; count < 3; count++) {
      const short = begin('192.0.2.2');
      now += 8;
      end(short);
    }
    // Half of it is theirs, as they were made for as long in all.
    time += 24;
    end(long);
    expect(units).toEqual({ '192.0.2.1': 1 });
    clock.mockRestore();
  });

  it('bytes count where they are more, however they are sent', () => {
    const events = begin('192.0.2.1');
    events.bytesSent = 250_000;
    end(events);
    const file = begin('192.0.2.2');
    Object.assign(file.request.socket, { bytesWritten: 1_250_000 });
    end(file);
    const list = begin('192.0.2.3');
    for (const bytes of [150_000, 199_999, 320_000]) {
      list.bytesMade = bytes;
      list.cost!.book();
    }
    end(list);
    expect(units).toEqual({ '192.0.2.1': 2, '192.0.2.2': 12, '192.0.2.3': 3 });
  });
});
