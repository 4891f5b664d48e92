import { ALIAS_COLUMNS, aliasStatements } from '../../reference/base/alias-key.js';
import type { ReinstatedByImports } from '../../reference/base/reinstated-aliases.js';
import { recordVersions } from '../../reference/base/past-records.js';
import type { DatabaseRow, RecordValues } from '../../reference/base/table-statements.js';
import {
  effectiveState,
  statesOf,
  type State,
  type StoredVersion,
  type RevertedRevisions,
} from '../../ledger/states.js';
import type { RecordMerge } from './merges.js';
import type { Reader } from './reading.js';

/** What the alias of a key was: its id. */
type KeyStates = readonly State<number>[];

/** The alias that a merge has created. */
interface MergeAlias {
  readonly id: number;
  /** Of its key: other aliases may have had it since. */
  readonly states: KeyStates;
}

/**
 * The aliases that merges have created. As long as that of a merge counts, the merge leads what is
 * imported, too; a maintainer may have removed it, or given its key to another record.
 */
export class MergeAliases {
  private constructor(private readonly byRevision: ReadonlyMap<number, MergeAlias>) {}

  static async read(
    reader: Reader,
    merges: readonly RecordMerge[],
    reinstated: ReinstatedByImports,
  ): Promise<MergeAliases> {
    const keys = new Map<string, StoredVersion<number>[]>();
    const made = new Map<number, { id: number; key: string }>();
    const versions = merges.length === 0 ? [] : await readVersions(reader);
    const first = new Map<number, number>();
    for (const { id, since } of versions) first.set(id, Math.min(first.get(id) ?? since, since));
    for (const { id, since, until, key } of versions) {
      keys.set(key, [...(keys.get(key) ?? []), { since, until, value: id }]);
      if (first.get(id) === since) made.set(since, { id, key });
    }
    const states = new Map([...keys].map(([key, all]) => [key, statesOfKey(all, reinstated)]));
    const byRevision = merges.flatMap(({ revision }): [number, MergeAlias][] => {
      const alias = made.get(revision);
      return alias === undefined ? [] : [[revision, { id: alias.id, states: states.get(alias.key)! }]];
    });
    return new MergeAliases(new Map(byRevision));
  }

  /** Whether the alias of a merge counts at a revision, by what is not reverted. */
  counts({ revision }: RecordMerge, at: number, revisions: RevertedRevisions): boolean {
    const alias = this.byRevision.get(revision);
    if (alias === undefined) return false;
    const until = alias.states.filter(({ since }) => since <= at);
    return effectiveState(until, revisions)?.value === alias.id;
  }
}

/** Without those that only lead to another record. */
function statesOfKey(versions: readonly StoredVersion<number>[], reinstated: ReinstatedByImports): KeyStates {
  const states = statesOf(versions);
  return states
    .filter(({ value }, index) => value !== states[index - 1]?.value)
    .map((state) => {
      const isReinstated =
        state.value !== null && reinstated.has(aliasStatements.name, state.value, state.since);
      return isReinstated ? { ...state, isReinstated } : state;
    });
}

async function readVersions(
  reader: Reader,
): Promise<{ id: number; since: number; until: number | null; key: string }[]> {
  const stored = await reader.rows<DatabaseRow>(aliasStatements.select(''));
  const former = await recordVersions(reader, aliasStatements.name);
  return [
    ...stored.map((row) => {
      const { id, since, ...alias } = aliasStatements.record(row);
      return { id, since, until: null, key: keyOf(alias) };
    }),
    ...former.map(({ id, since, until, attributes }) => ({ id, since, until, key: keyOf(attributes) })),
  ];
}

const keyOf = (alias: RecordValues): string =>
  [alias.table_name, ...ALIAS_COLUMNS.map((column) => alias[column])].join('\n');
