import type { RejectedRow } from '../formats/batch.js';
import { conventionWords, type FoundConvention } from '../formats/convention/convention.js';
import { csvValue } from '../../lib/text/csv.js';
import { countryWords, isCountryCode } from '../../lib/codes/countries.js';
import { currenciesOf } from '../../lib/codes/country-currencies.js';
import { currencyLife } from '../../lib/codes/currency-lives.js';
import { ReplacedValues, type CountedReplacements, type ReplacedValue } from '../formats/replaced-values.js';
import type { ImportRequest } from '../import.service.js';
import type { CreatedRecord } from './created-records.js';
import type { OpenedFindings } from './opened-findings.js';
import type { AttributeConflict, FilledRecords } from './record-filling.js';
import { COUNT_MEANINGS, SKIP_REASONS } from './report-words.js';
import { type FirstRow, SHOWN_ROWS } from './reading/first-rows.js';
import type { ImportReport, SupersededCorrection } from './import-report.dto.js';

/** Rejected rows listed in a report; all of them are counted. */
const MAX_LISTED_REJECTS = 10_000;
/** Attributes with other values listed in a report; all of them are counted. */
const MAX_LISTED_ATTRIBUTES = 100;
/** Values that were read as others, listed in a report; all cells are counted. */
const MAX_LISTED_VALUES = 100;
/** Superseded corrections listed in a report; all of them are counted. */
const MAX_LISTED_CORRECTIONS = 100;

/** What an input is read by. */
type ReadBy = Pick<ImportRequest, 'format' | 'mappingVersion'>;

const emptyReport = ({ format, mappingVersion }: ReadBy, input: string, dryRun: boolean): ImportReport => ({
  format,
  ...(mappingVersion === undefined ? {} : { mapping_version: mappingVersion }),
  input,
  change_set_id: null,
  digest: '',
  bytes: 0,
  dry_run: dryRun,
  convention: null,
  notes: [],
  error: null,
  read: 0,
  new: 0,
  changed: 0,
  unchanged: 0,
  skipped: {},
  rejected: 0,
  rejected_by_reason: {},
  rejects: [],
  countries: {},
  series: 0,
  records: {},
  created_records: [],
  rounded: 0,
  inverted: 0,
  replaced: 0,
  replaced_values: [],
  hs_codes_kept: 0,
  filled: 0,
  attribute_conflicts: 0,
  conflicting_attributes: [],
  corrections_kept: 0,
  corrections_confirmed: 0,
  corrections_superseded: 0,
  superseded_corrections: [],
  kept_other_source: 0,
  older_than_stored: 0,
  backdated: dryRun ? 0 : null,
  findings: null,
  first_findings: [],
  first_rows: [],
  seconds: 0,
  rows_per_second: 0,
});

/** The counts and rejected rows of a batch of the input. */
interface BatchSummary {
  read: number;
  rounded: number;
  inverted?: number;
  replaced: CountedReplacements;
  skipped: ReadonlyMap<string, number>;
  rejects: readonly RejectedRow[];
  convention: FoundConvention | null;
  notes: readonly string[];
}

/** The rows of a batch by outcome. */
interface RowCounts {
  added: number;
  changed: number;
  unchanged: number;
}

/** Counts what an import does. */
export class ReportBuilder {
  private started = performance.now();
  private readonly report: ImportReport;
  private readonly series = new Set<string>();
  private readonly records = new Map<string, Set<string>>();
  private readonly commodities = new Set<string>();
  private readonly filled = new Set<string>();
  private readonly conflicts = new Map<string, AttributeConflict>();
  private readonly replaced = new ReplacedValues();
  /** Values that records have another form of, each once. */
  private readonly storedAsOthers = new Map<string, ReplacedValue>();

  /** @param shownRows most of the first rows that it has */
  constructor(
    readBy: ReadBy,
    input: string,
    dryRun: boolean,
    private readonly shownRows = SHOWN_ROWS,
  ) {
    this.report = emptyReport(readBy, input, dryRun);
  }

  /** Adds what was read, but not yet stored. */
  addBatch(batch: BatchSummary): void {
    this.report.read += batch.read;
    this.report.rounded += batch.rounded;
    this.report.inverted += batch.inverted ?? 0;
    this.report.convention = batch.convention ?? this.report.convention;
    for (const note of batch.notes) this.addNote(note);
    if (batch.replaced.cells > 0) this.replaced.addCounted(batch.replaced);
    for (const [reason, count] of batch.skipped) this.skip(reason, count);
    for (const reject of batch.rejects) this.reject(reject);
  }

