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
    files: {
      'history/feed/change-batches.ts':
        'change_set price_serie price_serie_version record_change revision series_change',
      'history/feed/feed-reader.ts': 'revision',
      'history/feed/original-changes.ts':
        'observation observation_version price_serie price_serie_version record_version',
      'history/feed/point-changes.ts': 'observation observation_version',
      'history/feed/record-values.ts': 'record_version',
      'history/feed/series-relations.ts': 'series_alias',
      'history/feed/series-values.ts': 'market price_serie price_serie_version record_version',
    },
  },
  {
    reason: 'A revert plans each kind of thing by itself, from the states that tables of its kind hold.',
    files: {
      'history/change-sets.ts': 'import_lock revision',
      'history/revert/alias-changes.ts':
        'price_serie revision series_alias series_alias_version series_change',
      'history/revert/corrected-histories.ts': 'correction record_change revision series_change',
      'history/revert/correction-changes.ts': 'correction',
      'history/revert/correction-ends.ts': 'change_set correction revision',
      'history/revert/later-inputs.ts': 'change_set repeated_points revision series_change',
      'history/revert/merge-aliases.ts': 'alias record_version',
      'history/revert/merged-references.ts': 'alias price_serie record_version series_alias',
      'history/revert/merges.ts': 'alias change_set price_serie record_change record_version revision',
      'history/revert/own-revisions.ts': 'revision',
      'history/revert/record-histories.ts': 'record_version',
      'history/revert/record-states.ts': 'record_change revision',
      'history/revert/revert-act.ts': 'change_set revision',
      'history/revert/revert-scope.ts': 'change_set',
      'history/revert/reverts.ts': 'change_set',
      'history/revert/series-attributes.ts': 'price_serie price_serie_version',
      'history/revert/series-changes.ts': 'price_serie',
      'history/revert/series-plans.ts': 'observation price_serie revision series_alias series_join',
      'history/revert/series-references.ts': 'price_serie',
      'history/revert/touched.ts': 'correction record_change revision series_change',
    },
  },
  {
    reason:
      'A mirror writes what it has read elsewhere, with ids of its own; the sample can be removed whole.',
    files: {
      'mirror/copied-series.ts':
        'commodity market measure_unit price_serie price_type series_alias series_join source',
      'mirror/mirror.ts': 'price_serie',
      'sample/sample-data.ts': 'commodity cpi fx_rate market measure_unit price_serie source',
    },
  },
  {
    reason: 'Pages and files about changes join them with what they are about.',
    files: {
      'desk/change-sets/change-set-details.ts':
        'account audit_log commodity market price_serie record_change revision series_change',
      'editions/editions.ts': 'revision',
      'editions/make/rate-rows.ts': 'cpi fx_rate',
      'explorer/series/series-origin.ts': 'change_set revision series_change',
    },
  },
];
