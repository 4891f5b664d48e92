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
    reason:
      'The ledger names or stamps what its rows are about, which higher folders own, in the same statement.',
    files: { 'ledger/audit/audit-log.ts': 'account', 'ledger/changes/change-list.ts': 'price_serie' },
  },
  {
    reason: 'A finding ends as corrected where a correction of one of its members stands.',
    files: { 'ledger/findings/finding-store.ts': 'correction' },
  },
  {
    reason: 'The catalogue reads series, their records and its own revision in one snapshot.',
    files: {
      'price-series/catalogue/catalogue-reader.ts': 'data_revision',
      'price-series/catalogue/reference-dictionaries.ts': 'commodity market',
    },
  },
  {
    reason: 'Series refer to these by foreign keys; others take the join from here.',
    files: { 'price-series/series-views.ts': 'commodity market measure_unit price_type source' },
  },
  {
    reason: 'An import looks up what its rows may be about by conditions of its own.',
    files: {
      'import/pipeline/aliased-records.ts': 'alias',
      'import/pipeline/series-records.ts': 'alias',
    },
  },
  {
    reason: 'A mirror asks in one statement which of five records is missing.',
    files: { 'mirror/copied-series.ts': 'commodity market measure_unit price_type source' },
  },
  {
    reason: 'The sample is removed whole, with what nothing else uses of its records.',
    files: { 'sample/sample-data.ts': 'commodity cpi fx_rate market measure_unit price_serie source' },
  },
];
