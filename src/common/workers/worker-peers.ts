import cluster from 'node:cluster';
import { EventEmitter } from 'node:events';
import type { FromHub, ToHub } from './message-hub.js';

/** The way to the switchboard: a worker's channel to the process that has started it. */
export interface Channel {
  send(message: ToHub): void;
  listen(listener: (message: FromHub) => void): void;
}

/** Milliseconds that the switchboard has beyond the patience of who asks. */
const GRACE = 100;

type Answerer = (question: unknown) => unknown;

/**
 * The other processes of this service on this machine. A process that works alone has none, and every question is answered at
 * once by nobody.
 */
export class WorkerPeers {
  private readonly answerers = new Map<string, Answerer>();
  private readonly replies = new EventEmitter();
  private asked = 0;

  constructor(private readonly channel: Channel | null = workerChannel()) {
    channel?.listen((message) => void this.receive(message));
    channel?.send({ kind: 'here' });
  }

  /** Says how this process answers what siblings ask about a topic. Without this it answers with null. */
  answer(topic: string, answerer: Answerer): void {
    this.answerers.set(topic, answerer);
  }

  /**
   * Asks all siblings and waits for their answers. One that ends meanwhile, or stays silent, is left out.
   * @param question and the answers are passed on as JSON
   * @param patience milliseconds
   */
  ask(topic: string, question: unknown, patience: number): Promise<unknown[]> {
    if (this.channel === null) return Promise.resolve([]);
    const id = ++this.asked;
    return new Promise((resolve) => {
      const end = (answers: unknown[]) => {
        clearTimeout(timer);
        this.replies.removeAllListeners(String(id));
        resolve(answers);
      };
      // The switchboard ends the question in time; this is for a switchboard that does not answer at all.
      const timer = setTimeout(() => end([]), patience + GRACE);
      this.replies.once(String(id), end);
      this.channel!.send({ kind: 'ask', id, topic, question, patience });
    });
  }

  private async receive(message: FromHub): Promise<void> {
    if (message.kind === 'answers') this.replies.emit(String(message.id), message.answers);
    if (message.kind !== 'ask') return;
    const { id, topic, question } = message;
    const answer = await this.answerTo(topic, question).catch(() => null);
    this.channel!.send({ kind: 'answer', id, answer: answer ?? null });
  }

  private async answerTo(topic: string, question: unknown): Promise<unknown> {
    return this.answerers.get(topic)?.(question);
  }
}

/** The channel of a process that was started to work beside others; null for one that works alone. */
function workerChannel(): Channel | null {
  if (!cluster.isWorker) return null;
  return {
    // A channel that is closed means that this process is about to end; nobody waits for what it has to say.
    send: (message) =>
      void (process.connected && process.send!(message, undefined, undefined, () => undefined)),
    listen: (listener) => void process.on('message', listener),
  };
}
