import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const TIME_LIMIT = 'thrown: "Exceeded timeout of 60000 ms for a test.\nAdd a timeout value to this test';
const HOOK_TIME_LIMIT = 'thrown: "Exceeded timeout of 60000 ms for a hook.';
const ASSERTION = 'Error: expect(received).toBe(expected)';

type Test = [title: string, status: 'passed' | 'failed' | 'pending', ...failureMessages: string[]];

/** A file in a report of Jest; with a message, it failed as a whole. */
const file = (name: string, tests: Test[], message = '') => ({
  name: `/checkout/test/${name}`,
  status: message !== '' || tests.some(([, status]) => status === 'failed') ? 'failed' : 'passed',
  message,
  assertionResults: tests.map(([fullName, status, ...failureMessages]) => ({
    fullName,
    status,
    failureMessages,
  })),
});
type File = ReturnType<typeof file>;

describe('counts of the tests', () => {
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'pds-counts-'))));
  afterEach(() => rmSync(folder, { recursive: true }));

  const save = (name: string, report: object) => {
    writeFileSync(join(folder, name), JSON.stringify(report));
    return join(folder, name);
  };
  const run = (script: string, ...paths: string[]) => {
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [resolve(import.meta.dirname, '../../.ci', script), ...paths],
      { encoding: 'utf8' },
    );
    expect(stderr).toBe('');
    return { status, lines: stdout.trimEnd().split('\n') };
  };
  /** The counts of a run, and of its repeat if there is one. */
  const counted = (files: File[], repeated?: File[]) => {
    const path = save('run.json', { testResults: files });
    if (repeated !== undefined) save('run-again.json', { testResults: repeated });
    return run('counts.mjs', path);
  };
  const toRepeat = (...files: File[]) => run('timed-out.mjs', save('run.json', { testResults: files }));

  it('add up several reports, with the rules of the fault tests', () => {
    const first = save('one.json', {
      testResults: [
        file('a', [
          ['one', 'passed'],
          ['two', 'pending'],
        ]),
        file('b', [['one', 'passed']]),
      ],
    });
    const second = save('two.json', { testResults: [file('a', [['one', 'passed']])] });
    const rules = save('faults.json', {
      outcomes: [
        { id: 'F1', result: 'pass' },
        { id: 'F2', result: 'skipped' },
      ],
    });
    expect(run('counts.mjs', first, second, rules)).toEqual({
      status: 0,
      lines: ['4 passed, 0 failed, 2 skipped'],
    });
  });

  it('count a test as flaky that ran into a time limit and passed in the repeat', () => {
    const first = file('a', [
      ['one', 'failed', TIME_LIMIT, 'TypeError: it is undefined'],
      ['two', 'passed'],
    ]);
    expect(toRepeat(first)).toEqual({ status: 0, lines: ['/checkout/test/a'] });
    expect(
      counted(
        [first],
        [
          file('a', [
            ['one', 'passed'],
            ['two', 'passed'],
          ]),
        ],
      ),
    ).toEqual({
      status: 0,
      lines: ['flaky: /checkout/test/a one', '1 passed, 0 failed, 0 skipped, 1 flaky'],
    });
  });

  it('count a file as flaky whose last hook ran into a time limit', () => {
    const first = file('a', [['one', 'passed']], HOOK_TIME_LIMIT);
    expect(toRepeat(first)).toEqual({ status: 0, lines: ['/checkout/test/a'] });
    expect(counted([first], [file('a', [['one', 'passed']])])).toEqual({
      status: 0,
      lines: ['flaky: /checkout/test/a', '1 passed, 0 failed, 0 skipped, 1 flaky'],
    });
  });

  it('count a test as failed that runs into a time limit twice, or fails in the repeat only', () => {
    const first = file('a', [
      ['one', 'failed', TIME_LIMIT],
      ['two', 'passed'],
      ['three', 'passed'],
    ]);
    const repeat = file('a', [
      ['one', 'failed', TIME_LIMIT],
      ['two', 'failed', ASSERTION],
      ['three', 'passed'],
    ]);
    expect(counted([first], [repeat])).toEqual({
      status: 1,
      lines: [
        'failed: /checkout/test/a one',
        'failed: /checkout/test/a two',
        '1 passed, 2 failed, 0 skipped',
      ],
    });
    expect(counted([first], [file('a', [], 'cannot be loaded')])).toMatchObject({ status: 1 });
  });

  it('repeat nothing when any test failed for another reason', () => {
    const timedOut = file('a', [['one', 'failed', TIME_LIMIT]]);
    for (const failed of [
      file('b', [['one', 'failed', ASSERTION]]),
      file('b', [['one', 'failed', ASSERTION, HOOK_TIME_LIMIT]]),
      file('b', [['one', 'passed']], 'The process emitted warnings.'),
      file('b', [], 'cannot be loaded'),
    ]) {
      expect(toRepeat(timedOut, failed)).toEqual({ status: 1, lines: [''] });
      expect(counted([failed, file('c', [['one', 'passed']])])).toMatchObject({ status: 1 });
    }
    expect(toRepeat(file('a', [['one', 'passed']])).status).toBe(1);
  });

  it('never count an assertion as flaky, even if a repeat passed', () => {
    const first = file('a', [
      ['one', 'failed', ASSERTION],
      ['two', 'passed'],
    ]);
    expect(
      counted(
        [first],
        [
          file('a', [
            ['one', 'passed'],
            ['two', 'passed'],
          ]),
        ],
      ),
    ).toEqual({
      status: 1,
      lines: ['failed: /checkout/test/a one', '1 passed, 1 failed, 0 skipped'],
    });
  });

  it('count a rule as flaky that passed in its repeat only', () => {
    const outcomes = [
      { id: 'F1', result: 'pass' },
      { id: 'F2', result: 'pass', firstTry: 'A read took 300 ms instead of at most 200 ms.' },
      { id: 'F3', result: 'fail', firstTry: 'Not finished after 120 s.' },
    ];
    expect(run('counts.mjs', save('faults.json', { outcomes }))).toEqual({
      status: 1,
      lines: ['flaky: F2', 'failed: F3', '1 passed, 1 failed, 0 skipped, 1 flaky'],
    });
  });

  it('fail when nothing passed', () => {
    expect(counted([])).toEqual({ status: 1, lines: ['0 passed, 0 failed, 0 skipped'] });
  });
});
