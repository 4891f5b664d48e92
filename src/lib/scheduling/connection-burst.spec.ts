import { setImmediate as turn } from 'node:timers/promises';
import { ConnectionBurst } from './connection-burst.js';

describe('ConnectionBurst', () => {
  let now = 5000;
  const burstAt = (start: number) => {
    now = start;
    return new ConnectionBurst(() => now);
  };
  const continuesAt = (burst: ConnectionBurst, time: number, hasConnection = true) => {
    now = time;
    const before = burst.connections;
    if (hasConnection) burst.onConnection();
    return burst.continues(before);
  };

  it('continues while connections come, for 250 ms of 2 s', () => {
    const burst = burstAt(5000);
    expect(continuesAt(burst, 5000, false)).toBe(false);
    const continued: number[] = [];
    for (let time = 5000; time < 8000; time += 10) if (continuesAt(burst, time)) continued.push(time);
    const every10 = (from: number) => Array.from({ length: 25 }, (_, index) => from + 10 * index);
    expect(continued).toEqual([...every10(5000), ...every10(7000)]);
  });

  it('counts the time that was waited, not the time between connections', () => {
    const burst = burstAt(5000);
    for (let time = 5000; time < 6000; time += 100) {
      expect(continuesAt(burst, time)).toBe(true);
      expect(continuesAt(burst, time + 1, false)).toBe(false);
    }
    const continued: number[] = [];
    for (let time = 6000; time < 6900; time += 10) if (continuesAt(burst, time)) continued.push(time);
    expect(continued).toHaveLength(24);
  });

  it('waits for one turn of the event loop where no connection comes, and for more where some do', async () => {
    const burst = new ConnectionBurst(() => 0);
    let turns = 0;
    let accepts = 3;
    let waiting = true;
    const count = async () => {
      while (waiting) {
        await turn();
        turns++;
        if (accepts-- > 0) burst.onConnection();
      }
    };
    const counted = count();
    await burst.nextTurn();
    const needed = turns;
    await burst.nextTurn();
    expect([needed, turns]).toEqual([4, 5]);
    waiting = false;
    await counted;
  });
});
