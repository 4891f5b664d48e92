import { jest } from '@jest/globals';
import { Forbidden } from '../errors/api-error.js';
import { runCommand, UsageError } from './run-command.js';

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
    await runCommand(async (args) => {
      expect(args).toEqual(['one', '--two']);
      return 3;
    });
    expect([process.exitCode, printed]).toEqual([3, []]);
  });

  const defect = new TypeError('x is not a function');
  it.each([
    ['has invalid arguments', new UsageError('Usage: this -- FILE'), 2, 'Usage: this -- FILE'],
    ['fails', new Error('There is no such file.'), 1, 'There is no such file.'],
    ['is rejected', new Forbidden(), 1, 'Your account does not have permission to do this.'],
    ['has a defect', defect, 1, defect],
  ])('prints one line when it %s', async (_, error, code, message) => {
    await runCommand(() => Promise.reject(error));
    expect([process.exitCode, printed]).toEqual([code, [[message]]]);
  });
});
