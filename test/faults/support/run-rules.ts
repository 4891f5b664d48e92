import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { mariadbInstalled } from './mariadb.js';
import type { Figures, Rule } from './rule.js';
import { clearAway, endProcesses } from './workshop.js';

interface Outcome {
  id: string;
  title: string;
  result: 'pass' | 'fail' | 'skipped';
  seconds: number;
  figures: Figures;
  reason?: string;
  /** Why the first of two tries failed. */
  firstTry?: string;
}

async function prove(rule: Rule, short: boolean): Promise<Outcome> {
  const { id, title } = rule;
  const missing = rule.needsMariadb && !mariadbInstalled ? 'MariaDB is not installed here.' : rule.missing;
  if (missing !== undefined)
    return { id, title, result: 'skipped', seconds: 0, figures: {}, reason: missing };
  const began = performance.now();
  const seconds = () => Math.round((performance.now() - began) / 100) / 10;
  const limit = rule.limit ?? 120_000;
  try {
    const figures = await Promise.race([
      rule.run({ short }),
      sleep(limit, null, { ref: false }).then(() => {
        throw new Error(`Not done after ${limit / 1000} s.`);
      }),
    ]);
    return { id, title, result: 'pass', seconds: seconds(), figures };
  } catch (error) {
    const reason = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return { id, title, result: 'fail', seconds: seconds(), figures: {}, reason };
  } finally {
    endProcesses();
  }
}

function tell({ id, title, result, seconds, figures, reason, firstTry }: Outcome): void {
  const again = firstTry === undefined ? '' : ' (second try)';
  console.log(`${id.padEnd(5)} ${result.padEnd(7)} ${String(seconds).padStart(6)} s  ${title}${again}`);
  const shown = Object.entries(figures).map(([name, value]) => `${name} ${value}`);
  if (shown.length > 0) console.log(`${' '.repeat(24)}${shown.join(' · ')}`);
  if (reason) console.log(reason.replaceAll(/^/gm, ' '.repeat(24)));
}

/**
 * Runs rules one after the other, prints a table and writes it as JSON, and ends the process: with 1 when a rule has failed.
 * Takes the arguments `--short`, `--only ID,ID`, `--json FILE`, and `--retry`, which tries a rule that fails once more and tells of both:
 * many limits are times, and on a shared machine one of them may be missed for reasons outside the service.
 * @param defaultJson where the table goes unless told otherwise
 */
export async function runRules(rules: readonly Rule[], defaultJson: string): Promise<never> {
  const { values } = parseArgs({
    options: {
      short: { type: 'boolean', default: false },
      retry: { type: 'boolean', default: false },
      only: { type: 'string' },
      json: { type: 'string', default: defaultJson },
    },
  });
  process.once('exit', clearAway);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

  const wanted = values.only?.split(',');
  const outcomes: Outcome[] = [];
  for (const rule of rules.filter(({ id }) => wanted === undefined || wanted.includes(id))) {
    let outcome = await prove(rule, values.short);
    if (outcome.result === 'fail' && values.retry) {
      tell(outcome);
      outcome = { ...(await prove(rule, values.short)), firstTry: outcome.reason };
    }
    outcomes.push(outcome);
    tell(outcome);
  }
  const count = (result: Outcome['result']) => outcomes.filter((outcome) => outcome.result === result).length;
  console.log(`\n${count('pass')} passed, ${count('fail')} failed, ${count('skipped')} skipped.`);
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