  /** Adds a sentence about the input, once. */
  addNote(note: string): void {
    if (!this.report.notes.includes(note)) this.report.notes.push(note);
  }

  /** Adds rows that the input begins with; those above the limit are left out. */
  addFirstRows(rows: readonly FirstRow[]): void {
    const { first_rows: first } = this.report;
    first.push(...rows.slice(0, Math.max(0, this.shownRows - first.length)));
  }

  /** Adds a series of the input. */
  addSeriesOf(iso3: string, currency: string): void {
    if (!isCountryCode(iso3)) this.addNote(`${iso3} is no code of ISO 3166-1.`);
    this.addCurrency(currency, currenciesOf(iso3));
    this.report.countries[iso3] = (this.report.countries[iso3] ?? 0) + 1;
  }

  /**
   * Adds a currency of the input.
   * @param known codes that have no life in ISO 4217, but are in use
   */
  addCurrency(code: string, known: readonly string[] = []): void {
    if (currencyLife(code) !== null || known.includes(code)) return;
    this.addNote(`${code} is no code of ISO 4217: it has no rates but those under the same letters.`);
  }

  skip(reason: string, count: number): void {
    if (count > 0) this.report.skipped[reason] = (this.report.skipped[reason] ?? 0) + count;
  }

  reject(reject: RejectedRow): void {
    const { report } = this;
    report.rejected++;
    report.rejected_by_reason[reject.reason] = (report.rejected_by_reason[reject.reason] ?? 0) + 1;
    if (report.rejects.length < MAX_LISTED_REJECTS) report.rejects.push(reject);
  }

  addWritten({ added, changed, unchanged }: RowCounts): void {
    this.report.new += added;
    this.report.changed += changed;
    this.report.unchanged += unchanged;
  }

  addUnchanged(count = 1): void {
    this.report.unchanged += count;
  }

  /** Adds created series, each once: a dry run creates it again in each transaction. */
  addCreatedSeries(uuids: readonly string[]): void {
    for (const uuid of uuids) this.series.add(uuid);
  }

  /** Adds created records by table and unique key, each counted once. */
  addCreatedRecords(records: readonly (readonly [string, string])[]): void {
    for (const [table, key] of records) {
      const keys = this.records.get(table) ?? new Set();
      this.records.set(table, keys.add(key));
    }
  }

  /** Adds filled and conflicting fields, each once: a dry run fills a field in each transaction. */
  addFilled({ filled, conflicts, replaced }: FilledRecords): void {
    this.addStoredAsOthers(replaced);
    for (const field of filled) this.filled.add(field);
    for (const conflict of conflicts) {
      const { table, record_id, field, given } = conflict;
      this.conflicts.set(JSON.stringify([table, record_id, field, given]), conflict);
    }
  }

  /** Adds values that are stored as others, each once. */
  addStoredAsOthers(values: readonly ReplacedValue[]): void {
    for (const value of values)
      this.storedAsOthers.set(JSON.stringify([value.column, value.value, value.read_as]), value);
  }

  addKeptHsCodes(commodities: readonly string[]): void {
    for (const name of commodities) this.commodities.add(name);
  }

  /** Adds what the rows of a batch meant for corrections. */
  addCorrections(
    { unchanged, silent = 0, confirmed }: { unchanged: number; silent?: number; confirmed: number },
    superseded: readonly SupersededCorrection[],
  ): void {
    const { report } = this;
    this.addUnchanged(unchanged);
    this.skip('less_than_stored', silent);
    report.corrections_kept += unchanged + silent;
    report.corrections_confirmed += confirmed;
    report.corrections_superseded += superseded.length;
    const left = MAX_LISTED_CORRECTIONS - report.superseded_corrections.length;
    report.superseded_corrections.push(...superseded.slice(0, left));
  }

  /** Adds rows that would have changed a rate or an index of another source. */
  addKeptOtherSource(rows: number): void {
    this.report.kept_other_source += rows;
  }

  /** Adds new prices that are long before the newest stored ones. */
  addBackdated(points: number): void {
    if (this.report.backdated !== null) this.report.backdated += points;
  }

