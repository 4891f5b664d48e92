import { setImmediate as turn } from 'node:timers/promises';
import { ConnectionBurst } from './connection-burst.js';

describe('ConnectionBurst', () => {
  it('continues while connections come, for 250 ms of 2 s', () => {
    let now = 5000;
    const burst = new ConnectionBurst(() => now);
    const continuesAt = (time: number, hasConnection = true) => {
      now = time;
      const before = burst.connections;
      if (hasConnection) burst.onConnection();
      return burst.continues(before);
    };
    expect(continuesAt(5000, false)).toBe(false);
    expect(continuesAt(5000)).toBe(true);
    expect(continuesAt(5100, false)).toBe(false);
    expect(continuesAt(5249)).toBe(true);
    expect(continuesAt(5250)).toBe(false);
    expect(continuesAt(6999)).toBe(false);
    expect(continuesAt(7000)).toBe(true);
    expect(continuesAt(7249)).toBe(true);
    expect(continuesAt(7250)).toBe(false);
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
