import type { Reject } from './formats/batch.js';
import type { TableName } from './formats/table-rows.js';

/** Rejects that a report lists one by one; all of them are counted. */
const LISTED = 10_000;

/** What an import did, or would have done. `read` is the sum of new, changed, unchanged, skipped and rejected rows. */
export interface ImportReport {
  format: string;
  /** The file's name without its folder. */
  input: string;
  /** SHA-256 of the input as it was given. */
  digest: string;
  bytes: number;
  dry_run: boolean;
  /** Why the import ended early; null when the whole input was read. What was stored before stays. */
  error: string | null;
  read: number;
  new: number;
  changed: number;
  unchanged: number;
  /** Rows that were left out on purpose, by reason. */
  skipped: Record<string, number>;
  rejected: number;
  rejected_by_reason: Record<string, number>;
  /** The first rejected rows. */
  rejects: Reject[];
  /** Series made. */
  series: number;
  /** Records of reference tables made to describe series. */
  records: Partial<Record<TableName, number>>;
  /** Numbers of more than 15 significant digits. */
  rounded: number;
  /** Commodities for which the input has another HS code than is stored: the stored one stays. */
  hs_codes_kept: number;
  seconds: number;
  rows_per_second: number;
}

/** What was found in a part of an input, besides the rows that are to be stored. */
export interface Findings {
  read: number;
  rounded: number;
  skipped: ReadonlyMap<string, number>;
  rejects: readonly Reject[];
}

/** How many rows of a batch became what. */
export interface Stored {
  added: number;
  changed: number;
  unchanged: number;
}

/** Keeps count of an import. */
export class ReportBuilder {
  private started = performance.now();
  private readonly report: ImportReport;
  private readonly series = new Set<string>();
  private readonly records = new Map<TableName, Set<string>>();
  private readonly commodities = new Set<string>();

  constructor(format: string, input: string, dryRun: boolean) {
    this.report = {
      format,
      input,
      digest: '',
      bytes: 0,
      dry_run: dryRun,
      error: null,
      read: 0,
      new: 0,
      changed: 0,
      unchanged: 0,
      skipped: {},
      rejected: 0,
      rejected_by_reason: {},
      rejects: [],
      series: 0,
      records: {},
      rounded: 0,
      hs_codes_kept: 0,
      seconds: 0,
      rows_per_second: 0,
    };
  }

  /** Counts what was found in a part of the input. */
  found(batch: Findings): void {
    this.report.read += batch.read;
    this.report.rounded += batch.rounded;
    for (const [reason, count] of batch.skipped) this.skip(reason, count);
    for (const reject of batch.rejects) this.reject(reject);
  }

  skip(reason: string, count: number): void {
    if (count > 0) this.report.skipped[reason] = (this.report.skipped[reason] ?? 0) + count;
  }

  reject(reject: Reject): void {
    const { report } = this;
    report.rejected++;
    report.rejected_by_reason[reject.reason] = (report.rejected_by_reason[reject.reason] ?? 0) + 1;
    if (report.rejects.length < LISTED) report.rejects.push(reject);
  }

  stored({ added, changed, unchanged }: Stored): void {
    this.report.new += added;
    this.report.changed += changed;
    this.report.unchanged += unchanged;
  }

  unchanged(count = 1): void {
    this.report.unchanged += count;
  }

  /** Series made, by their uuids. Each counts once: a dry run makes them again in each of its transactions. */
  madeSeries(uuids: readonly string[]): void {
    for (const uuid of uuids) this.series.add(uuid);
  }

  /** Records made, by their unique keys. */
  madeRecords(records: readonly (readonly [TableName, string])[]): void {
    for (const [table, key] of records) {
      const keys = this.records.get(table) ?? new Set();
      this.records.set(table, keys.add(key));
    }
  }

  hsCodesKept(commodities: readonly string[]): void {
    for (const name of commodities) this.commodities.add(name);
  }

  /** Another with the same counts, for what is not certain to be stored. */
  copy(): ReportBuilder {
    const { format, input, dry_run } = this.report;
    const copy = new ReportBuilder(format, input, dry_run);
    copy.started = this.started;
    Object.assign(copy.report, structuredClone(this.report));
    copy.madeSeries([...this.series]);
    for (const [table, keys] of this.records) copy.records.set(table, new Set(keys));
    copy.hsCodesKept([...this.commodities]);
    return copy;
  }

  /** The report as it stands, with the time taken so far. */
  finish(digest: string, bytes: number, error: string | null): ImportReport {
    const seconds = (performance.now() - this.started) / 1000;
    return {
      ...this.report,
      digest,
      bytes,
      error,
      rejects: this.report.rejects.sort((one, other) => one.line - other.line),
      series: this.series.size,
      records: Object.fromEntries([...this.records].map(([table, keys]) => [table, keys.size])),
      hs_codes_kept: this.commodities.size,
      seconds: Math.round(seconds * 1000) / 1000,
      rows_per_second: Math.round(this.report.read / seconds),
    };
  }
}

/** The exit code of the command: 0 all taken, 1 failed or nothing taken, 3 done with rejects. */
export function exitCodeOf(report: ImportReport): 0 | 1 | 3 {
  if (report.error !== null || report.new + report.changed + report.unchanged === 0) return 1;
  return report.rejected > 0 ? 3 : 0;
}

/** Rejected rows that the report shows on a terminal. */
const SHOWN = 20;

/** The report for people. */
export function reportText(report: ImportReport): string {
  const number = (count: number) => count.toLocaleString('en-US');
  const reasons = (counts: Record<string, number>) =>
    Object.entries(counts)
      .map(([reason, count]) => `${reason} ${number(count)}`)
      .join(', ');
  const skipped = Object.values(report.skipped).reduce((sum, count) => sum + count, 0);
  const rows: [string, string, string?][] = [
    ['read', number(report.read)],
    ['new', number(report.new)],
    ['changed', number(report.changed)],
    ['unchanged', number(report.unchanged)],
    ['skipped', number(skipped), reasons(report.skipped)],
    ['rejected', number(report.rejected), reasons(report.rejected_by_reason)],
    ['series made', number(report.series)],
    ...Object.entries(report.records).map(([table, count]): [string, string] => [
      `${table} made`,
      number(count),
    ]),
    ['rounded to 15 digits', number(report.rounded)],
    ['HS codes kept', number(report.hs_codes_kept)],
  ];
  const width = Math.max(...rows.map(([name]) => name.length));
  const digits = Math.max(...rows.map(([, count]) => count.length));
  const lines = rows.map(([name, count, more = '']) =>
    `  ${name.padEnd(width)}  ${count.padStart(digits)}  ${more}`.trimEnd(),
  );
  const listed = report.rejects
    .slice(0, SHOWN)
    .map(
      ({ line, field, reason, detail }) => `  line ${line}${field && `, ${field}`}: ${detail} (${reason})`,
    );
  const unlisted = report.rejected - listed.length;
  return [
    `${report.format} ${report.input || 'from standard input'}${report.dry_run ? ' (dry run: nothing is stored)' : ''}`,
    ...lines,
    `  ${report.seconds} s, ${number(report.rows_per_second)} rows/s`,
    ...(listed.length > 0 ? ['Rejected:', ...listed] : []),
    ...(unlisted > 0 ? [`  and ${number(unlisted)} more`] : []),
    ...(report.error === null ? [] : [`Ended early: ${report.error}`]),
  ].join('\n');
}
