import WarningEnvironment from '../environment.mjs';

/** Built-in classes that the code of Jest compares with those of tests. */
const BUILT_INS = Object.getOwnPropertyNames(globalThis).filter(
  (name) => /^[A-Z]/.test(name) && typeof globalThis[name] === 'function',
);
const TIMEOUT = Symbol.for('TEST_TIMEOUT_SYMBOL');

/**
 * The environment of test files that share the modules, and with them the globals, of their
 * process. Jest's own code stays in a context for each file. What a file changes of the process is
 * restored when it ends.
 */
export default class SharedEnvironment extends WarningEnvironment {
  constructor(config, context) {
    super(config, context);
    const ofContext = this.global;
    for (const name of BUILT_INS) ofContext[name] = globalThis[name];
    // Set by a file with jest.setTimeout, and read by the code of Jest.
    Object.defineProperty(ofContext, TIMEOUT, { get: () => globalThis[TIMEOUT] });
    this.global = globalThis;
    const { constructor: ModuleMocker } = this.moduleMocker;
    this.moduleMocker = new ModuleMocker(globalThis);
    const { constructor: FakeTimers } = this.fakeTimersModern;
    this.fakeTimersModern = new FakeTimers({ config: config.projectConfig, global: globalThis });
    this.before = { exit: process.exit, env: { ...process.env } };
  }

  async teardown() {
    this.moduleMocker.restoreAllMocks();
    await super.teardown();
    const { exit, env } = this.before;
    process.exit = exit;
    for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name];
    Object.assign(process.env, env);
    delete globalThis[TIMEOUT];
  }
}
