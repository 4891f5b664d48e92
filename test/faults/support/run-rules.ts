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
}

async function prove(rule: Rule, short: boolean): Promise<Outcome> {
  const { id, title } = rule;
  if (rule.needsMariadb && !mariadbInstalled) {
    return {
      id,
      title,
      result: 'skipped',
      seconds: 0,
      figures: {},
      reason: 'MariaDB is not installed here.',
    };
  }
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

/**
 * Runs rules one after the other, prints a table and writes it as JSON, and ends the process: with 1 when a rule has failed.
 * Takes the arguments `--short`, `--only ID,ID` and `--json FILE`.
 * @param defaultJson where the table goes unless told otherwise
 */
export async function runRules(rules: readonly Rule[], defaultJson: string): Promise<never> {
  const { values } = parseArgs({
    options: {
      short: { type: 'boolean', default: false },
      only: { type: 'string' },
      json: { type: 'string', default: defaultJson },
    },
  });
  process.once('exit', clearAway);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

  const wanted = values.only?.split(',');
  const outcomes: Outcome[] = [];
  for (const rule of rules.filter(({ id }) => wanted === undefined || wanted.includes(id))) {
    const outcome = await prove(rule, values.short);
    outcomes.push(outcome);
    const figures = Object.entries(outcome.figures).map(([name, value]) => `${name} ${value}`);
    console.log(
      `${outcome.id.padEnd(5)} ${outcome.result.padEnd(7)} ${String(outcome.seconds).padStart(6)} s  ${outcome.title}`,
    );
    if (figures.length > 0) console.log(`${' '.repeat(24)}${figures.join(' · ')}`);
    if (outcome.reason) console.log(outcome.reason.replaceAll(/^/gm, ' '.repeat(24)));
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
