/** What a worker says to the switchboard. */
export type ToHub =
  /** From now on it answers. */
  | { kind: 'here' }
  | { kind: 'ask'; id: number; topic: string; question: unknown; patience: number }
  | { kind: 'answer'; id: number; answer: unknown };

/** What the switchboard says to a worker. */
export type FromHub =
  | { kind: 'ask'; id: number; topic: string; question: unknown }
  | { kind: 'answers'; id: number; answers: unknown[] };

type Send = (message: FromHub) => void;

/** A question that is being asked. */
interface Round {
  /** Those whose answers are missing. */
  missing: Set<HubConnection>;
  answers: unknown[];
  end: () => void;
}

/** Passes questions of one worker to all others and their answers back. It knows nothing of what they are about. */
export class MessageHub {
  private readonly lines = new Set<HubConnection>();
  private readonly rounds = new Map<number, Round>();
  private begun = 0;

  /** Adds a worker. @param send passes a message to it */
  connect(send: Send): HubConnection {
    return new HubConnection(this, send);
  }

  /** @internal */
  join(line: HubConnection): void {
    this.lines.add(line);
  }

  /** @internal */
  leave(line: HubConnection): void {
    this.lines.delete(line);
    for (const round of this.rounds.values()) this.settle(round, line);
  }

  /** @internal */
  ask(from: HubConnection, { id, topic, question, patience }: ToHub & { kind: 'ask' }): void {
    const own = ++this.begun;
    const missing = new Set([...this.lines].filter((line) => line !== from));
    const timer = setTimeout(() => round.end(), patience);
    const round: Round = {
      missing,
      answers: [],
      end: () => {
        clearTimeout(timer);
        this.rounds.delete(own);
        from.send({ kind: 'answers', id, answers: round.answers });
      },
    };
    this.rounds.set(own, round);
    if (missing.size === 0) return round.end();
    for (const line of missing) line.send({ kind: 'ask', id: own, topic, question });
  }

  /** @internal */
  answer(from: HubConnection, { id, answer }: ToHub & { kind: 'answer' }): void {
    const round = this.rounds.get(id);
    if (round === undefined || !round.missing.has(from)) return;
    round.answers.push(answer);
    this.settle(round, from);
  }

  private settle(round: Round, line: HubConnection): void {
    if (round.missing.delete(line) && round.missing.size === 0) round.end();
  }
}

/** A worker, as the switchboard sees it. */
export class HubConnection {
  constructor(
    private readonly switchboard: MessageHub,
    readonly send: Send,
  ) {}

  /** Takes what the worker says; what is not meant for the switchboard is passed over. */
  receive(message: ToHub): void {
    if (message.kind === 'here') this.switchboard.join(this);
    else if (message.kind === 'ask') this.switchboard.ask(this, message);
    else if (message.kind === 'answer') this.switchboard.answer(this, message);
  }

  /** The worker has ended: nobody waits for it any longer. */
  end(): void {
    this.switchboard.leave(this);
  }
}
