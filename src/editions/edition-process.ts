import { Injectable } from '@nestjs/common';
import { ServiceLog } from '../platform/logging/service-log.js';
import { startOwnProcess } from '../platform/workers/own-process.js';
import { Editions, type BegunEdition } from './editions.js';

/** Makes editions in a process of their own, so that the service replies as before. */
@Injectable()
export class EditionProcess {
  constructor(
    private readonly editions: Editions,
    private readonly log: ServiceLog,
  ) {}

  /** Starts the process, which goes on when the service ends. */
  start(begun: BegunEdition): void {
    const command = new URL('../commands/edition.command.js', import.meta.url);
    const maker = startOwnProcess(command, { args: ['--begun', begun.holder] });
    maker.unref();
    maker.once('error', (error) => this.ended(begun, error.message));
    maker.once('exit', (code, signal) => {
      if (code !== 0) this.ended(begun, `exit ${code ?? signal}`);
    });
  }

  /** Releases the lock at once where the process could not do so itself. */
  private ended(begun: BegunEdition, reason: string): void {
    this.log.pino.error({ edition: begun.number, reason }, 'edition failed');
    this.editions.fail(begun, 'The process that created it has ended.').catch(() => undefined);
  }
}