  /** Sets the number of series of which newer prices are stored, at the end of the input. */
  setOlderThanStored(series: number): void {
    this.report.older_than_stored = series;
  }

  /** The keys of the created records, by table. */
  get createdKeys(): ReadonlyMap<string, ReadonlySet<string>> {
    return this.records;
  }

  /** Sets the records that were created, at the end of the input. */
  setCreatedRecords(records: CreatedRecord[]): void {
    this.report.created_records = records;
  }

  /** Sets the findings that the import has opened, at the end of its last transaction. */
  setFindings({ counts, first }: OpenedFindings): void {
    this.report.findings = counts;
    this.report.first_findings = [...first];
  }

  /** A copy, for counts of a transaction that is not committed yet. */
  copy(): ReportBuilder {
    const { format, mapping_version, input, dry_run } = this.report;
    const readBy = { format, mappingVersion: mapping_version };
    const copy = new ReportBuilder(readBy, input, dry_run, this.shownRows);
    copy.started = this.started;
    const { skipped, rejected_by_reason, rejects, superseded_corrections } = this.report;
    Object.assign(copy.report, {
      ...this.report,
      notes: [...this.report.notes],
      countries: { ...this.report.countries },
      skipped: { ...skipped },
      rejected_by_reason: { ...rejected_by_reason },
      rejects: [...rejects],
      superseded_corrections: [...superseded_corrections],
      first_rows: [...this.report.first_rows],
    });
    copy.addCreatedSeries([...this.series]);
    for (const [table, keys] of this.records) copy.records.set(table, new Set(keys));
    copy.addKeptHsCodes([...this.commodities]);
    copy.replaced.addCounted(this.replaced);
    copy.addFilled({
      filled: [...this.filled],
      conflicts: [...this.conflicts.values()],
      replaced: [...this.storedAsOthers.values()],
    });
    return copy;
  }

  /** The change set that the import belongs to. */
  setChangeSet(id: number): void {
    this.report.change_set_id = id;
  }

  /** The report of all counts so far, with the elapsed time. */
  finish(digest: string, bytes: number, error: string | null): ImportReport {
    const { read, skipped } = this.report;
    // With `already_stored` there was nothing to add, which is what was asked for.
    if (error === null && read > 0 && sumOf(skipped) === read && skipped.already_stored === undefined)
      this.addNote(`No row of the input can be stored. All are skipped: ${reasonsText(skipped)}.`);
    const seconds = (performance.now() - this.started) / 1000;
    const replaced = new ReplacedValues();
    replaced.addCounted(this.replaced);
    replaced.addAll([...this.storedAsOthers.values()]);
    return {
      ...this.report,
      digest,
      bytes,
      error,
      rejects: this.report.rejects.sort((a, b) => a.line - b.line),
      series: this.series.size,
      records: Object.fromEntries([...this.records].map(([table, keys]) => [table, keys.size])),
      replaced: replaced.cells,
      replaced_values: replaced.list.slice(0, MAX_LISTED_VALUES),
      hs_codes_kept: this.commodities.size,
      filled: this.filled.size,
      attribute_conflicts: this.conflicts.size,
      conflicting_attributes: [...this.conflicts.values()].slice(0, MAX_LISTED_ATTRIBUTES),
      seconds: Math.round(seconds * 1000) / 1000,
      rows_per_second: Math.round(this.report.read / seconds),
    };
  }
}

/** The counts of a report that its change set keeps. */
export function changeSetCounts(report: ImportReport) {
  const { read, new: added, changed, unchanged, skipped, rejected, series, records, filled } = report;
  const { attribute_conflicts, corrections_kept, corrections_confirmed, corrections_superseded } = report;
  const { findings, mapping_version } = report;
  return {
    mapping_version,
    read,
    new: added,
    changed,
    unchanged,
    skipped,
    rejected,
    series,
    records,
    filled,
    attribute_conflicts,
    corrections_kept,
    corrections_confirmed,
    corrections_superseded,
    findings,
  };
}

/**
 * The exit code of the command: 0 all rows imported, 1 failed or none imported, 3 some rejected.
 */
export function exitCodeOf(report: ImportReport): 0 | 1 | 3 {
  if (report.error !== null || report.new + report.changed + report.unchanged === 0) return 1;
  return report.rejected > 0 ? 3 : 0;
}

