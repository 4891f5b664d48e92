import { type HubConnection, MessageHub, type ToHub } from './message-hub.js';

/** Messages of a worker to its supervisor. */
export type ToSupervisor = ToHub | { kind: 'ready' };

/** A process that the supervisor has started. */
export interface WorkerProcess {
  readonly id: number;
  send(message: unknown): void;
  kill(signal: NodeJS.Signals): void;
  on(event: 'message', listener: (message: ToSupervisor) => void): unknown;
  once(event: 'exit', listener: (code: number | null, signal: string | null) => void): unknown;
}

interface SupervisorOptions {
  workers: number;
  /** Starts a worker. */
  fork: () => WorkerProcess;
  /** Milliseconds for a graceful shutdown; a worker that takes longer is killed. */
  shutdownMs: number;
  log: { log(message: string): void; warn(message: string): void; error(message: string): void };
  exit: (code: number) => void;
}

/** First and longest delay (ms) before a worker that has exited is replaced. */
const FIRST_RESTART_DELAY = 100;
const MAX_RESTART_DELAY = 5000;
/** A worker that has lived so long (ms) was healthy: its exit is not a repeated failure. */
const STEADY_AFTER = 10_000;

/**
 * Keeps several workers running behind one port and relays their messages. The first is started
 * alone: it does what is done once, such as migrating and creating the first account.
 */
export class Supervisor {
  private readonly hub = new MessageHub();
  private readonly running = new Map<WorkerProcess, HubConnection>();
  /** Whether any worker has ever been ready. */
  private everReady = false;
  /** The exit code once the shutdown has begun. */
  private exitCode: number | null = null;

  constructor(private readonly options: SupervisorOptions) {}

  start(): void {
    this.startWorker();
  }

  /** Shuts all workers down, then this process: with 0 if all did. A second call kills them. */
  shutDown(code = 0): void {
    const again = this.exitCode !== null;
    this.exitCode = Math.max(this.exitCode ?? 0, again ? 1 : code);
    for (const worker of this.running.keys()) worker.send({ kind: 'end' });
    if (again) return;
    setTimeout(() => this.kill(), this.options.shutdownMs).unref();
    this.exitIfDone();
  }

  /** @param failures how often in a row the worker's predecessors exited early */
  private startWorker(failures = 0): void {
    if (this.exitCode !== null) return;
    const worker = this.options.fork();
    const startedAt = performance.now();
    const connection = this.hub.connect((message) => worker.send(message));
    this.running.set(worker, connection);
    worker.on('message', (message) => {
      if (message.kind === 'ready') this.onReady();
      else connection.receive(message);
    });
    worker.once('exit', (code, signal) =>
      this.onExit(worker, connection, {
        failures: performance.now() - startedAt < STEADY_AFTER ? failures + 1 : 0,
        code,
        signal,
      }),
    );
  }

  private onReady(): void {
    if (this.everReady) return;
    this.everReady = true;
    for (let more = this.running.size; more < this.options.workers; more++) this.startWorker();
  }

  private onExit(
    worker: WorkerProcess,
    connection: HubConnection,
    { failures, code, signal }: { failures: number; code: number | null; signal: string | null },
  ): void {
    connection.close();
    this.running.delete(worker);
    if (this.exitCode !== null) {
      if (code !== 0) this.exitCode = 1;
      this.exitIfDone();
      return;
    }
    const how = signal === null ? `with ${code}` : `by ${signal}`;
    if (!this.everReady && code === 1) {
      // It has logged why: a setting or the database, which would be the same for the next one.
      this.exitCode = 1;
      this.exitIfDone();
      return;
    }
    const wait = Math.min(FIRST_RESTART_DELAY * 2 ** failures, MAX_RESTART_DELAY);
    this.options.log.warn(`Worker ${worker.id} exited ${how}; restarting in ${wait} ms.`);
    setTimeout(() => this.startWorker(failures), wait);
  }

  private kill(): void {
    this.exitCode = 1;
    this.options.log.error(`${this.running.size} worker(s) did not shut down in time.`);
    for (const worker of this.running.keys()) worker.kill('SIGKILL');
  }

  private exitIfDone(): void {
    if (this.running.size === 0) this.options.exit(this.exitCode ?? 0);
  }
}
