import { setTimeout as sleep } from 'node:timers/promises';
import { WorkerPeers } from './worker-peers.js';
import { type FromHub, type HubConnection, MessageHub, type ToHub } from './message-hub.js';

/** A worker on a switchboard, with a wire between them that takes its time as the one between processes does. */
function join(switchboard: MessageHub): { siblings: WorkerPeers; line: HubConnection } {
  let hear: (message: FromHub) => void = () => undefined;
  const line = switchboard.connect((message) => setImmediate(() => hear(message)));
  const siblings = new WorkerPeers({
    send: (message: ToHub) => void setImmediate(() => line.receive(message)),
    listen: (listener) => void (hear = listener),
  });
  return { siblings, line };
}

describe('siblings', () => {
  let switchboard: MessageHub;
  beforeEach(() => (switchboard = new MessageHub()));

  const three = async () => {
    const workers = [join(switchboard), join(switchboard), join(switchboard)] as const;
    await sleep(5);
    return workers;
  };

  it('are asked all but the one that asks, and each answers for itself', async () => {
    const [first, second, third] = await three();
    for (const [index, { siblings }] of [first, second, third].entries())
      siblings.answer('sum', (question) => (question as number) + index);
    expect((await first.siblings.ask('sum', 10, 1000)).sort()).toEqual([11, 12]);
    expect((await third.siblings.ask('sum', 20, 1000)).sort()).toEqual([20, 21]);
  });

  it('have answered when the question ends, however long that takes them', async () => {
    const [first, second, third] = await three();
    const noted: string[] = [];
    second.siblings.answer('note', (text) => void noted.push(text as string));
    third.siblings.answer('note', async (text) => {
      await sleep(30);
      noted.push(text as string);
    });
    await first.siblings.ask('note', 'news', 1000);
    expect(noted).toEqual(['news', 'news']);
  });

  it('answer null to what they have no answer for, or fail at', async () => {
    const [first, second] = await three();
    second.siblings.answer('fail', () => {
      throw new Error('no');
    });
    expect(await first.siblings.ask('fail', 1, 1000)).toEqual([null, null]);
  });

  it('are waited for only so long, and not at all once they have ended', async () => {
    const [first, second, third] = await three();
    second.siblings.answer('slow', () => sleep(10_000, undefined, { ref: false }));
    third.siblings.answer('slow', () => 'here');
    const began = performance.now();
    expect(await first.siblings.ask('slow', null, 100)).toEqual(['here']);
    expect(performance.now() - began).toBeGreaterThan(80);

    const asked = first.siblings.ask('slow', null, 60_000);
    await sleep(20);
    second.line.end();
    expect(await asked).toEqual(['here']);
  });

  it('keep two questions at once apart', async () => {
    const [first, second, third] = await three();
    for (const { siblings } of [first, second, third]) {
      siblings.answer('echo', async (question) => {
        await sleep(Math.random() * 20);
        return question;
      });
    }
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        [first, second, third][index % 3]!.siblings.ask('echo', index, 1000),
      ),
    );
    expect(answers).toEqual(Array.from({ length: 20 }, (_, index) => [index, index]));
  });

  it('are none where a process works alone', async () => {
    expect(await new WorkerPeers(null).ask('sum', 1, 1000)).toEqual([]);
    const alone = join(switchboard);
    await sleep(5);
    expect(await alone.siblings.ask('sum', 1, 60_000)).toEqual([]);
  });

  it('are given up when even the switchboard is silent', async () => {
    const siblings = new WorkerPeers({ send: () => undefined, listen: () => undefined });
    expect(await siblings.ask('sum', 1, 50)).toEqual([]);
  });
});
