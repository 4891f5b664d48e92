import type { Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';

/** Bytes that may wait for a slow target; more is dropped. */
const MOST_WAITING = 1024 * 1024;
/** Milliseconds that lines are gathered for, so that a busy service does not make one system call for each. */
const GATHER = 20;
/** Milliseconds that the target gets for the last lines. */
const LAST_LINES = 300;

/**
 * Where log lines go. Never waits and never fails: when the target does not take any more, lines are dropped and counted,
 * and a line says how many once it takes them again.
 */
export class LineSink {
  /** Lines lost since the start. */
  dropped = 0;
  private reported = 0;
  private waiting = '';
  private blocked = false;
  private timer: NodeJS.Timeout | null = null;

  constructor(private readonly target: Writable = process.stdout) {
    // A target that is gone (a closed pipe) takes nothing more; the service goes on.
    target.on('error', () => (this.blocked = true));
    target.on('drain', () => {
      this.blocked = false;
      this.flush();
    });
  }

  /** @param line ends with its line break */
  write(line: string): void {
    if (this.waiting.length + line.length > MOST_WAITING) {
      this.dropped++;
      return;
    }
    this.waiting += line;
    this.timer ??= setTimeout(() => this.flush(), GATHER).unref();
  }

  /** Hands over what waits, unless the target is still busy. */
  flush(): void {
    if (this.timer) clearTimeout(this.timer);
    this.timer = null;
    if (this.blocked || this.waiting === '') return;
    if (this.dropped > this.reported) {
      const lost = this.dropped - this.reported;
      this.reported = this.dropped;
      const time = new Date().toISOString();
      this.waiting += `${JSON.stringify({ level: 'warn', time, msg: 'log lines dropped', count: lost })}\n`;
    }
    const text = this.waiting;
    this.waiting = '';
    if (!this.target.write(text)) this.blocked = true;
  }

  /** Hands over the last lines, for the end of the process. A target that does not take them is not waited for. */
  async end(): Promise<void> {
    this.flush();
    const taken = new Promise<void>((resolve) => this.target.write('', () => resolve()));
    await Promise.race([taken, sleep(LAST_LINES)]);
  }
}
