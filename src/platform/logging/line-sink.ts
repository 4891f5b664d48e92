import type { Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { standardOutput } from './file-stream.js';

/** Bytes buffered for a slow target; lines beyond them are dropped. */
const MAX_BUFFERED = 1024 * 1024;
/** Milliseconds between two writes: a busy service must not make a system call for each line. */
const FLUSH_INTERVAL = 20;
/** Milliseconds that the target has for the last lines. */
const END_TIMEOUT = 300;

/**
 * The destination of log lines. Never waits and never fails: when the target does not drain, lines
 * are dropped and counted, and a line reports how many once it drains again.
 */
export class LineSink {
  /** Lines lost since the start. */
  dropped = 0;
  private reported = 0;
  private buffered = '';
  private blocked = false;
  private timer: NodeJS.Timeout | null = null;

  constructor(private readonly target: Writable = standardOutput()) {
    // A closed pipe accepts nothing more; the service goes on.
    target.on('error', () => (this.blocked = true));
    target.on('drain', () => {
      this.blocked = false;
      this.flush();
    });
  }

  /** @param line ends with its line break */
  write(line: string): void {
    if (this.buffered.length + line.length > MAX_BUFFERED) {
      this.dropped++;
      return;
    }
    this.buffered += line;
    this.timer ??= setTimeout(() => this.flush(), FLUSH_INTERVAL).unref();
  }

  /** Writes the buffer, unless the target is still draining. */
  flush(): void {
    if (this.timer) clearTimeout(this.timer);
    this.timer = null;
    if (this.blocked || this.buffered === '') return;
    if (this.dropped > this.reported) {
      const lost = this.dropped - this.reported;
      this.reported = this.dropped;
      const time = new Date().toISOString();
      this.buffered += `${JSON.stringify({ level: 'warn', time, msg: 'log lines dropped', count: lost })}\n`;
    }
    const text = this.buffered;
    this.buffered = '';
    if (!this.target.write(text)) this.blocked = true;
  }

  /** Writes the last lines before the process exits, without waiting long for the target. */
  async end(): Promise<void> {
    this.flush();
    const written = new Promise<void>((resolve) => this.target.write('', () => resolve()));
    await Promise.race([written, sleep(END_TIMEOUT)]);
  }
}