/** Rejected rows that are printed. */
const MAX_PRINTED_REJECTS = 20;

/** The counts that are printed where they are not 0, with their labels; reasons are beside them. */
const PRINTED_COUNTS = [
  ['new', 'new'],
  ['changed', 'changed'],
  ['unchanged', 'unchanged'],
  ['skipped', 'skipped'],
  ['rejected', 'rejected'],
  ['series', 'series created'],
  ['rounded', 'rounded to 15 digits'],
  ['inverted', 'rates inverted'],
  ['replaced', 'values read as others'],
  ['hs_codes_kept', 'HS codes kept'],
  ['filled', 'fields filled'],
  ['attribute_conflicts', 'fields with another value'],
  ['corrections_kept', 'corrections kept'],
  ['corrections_confirmed', 'corrections confirmed'],
  ['corrections_superseded', 'corrections superseded'],
  ['kept_other_source', 'kept, of another source'],
  ['older_than_stored', 'series with newer prices stored'],
  ['backdated', 'new, of long ago'],
  ['findings', 'findings'],
] as const satisfies readonly (readonly [keyof ImportReport, string])[];

/** What an input was read by. */
const formatWords = ({ format, mapping_version: version }: ImportReport): string =>
  version === undefined ? format : `${format} (version ${version})`;

/**
 * A report for people.
 * @param hasFirstRows whether it shows the first rows
 */
export function reportText(report: ImportReport, hasFirstRows = false): string {
  const number = (count: number) => count.toLocaleString('en-US');
  const rows: [string, string, string?][] = [['read', number(report.read)]];
  const meanings: string[] = [];
  for (const [name, label] of PRINTED_COUNTS) {
    const value = report[name];
    const reasons = name === 'rejected' ? report.rejected_by_reason : value;
    const count = typeof value === 'number' ? value : sumOf(value ?? {});
    if (count > 0) {
      const more = typeof reasons === 'number' ? '' : reasonsText(reasons ?? {});
      rows.push([label, number(count), more]);
      const meaning = COUNT_MEANINGS[name];
      if (meaning !== undefined) meanings.push(`  ${label}: ${meaning}`);
    }
    if (name === 'rejected') rows.push(...countryRows(report));
    if (name === 'series')
      for (const [table, created] of Object.entries(report.records))
        rows.push([`${table} created`, number(created)]);
  }
  if (report.findings === null && report.error === null)
    rows.push(['findings', '-', 'not computed: the input is too large to be tried as a whole']);
  for (const reason of Object.keys(report.skipped)) {
    const meaning = SKIP_REASONS[reason];
    if (meaning !== undefined) meanings.push(`  ${reason}: ${meaning}`);
  }
  const width = Math.max(...rows.map(([name]) => name.length));
  const digits = Math.max(...rows.map(([, count]) => count.length));
  const lines = rows.map(([name, count, more = '']) =>
    `  ${name.padEnd(width)}  ${count.padStart(digits)}  ${more}`.trimEnd(),
  );
  const listed = report.rejects
    .slice(0, MAX_PRINTED_REJECTS)
    .map(
      ({ line, field, reason, detail }) => `  line ${line}${field && `, ${field}`}: ${detail} (${reason})`,
    );
  const unlisted = report.rejected - listed.length;
  return [
    `${formatWords(report)} ${report.input || 'from standard input'}${report.dry_run ? ' (dry run: nothing is stored)' : ''}`,
    ...conventionWords(report.convention).map((words) => `  ${words}`),
    ...report.notes.map((note) => `  ${note}`),
    ...lines,
    `  ${report.seconds} s, ${number(report.rows_per_second)} rows/s`,
    ...(report.change_set_id === null ? [] : [`  change set ${report.change_set_id}`]),
    ...(listed.length > 0 ? ['Rejected:', ...listed] : []),
    ...(unlisted > 0 ? [`  and ${number(unlisted)} more`] : []),
    ...(report.first_findings.length > 0 ? ['Findings:', ...findingsText(report)] : []),
    ...(report.replaced_values.length > 0 ? ['Read as others:', ...replacedText(report)] : []),
    ...(hasFirstRows && report.first_rows.length > 0
      ? ['The first rows as they would be stored:', ...firstRowsText(report.first_rows)]
      : []),
    ...(report.created_records.length > 0 ? ['Created:', ...createdText(report)] : []),
    ...(report.superseded_corrections.length > 0
      ? ['Corrections superseded:', ...report.superseded_corrections.map(supersededText)]
      : []),
    ...(meanings.length > 0 ? ['What the words mean:', ...meanings] : []),
    ...(report.error === null ? [] : [`Ended early: ${report.error}`]),
  ].join('\n');
}

