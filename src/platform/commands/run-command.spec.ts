import { jest } from '@jest/globals';
import { Forbidden } from '../errors/api-error.js';
import { runCommand, UsageError } from './run-command.js';

const USAGE = 'Usage: this -- FILE';

describe('a command', () => {
  const { argv, exitCode } = process;
  let printed: unknown[][];
  beforeEach(() => {
    printed = [];
    jest.spyOn(console, 'error').mockImplementation((...args) => void printed.push(args));
    process.argv = ['node', 'command.js', 'one', '--two'];
  });
  afterEach(() => {
    jest.restoreAllMocks();
    process.argv = argv;
    process.exitCode = exitCode;
  });

  it('receives its arguments and sets the exit code of the process', async () => {
    await runCommand(USAGE, async (args) => {
      expect(args).toEqual(['one', '--two']);
      return 3;
    });
    expect([process.exitCode, printed]).toEqual([3, []]);
  });

  const defect = new TypeError('x is not a function');
  it.each([
    ['has invalid arguments', new UsageError(), 2, USAGE],
    ['has an invalid argument', new UsageError('Which?'), 2, `Which?\n\n${USAGE}`],
    ['fails', new Error('There is no such file.'), 1, 'There is no such file.'],
    ['is rejected', new Forbidden(), 1, 'Your account does not have permission to do this.'],
    ['has a defect', defect, 1, defect],
  ])('prints the reason when it %s', async (_, error, code, message) => {
    await runCommand(USAGE, () => Promise.reject(error));
    expect([process.exitCode, printed]).toEqual([code, [[message]]]);
  });
});
