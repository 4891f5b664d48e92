import { type HubConnection, MessageHub, type ToHub } from './message-hub.js';

/** What a worker says to its supervisor. */
export type ToSupervisor = ToHub | { kind: 'ready' };

/** A process that the supervisor has started. */
export interface WorkerProcess {
  readonly id: number;
  send(message: unknown): void;
  kill(signal: NodeJS.Signals): void;
  on(event: 'message', listener: (message: ToSupervisor) => void): unknown;
  once(event: 'exit', listener: (code: number | null, signal: string | null) => void): unknown;
}

/** What a supervisor works with. */
export interface SupervisorOptions {
  workers: number;
  /** Starts a worker. */
  fork: () => WorkerProcess;
  /** Milliseconds that a worker may take to end in order; after that it is killed. */
  endWithin: number;
  log: { log(message: string): void; warn(message: string): void; error(message: string): void };
  exit: (code: number) => void;
}

/** First and longest wait (ms) before a worker that has ended is followed by another. */
const FIRST_WAIT = 100;
const LONGEST_WAIT = 5000;
/** Milliseconds after which a worker counts as one that works, so that its end is not the next of a row. */
const STEADY_AFTER = 10_000;

/**
 * Keeps several workers running behind one port and passes their questions to each other. The first is started alone: what a
 * service does once, such as making the tables and the first account, is done by it before there are others.
 */
export class Supervisor {
  private readonly switchboard = new MessageHub();
  private readonly running = new Map<WorkerProcess, HubConnection>();
  /** Whether there has ever been a worker that was ready. */
  private begun = false;
  /** Workers in a row that did not live long. */
  private shortLives = 0;
  /** The exit code once the end has begun. */
  private code: number | null = null;

  constructor(private readonly parts: SupervisorOptions) {}

  start(): void {
    this.startWorker();
  }

  /** Ends all workers in order, then this process: with 0 if all of them could. The second time they end at once. */
  end(code = 0): void {
    const again = this.code !== null;
    this.code = Math.max(this.code ?? 0, again ? 1 : code);
    for (const worker of this.running.keys()) worker.send({ kind: 'end' });
    if (again) return;
    setTimeout(() => this.kill(), this.parts.endWithin).unref();
    this.exitIfDone();
  }

  private startWorker(): void {
    if (this.code !== null) return;
    const worker = this.parts.fork();
    const startedAt = performance.now();
    const line = this.switchboard.connect((message) => worker.send(message));
    this.running.set(worker, line);
    worker.on('message', (message) => {
      if (message.kind === 'ready') this.ready();
      else line.receive(message);
    });
    worker.once('exit', (code, signal) =>
      this.ended(worker, line, performance.now() - startedAt, code, signal),
    );
  }

  private ready(): void {
    if (this.begun) return;
    this.begun = true;
    for (let more = this.running.size; more < this.parts.workers; more++) this.startWorker();
  }

  private ended(
    worker: WorkerProcess,
    line: HubConnection,
    lived: number,
    code: number | null,
    signal: string | null,
  ): void {
    line.end();
    this.running.delete(worker);
    if (this.code !== null) {
      if (code !== 0) this.code = 1;
      this.exitIfDone();
      return;
    }
    const how = signal === null ? `with ${code}` : `by ${signal}`;
    if (!this.begun && code === 1) {
      // It has said why: a setting, or the database, that will be the same for the next one.
      this.code = 1;
      this.exitIfDone();
      return;
    }
    this.shortLives = lived < STEADY_AFTER ? this.shortLives + 1 : 0;
    const wait = Math.min(FIRST_WAIT * 2 ** this.shortLives, LONGEST_WAIT);
    this.parts.log.warn(`Worker ${worker.id} has ended ${how}; another is started in ${wait} ms.`);
    setTimeout(() => this.startWorker(), wait);
  }

  private kill(): void {
    this.code = 1;
    this.parts.log.error(`${this.running.size} worker(s) did not end in time.`);
    for (const worker of this.running.keys()) worker.kill('SIGKILL');
  }

  private exitIfDone(): void {
    if (this.running.size === 0) this.parts.exit(this.code ?? 0);
  }
}
