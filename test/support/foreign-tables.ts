/** Files that name tables of another folder in their SQL: the tables by file. */
interface ForeignTables {
  readonly reason: string;
  readonly files: Readonly<Record<string, string>>;
}

/** What `test/architecture.spec.ts` lets name tables that are not its own. */
export const foreignTables: readonly ForeignTables[] = [
  {
    reason: 'The connections must know the newest revision and who may write before anything above exists.',
    files: { 'commands/migrate.command.ts': 'data_revision', 'database/revisions.ts': 'data_revision' },
  },
  {
    reason: 'A login attempt waits for the one row that every process can lock.',
    files: { 'auth/sessions/auth-throttle.ts': 'data_revision' },
  },
  {
    reason: 'The ledger names who and what its rows are about, in the statement that reads or stamps them.',
    files: {
      'ledger/audit/audit-log.ts': 'account',
      'ledger/changes/change-list.ts': 'price_serie',
      'ledger/findings/finding-store.ts': 'correction',
    },
  },
  {
    reason: 'Histories of records give each version with its change set.',
    files: { 'reference/base/reinstated-aliases.ts': 'change_set revision' },
  },
  {
    reason: 'The catalogue reads series with their records and its own revision in one snapshot.',
    files: {
      'price-series/catalogue/catalogue-reader.ts': 'data_revision',
      'price-series/catalogue/reference-dictionaries.ts': 'commodity market record_version',
      'price-series/series-views.ts': 'commodity market measure_unit price_type source',
    },
  },
  {
    reason: 'An import looks up what its rows may be about in batches.',
    files: {
      'import/pipeline/aliased-records.ts': 'alias',
      'import/pipeline/base-periods.ts': 'cpi',
      'import/pipeline/series-continuing.ts': 'price_serie series_join',
      'import/pipeline/series-records.ts': 'alias record_version',
      'import/pipeline/series-writer.ts': 'price_serie',
    },
  },
  {
    reason: 'The feed joins changes with what they are about: a client reads many thousands at a time.',
    files: { 'history/feed/original-changes.ts': 'record_version' },
  },
  {
    reason:
      'A mirror writes what it has read elsewhere, with ids of its own; the sample can be removed whole.',
    files: {
      'mirror/copied-series.ts': 'commodity market measure_unit price_type source',
      'sample/sample-data.ts': 'commodity cpi fx_rate market measure_unit price_serie source',
    },
  },
  {
    reason: 'Pages and files about changes join them with what they are about.',
    files: { 'editions/make/rate-rows.ts': 'cpi fx_rate' },
  },
];
