import { setTimeout as sleep } from 'node:timers/promises';
import { WorkerPeers } from './worker-peers.js';
import { type FromHub, type HubConnection, MessageHub, type ToHub } from './message-hub.js';

/** Connects a worker to a hub, with a delay as between processes. */
function connect(hub: MessageHub): { peers: WorkerPeers; connection: HubConnection } {
  let deliver: (message: FromHub) => void = () => undefined;
  const connection = hub.connect((message) => setImmediate(() => deliver(message)));
  const peers = new WorkerPeers({
    send: (message: ToHub) => void setImmediate(() => connection.receive(message)),
    listen: (listener) => void (deliver = listener),
  });
  return { peers, connection };
}

describe('WorkerPeers', () => {
  let hub: MessageHub;
  beforeEach(() => (hub = new MessageHub()));

  const three = async () => {
    const workers = [connect(hub), connect(hub), connect(hub)] as const;
    await sleep(5);
    return workers;
  };

  it('all receive a request but the sender, and each replies for itself', async () => {
    const [first, second, third] = await three();
    for (const [index, { peers }] of [first, second, third].entries())
      peers.onRequest('sum', (payload) => (payload as number) + index);
    expect((await first.peers.request('sum', 10, 1000)).sort()).toEqual([11, 12]);
    expect((await third.peers.request('sum', 20, 1000)).sort()).toEqual([20, 21]);
  });

  it('have handled a request when it ends, however long that takes', async () => {
    const [first, second, third] = await three();
    const noted: string[] = [];
    second.peers.onRequest('note', (text) => void noted.push(text as string));
    third.peers.onRequest('note', async (text) => {
      await sleep(30);
      noted.push(text as string);
    });
    await first.peers.request('note', 'a revision', 1000);
    expect(noted).toEqual(['a revision', 'a revision']);
  });

  it('reply null where they have no handler, or it fails', async () => {
    const [first, second] = await three();
    second.peers.onRequest('fail', () => {
      throw new Error('no');
    });
    expect(await first.peers.request('fail', 1, 1000)).toEqual([null, null]);
  });

  it('are waited for up to the timeout, and not at all once they have exited', async () => {
    const [first, second, third] = await three();
    second.peers.onRequest('slow', () => sleep(10_000, undefined, { ref: false }));
    third.peers.onRequest('slow', () => 'here');
    const began = performance.now();
    expect(await first.peers.request('slow', null, 100)).toEqual(['here']);
    expect(performance.now() - began).toBeGreaterThan(80);

    const asked = first.peers.request('slow', null, 60_000);
    await sleep(20);
    second.connection.close();
    expect(await asked).toEqual(['here']);
  });

  it('keep concurrent requests apart', async () => {
    const [first, second, third] = await three();
    for (const { peers } of [first, second, third]) {
      peers.onRequest('echo', async (payload) => {
        await sleep(Math.random() * 20);
        return payload;
      });
    }
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        [first, second, third][index % 3]!.peers.request('echo', index, 1000),
      ),
    );
    expect(answers).toEqual(Array.from({ length: 20 }, (_, index) => [index, index]));
  });

  it('are none where a process works alone', async () => {
    expect(await new WorkerPeers(null).request('sum', 1, 1000)).toEqual([]);
    const alone = connect(hub);
    await sleep(5);
    expect(await alone.peers.request('sum', 1, 60_000)).toEqual([]);
  });

  it('time out when even the hub does not reply', async () => {
    const peers = new WorkerPeers({ send: () => undefined, listen: () => undefined });
    expect(await peers.request('sum', 1, 50)).toEqual([]);
  });
});
