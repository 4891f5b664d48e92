import cluster from 'node:cluster';
import type { ToSupervisor } from './supervisor.js';

/**
 * A worker's connection to its supervisor. A worker ignores signals, which often go to the whole
 * process group: the supervisor tells it when to shut down.
 */
export class Supervised {
  /** Called when the supervisor asks for the shutdown; exits until there is something to finish. */
  shutDown: (reason: string) => void = () => process.exit(0);

  private constructor() {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => undefined);
    process.on(
      'message',
      ({ kind }: { kind?: unknown }) => kind === 'end' && this.shutDown('The supervisor'),
    );
  }

  /** Null in a process without supervisor. To be called early: earlier messages are lost. */
  static here(): Supervised | null {
    return cluster.isWorker ? new Supervised() : null;
  }

  /** Reports that this worker accepts requests. */
  ready(): void {
    process.send?.({ kind: 'ready' } satisfies ToSupervisor);
  }
}
