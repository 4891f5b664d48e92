import { TestEnvironment } from 'jest-environment-node';

/** Node warns once that Jest uses an experimental feature. */
const EXPECTED = 'ExperimentalWarning';

/**
 * Fails a test file in which the process emits a warning, such as that of too many listeners:
 * operators would see it in their logs. The process of a test is a copy that emits none, so only
 * the environment can listen.
 */
export default class extends TestEnvironment {
  warnings = [];
  onWarning = (warning) => void (warning.name === EXPECTED || this.warnings.push(warning));

  async setup() {
    await super.setup();
    process.on('warning', this.onWarning);
    // The log of every application or command that a file starts listens to one of them.
    const { stdout, stderr } = this.global.process;
    for (const stream of [stdout, stderr]) stream.setMaxListeners(0);
  }

  async teardown() {
    process.off('warning', this.onWarning);
    await super.teardown();
    if (this.warnings.length > 0) throw new AggregateError(this.warnings, 'The process emitted warnings.');
  }
}
