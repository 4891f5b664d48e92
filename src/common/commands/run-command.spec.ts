import { jest } from '@jest/globals';
import { Forbidden } from '../errors/api-error.js';
import { runCommand, UsageError } from './run-command.js';

describe('a command', () => {
  const { argv, exitCode } = process;
  let complained: unknown[][];
  beforeEach(() => {
    complained = [];
    jest.spyOn(console, 'error').mockImplementation((...words) => void complained.push(words));
    process.argv = ['node', 'command.js', 'one', '--two'];
  });
  afterEach(() => {
    jest.restoreAllMocks();
    process.argv = argv;
    process.exitCode = exitCode;
  });

  it('is given its words, and ends the process with its code', async () => {
    await runCommand(async (words) => {
      expect(words).toEqual(['one', '--two']);
      return 3;
    });
    expect([process.exitCode, complained]).toEqual([3, []]);
  });

  const defect = new TypeError('x is not a function');
  it.each([
    ['was not understood', new UsageError('Usage: this -- FILE'), 2, 'Usage: this -- FILE'],
    ['failed', new Error('There is no such file.'), 1, 'There is no such file.'],
    ['was refused', new Forbidden(), 1, 'Your account may not do this.'],
    ['has a defect', defect, 1, defect],
  ])('says in a line why it %s', async (_, error, code, said) => {
    await runCommand(() => Promise.reject(error));
    expect([process.exitCode, complained]).toEqual([code, [[said]]]);
  });
});
