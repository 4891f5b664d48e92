import type { ImportMetrics } from './imports.js';
import type { MixedLoadMetrics } from './mixed.js';
import type { Comparison } from './rounds.js';

/** Whether a measurement reaches its goal; `by CPU`: in processor time, but not in elapsed time. */
export type GoalResult = 'reached' | 'reached by CPU' | 'NOT reached' | null;

export interface ComparisonRow extends Comparison {
  kind: 'comparison';
  engine: string;
  size: string;
  scenario: string;
  /** What it is compared with: floor A or B, or the same service under other conditions. */
  against: string;
  goal: string;
  goalResult: GoalResult;
}

export interface ImportRow extends ImportMetrics {
  kind: 'import';
  engine: string;
  file: string;
  goal: string;
  goalResult: GoalResult;
}

export interface MixedRow extends MixedLoadMetrics {
  kind: 'mixed';
  engine: string;
  size: string;
  goal: string;
  goalResult: GoalResult;
}

export interface MemoryRow {
  kind: 'memory';
  engine: string;
  size: string;
  /** Megabytes at the end of the load, and at the peak. */
  now: number;
  most: number;
  goal: string;
  goalResult: GoalResult;
}

/** The time of one request that nothing has been kept for. */
export interface ColdRow {
  kind: 'cold';
  engine: string;
  size: string;
  scenario: string;
  milliseconds: number;
  goal: string;
  goalResult: GoalResult;
}

export type Row = ComparisonRow | ImportRow | MixedRow | MemoryRow | ColdRow;

const number = (value: number, width: number, digits = 2) =>
  (Number.isFinite(value) ? value.toFixed(digits) : '-').padStart(width);

export const comparisonHead = `${'engine'.padEnd(8)}${'size'.padEnd(5)}${'scenario'.padEnd(42)}${'req/s'.padStart(8)}${'p50 ms'.padStart(9)}${'p99 ms'.padStart(9)}${'CPU us'.padStart(9)}  against ${'req/s'.padStart(8)}${'CPU us'.padStart(9)}${'ratio'.padStart(7)}${'by CPU'.padStart(8)}  goal`;

/** One line of the printed table. */
export function line(row: Row): string {
  const goalResult = `${row.goal}${row.goalResult === null ? '' : ` ${row.goalResult}`}`;
  switch (row.kind) {
    case 'comparison': {
      const unexpected =
        Object.keys(row.unexpected).length > 0 ? ` UNEXPECTED ${JSON.stringify(row.unexpected)}` : '';
      return `${row.engine.padEnd(8)}${row.size.padEnd(5)}${row.scenario.padEnd(42)}${number(row.ours.perSecond, 8, 0)}${number(row.ours.p50, 9)}${number(row.ours.p99, 9)}${number(row.ours.cpu, 9, 0)}  ${row.against.padEnd(8)}${number(row.theirs.perSecond, 8, 0)}${number(row.theirs.cpu, 9, 0)}${number(row.ratio, 7)}${number(row.cpuRatio, 8)}  ${goalResult}${unexpected}`;
    }
    case 'import':
      return `${row.engine} import of ${row.file}, ${row.rows} rows: ${number(row.imported, 0, 0)} rows/s; parsing alone ${number(row.parsed, 0, 0)}, inserting alone ${number(row.inserted, 0, 0)}; CPU us/row ${number(row.cpu.imported, 0)}, ${number(row.cpu.parsed, 0)}, ${number(row.cpu.inserted, 0)}; ratio to the slower ${number(row.ratio, 0)}; memory at most ${number(row.memory[0], 0, 0)} MB in the first half, ${number(row.memory[1], 0, 0)} MB in the second  ${goalResult}`;
    case 'mixed':
      return `${row.engine} ${row.size} mixed load with ${row.longAnswers} CSVs of 500 series (${number(row.longMegabytes, 0, 0)} MB): event loop delay p99 ${number(row.delay, 0, 1)} ms (an idle process: ${number(row.idleDelay, 0, 1)} ms), work per loop iteration p99 ${number(row.turns.p99, 0, 1)} ms, at most ${number(row.turns.most, 0, 1)} ms; short requests p50 ${number(row.p50, 0, 1)} ms, p99 ${number(row.p99, 0, 1)} ms  ${goalResult}`;
    case 'cold':
      return `${row.engine} ${row.size} ${row.scenario}: ${number(row.milliseconds, 0, 0)} ms  ${goalResult}`;
    case 'memory':
      return `${row.engine} ${row.size} memory of the server: ${number(row.now, 0, 0)} MB after the load, ${number(row.most, 0, 0)} MB at most  ${goalResult}`;
  }
}
