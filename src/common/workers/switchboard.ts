/** What a worker says to the switchboard. */
export type ToSwitchboard =
  /** From now on it answers. */
  | { kind: 'here' }
  | { kind: 'ask'; id: number; topic: string; question: unknown; patience: number }
  | { kind: 'answer'; id: number; answer: unknown };

/** What the switchboard says to a worker. */
export type FromSwitchboard =
  | { kind: 'ask'; id: number; topic: string; question: unknown }
  | { kind: 'answers'; id: number; answers: unknown[] };

type Send = (message: FromSwitchboard) => void;

/** A question that is being asked. */
interface Round {
  /** Those whose answers are missing. */
  missing: Set<Line>;
  answers: unknown[];
  end: () => void;
}

/** Passes questions of one worker to all others and their answers back. It knows nothing of what they are about. */
export class Switchboard {
  private readonly lines = new Set<Line>();
  private readonly rounds = new Map<number, Round>();
  private begun = 0;

  /** Adds a worker. @param send passes a message to it */
  connect(send: Send): Line {
    return new Line(this, send);
  }

  /** @internal */
  join(line: Line): void {
    this.lines.add(line);
  }

  /** @internal */
  leave(line: Line): void {
    this.lines.delete(line);
    for (const round of this.rounds.values()) this.settle(round, line);
  }

  /** @internal */
  ask(from: Line, { id, topic, question, patience }: ToSwitchboard & { kind: 'ask' }): void {
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
  answer(from: Line, { id, answer }: ToSwitchboard & { kind: 'answer' }): void {
    const round = this.rounds.get(id);
    if (round === undefined || !round.missing.has(from)) return;
    round.answers.push(answer);
    this.settle(round, from);
  }

  private settle(round: Round, line: Line): void {
    if (round.missing.delete(line) && round.missing.size === 0) round.end();
  }
}

/** A worker, as the switchboard sees it. */
export class Line {
  constructor(
    private readonly switchboard: Switchboard,
    readonly send: Send,
  ) {}

  /** Takes what the worker says; what is not meant for the switchboard is passed over. */
  receive(message: ToSwitchboard): void {
    if (message.kind === 'here') this.switchboard.join(this);
    else if (message.kind === 'ask') this.switchboard.ask(this, message);
    else if (message.kind === 'answer') this.switchboard.answer(this, message);
  }

  /** The worker has ended: nobody waits for it any longer. */
  end(): void {
    this.switchboard.leave(this);
  }
}
