/** Milliseconds of work after which sockets get a turn, and tasks that may be begun in that time. */
const SHARE = 4;
const MOST_AT_ONCE = 8;

/**
 * Begins tasks in the order in which they came, a few at a time, and lets the event loop look at the sockets in between. Without
 * it a crowd of requests would be worked on one by one as each is read, and nobody would notice how many more are waiting to
 * be read: a line in sight can be kept short.
 */
export class RequestQueue {
  private readonly waiting: { task: () => void; since: number }[] = [];
  /** Some are begun in this turn of the event loop, or will be in the next. */
  private moving = false;
  private turnBegan = 0;

  /** Tasks that wait. */
  get length(): number {
    return this.waiting.length;
  }

  /** Milliseconds that the first in the line has waited so far; 0 when nobody waits. */
  get wait(): number {
    const [first] = this.waiting;
    return first === undefined ? 0 : performance.now() - first.since;
  }

  /** Begins a task: at once when nothing has been begun in this turn of the event loop, else in its order. */
  join(task: () => void): void {
    if (this.moving) {
      this.waiting.push({ task, since: performance.now() });
      return;
    }
    this.moving = true;
    setImmediate(this.move);
    task();
  }

  /** Arranges what is begun in the next turn: each task by a callback of its own, so that its promises come before the next. */
  private readonly move = (): void => {
    const count = Math.min(MOST_AT_ONCE, this.waiting.length);
    this.moving = count > 0;
    if (!this.moving) return;
    setImmediate(this.first);
    for (let more = 1; more < count; more++) setImmediate(this.next);
    setImmediate(this.move);
  };

  private readonly first = (): void => {
    this.turnBegan = performance.now();
    this.next();
  };

  private readonly next = (): void => {
    if (performance.now() - this.turnBegan < SHARE) this.waiting.shift()?.task();
  };
}