/** Rows as CSV, with the numbers of their lines. */
function firstRowsText(rows: readonly FirstRow[]): string[] {
  const names = [...new Set(rows.flatMap(({ values }) => Object.keys(values)))];
  const lineOf = (cells: readonly (string | number)[]) => `  ${cells.map(csvValue).join(',')}`;
  return [
    lineOf(['line', ...names]),
    ...rows.map(({ line, values }) => lineOf([line, ...names.map((name) => values[name] ?? '')])),
  ];
}

/** Countries that are named. */
const MAX_PRINTED_COUNTRIES = 8;

/** The countries of the series of an input, as a row of the table of counts. */
function countryRows({ countries }: ImportReport): [string, string, string][] {
  const codes = Object.keys(countries).sort();
  if (codes.length === 0) return [];
  const named = codes.slice(0, MAX_PRINTED_COUNTRIES).map(countryWords).join(', ');
  return [['countries', String(codes.length), codes.length > MAX_PRINTED_COUNTRIES ? `${named}, …` : named]];
}

/** Findings that are printed. */
const MAX_PRINTED_FINDINGS = 10;

/** What an import has found, as lines of text: `decimal_slip, 75ebae3c-…, 2024-04-01: …`. */
function findingsText({ first_findings, findings }: ImportReport): string[] {
  const listed = first_findings.slice(0, MAX_PRINTED_FINDINGS);
  const lines = listed.map(({ rule, uuid, date, detail }) => {
    const place = [rule, uuid, date].filter((part) => part !== null).join(', ');
    return `  ${place}: ${detail}`;
  });
  const more = sumOf(findings ?? {}) - listed.length;
  return more > 0 ? [...lines, `  and ${more.toLocaleString('en-US')} more`] : lines;
}

/** Values that were read as others and are printed. */
const MAX_PRINTED_VALUES = 20;

/** Values that were read as others, as lines of text: `admin1: NA as blank, 12 cells`. */
function replacedText({ replaced_values }: ImportReport): string[] {
  const listed = replaced_values.slice(0, MAX_PRINTED_VALUES);
  const lines = listed.map(
    ({ column, value, read_as, cells }) =>
      `  ${column}: ${value} as ${read_as === '' ? 'blank' : read_as}, ${cells.toLocaleString('en-US')} ${cells === 1 ? 'cell' : 'cells'}`,
  );
  if (replaced_values.length > listed.length) lines.push('  and others');
  return lines;
}
const sumOf = (counts: Readonly<Record<string, number>>) =>
  Object.values(counts).reduce((sum, count) => sum + count, 0);

/** Counts by reason: `forecast 1, no_value 2`. */
const reasonsText = (counts: Readonly<Record<string, number>>) =>
  Object.entries(counts)
    .map(([reason, count]) => `${reason} ${count.toLocaleString('en-US')}`)
    .join(', ');

/** Created records that are printed. */
const MAX_PRINTED_RECORDS = 20;

/** Created records as lines of text: `Market: Owinno, near: Owino`. */
function createdText({ created_records, records }: ImportReport): string[] {
  const listed = created_records.slice(0, MAX_PRINTED_RECORDS);
  const all = Object.values(records).reduce((sum, count) => sum + count, 0);
  const lines = listed.map(
    ({ table, name, near }) => `  ${table}: ${name}${near.length > 0 ? `, near: ${near.join(', ')}` : ''}`,
  );
  if (all > listed.length) lines.push(`  and ${(all - listed.length).toLocaleString('en-US')} more`);
  return lines;
}

/** A superseded correction as a line of text. */
function supersededText(correction: SupersededCorrection): string {
  const { id, uuid, periodicity, table, record_id, date, value, source_value } = correction;
  const what = uuid === null ? `${table} ${record_id}` : `${uuid} ${periodicity}`;
  return `  ${id}: ${what} ${date}: ${value ?? 'removed'}, the source now has ${source_value}`;
}
