import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { mariadbInstalled } from './mariadb.js';
import { type Measurements, type Rule, SkipRule, TimeLimitError } from './rule.js';
import { cleanUp, killProcesses } from './resources.js';

interface Outcome {
  id: string;
  title: string;
  result: 'pass' | 'fail' | 'skipped';
  seconds: number;
  figures: Measurements;
  reason?: string;
  /** Whether it failed because something took too long. */
  timedOut?: boolean;
  /** The time limit that the first of two attempts exceeded. */
  firstTry?: string;
}

async function runRule(rule: Rule, short: boolean): Promise<Outcome> {
  const { id, title } = rule;
  const missing = rule.needsMariadb && !mariadbInstalled ? 'MariaDB is not installed.' : rule.skipReason;
  if (missing !== undefined)
    return { id, title, result: 'skipped', seconds: 0, figures: {}, reason: missing };
  const began = performance.now();
  const seconds = () => Math.round((performance.now() - began) / 100) / 10;
  const limit = rule.timeoutMs ?? 120_000;
  try {
    const figures = await Promise.race([
      rule.run({ short }),
      sleep(limit, null, { ref: false }).then(() => {
        throw new TimeLimitError(`Not finished after ${limit / 1000} s.`);
      }),
    ]);
    return { id, title, result: 'pass', seconds: seconds(), figures };
  } catch (error) {
    if (error instanceof SkipRule)
      return { id, title, result: 'skipped', seconds: seconds(), figures: {}, reason: error.message };
    const timedOut = error instanceof TimeLimitError;
    const reason = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return { id, title, result: 'fail', seconds: seconds(), figures: {}, reason, timedOut };
  } finally {
    killProcesses();
  }
}

function printOutcome({ id, title, result, seconds, figures, reason, firstTry }: Outcome): void {
  const again = firstTry === undefined ? '' : ' (second attempt)';
  console.log(`${id.padEnd(5)} ${result.padEnd(7)} ${String(seconds).padStart(6)} s  ${title}${again}`);
  const shown = Object.entries(figures).map(([name, value]) => `${name} ${value}`);
  if (shown.length > 0) console.log(`${' '.repeat(24)}${shown.join(' · ')}`);
  if (reason) console.log(reason.replaceAll(/^/gm, ' '.repeat(24)));
}

/**
 * Runs rules one after the other, prints a table, writes it as JSON and exits, with 1 if a rule
 * failed. Options: `--short`, `--only ID,ID`, `--json FILE`, `--large`, which runs the large rules
 * in place of the others, and `--retry`, which repeats a rule that exceeded a time limit, as a
 * shared machine may, once and reports both attempts.
 * @param defaultJson default path of the JSON file
 */
export async function runRules(
  rules: readonly Rule[],
  defaultJson: string,
  largeRules: readonly Rule[] = [],
): Promise<never> {
  const { values } = parseArgs({
    options: {
      short: { type: 'boolean', default: false },
      large: { type: 'boolean', default: false },
      retry: { type: 'boolean', default: false },
      only: { type: 'string' },
      json: { type: 'string', default: defaultJson },
    },
  });
  process.once('exit', cleanUp);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

  const wanted = values.only?.split(',');
  const outcomes: Outcome[] = [];
  const run = values.large ? largeRules : rules;
  for (const rule of run.filter(({ id }) => wanted === undefined || wanted.includes(id))) {
    let outcome = await runRule(rule, values.short);
    if (outcome.timedOut && values.retry) {
      printOutcome(outcome);
      outcome = { ...(await runRule(rule, values.short)), firstTry: outcome.reason };
    }
    outcomes.push(outcome);
    printOutcome(outcome);
  }
  const count = (result: Outcome['result']) => outcomes.filter((outcome) => outcome.result === result).length;
  const flaky = outcomes.filter(({ result, firstTry }) => result === 'pass' && firstTry !== undefined).length;
  console.log(
    `\n${count('pass') - flaky} passed, ${count('fail')} failed, ${count('skipped')} skipped` +
      `${flaky === 0 ? '' : `, ${flaky} flaky`}.`,
  );
  mkdirSync(dirname(values.json), { recursive: true });
  writeFileSync(
    values.json,
    `${JSON.stringify(
      {
        at: new Date().toISOString(),
        short: values.short,
        node: process.version,
        cores: cpus().length,
        memoryGiB: Math.round(totalmem() / 2 ** 30),
        outcomes,
      },
      null,
      2,
    )}\n`,
  );
  process.exit(count('fail') === 0 ? 0 : 1);
}
