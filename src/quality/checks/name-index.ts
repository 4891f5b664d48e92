import { LRUCache } from 'lru-cache';
import type { Transaction } from '../../ledger/unit-of-work.js';
import { NearNames } from '../rules/near-names.js';

/** Names that are held in memory, of all tables together: 20 to 30 MB. */
const MAX_NAMES = 40_000;
/** From more changed records on, all names are read again. */
const MANY = 500;

/** A record with its name. */
export interface NamedRecord {
  readonly id: number;
  readonly name: string;
  /** Of a market; '' otherwise. */
  readonly admin_unit: string;
}

/** Records whose names are compared with each other. */
export interface NameGroup {
  /** What distinguishes the group. */
  readonly name: string;
  /** The table of its records. */
  readonly table: string;
  /** Reads its records by id in ascending order. @param ids null for all of them */
  read(ids: readonly number[] | null): Promise<NamedRecord[]>;
}

/** The pairs of records of a group whose names are near each other. */
export type NearRecords = [NamedRecord, NamedRecord][];

/** The names of a group as of a revision, with what a transaction after it has read. */
interface KnownNames {
  readonly records: Map<number, NamedRecord>;
  readonly near: NearNames;
  readonly revision: number;
  /** Tells the revision from one with the same number in another database. */
  readonly mark: string;
  /** Records that were read as a transaction had changed them, which may have been rolled back. */
  readonly unsettled: ReadonlySet<number>;
}

/**
 * Finds near names without reading all names of a table for each record that changes: those that
 * were read before are kept, and only records that have changed since are read again.
 */
export class NameIndex {
  private readonly groups = new LRUCache<string, KnownNames>({
    maxSize: MAX_NAMES,
    sizeCalculation: ({ records }) => records.size + 1,
  });

  /** The near pairs of a group in the order of their ids, as the transaction sees the records. */
  async pairs(transaction: Transaction, group: NameGroup): Promise<NearRecords> {
    const own = new Set(transaction.changedRecords(group.table).map(({ id }) => id));
    const before = transaction.revision - 1;
    const known = this.groups.get(group.name) ?? null;
    // Nothing else is committed until this transaction ends.
    const marks = await marksOf(transaction, [before, known?.revision ?? before]);
    const mark = marks.get(before);
    // In a dry run, and just after an upgrade, there is no revision that identifies the state.
    if (mark === undefined || own.size > MANY) return pairsOf(await readAll(group));
    const changed =
      known !== null && known.revision <= before && marks.get(known.revision) === known.mark
        ? await changedSince(transaction, group.table, known.revision)
        : null;
    if (known === null || changed === null) {
      const names = { ...(await readAll(group)), revision: before, mark, unsettled: own };
      this.groups.set(group.name, names);
      return pairsOf(names);
    }
    const stale = new Set([...known.unsettled, ...changed, ...own]);
    const records = stale.size === 0 ? [] : await group.read([...stale]);
    const current = new Map(records.map((record) => [record.id, record]));
    for (const id of stale) update(known, id, current.get(id));
    // Beside its own, what another transaction has read meanwhile, before this one was aborted.
    const others = [...(this.groups.get(group.name)?.unsettled ?? [])].filter((id) => !stale.has(id));
    const unsettled = new Set([...own, ...others]);
    this.groups.set(group.name, { ...known, revision: before, mark, unsettled });
    return pairsOf(known);
  }
}

type Names = Pick<KnownNames, 'records' | 'near'>;

async function readAll(group: NameGroup): Promise<Names> {
  const names: Names = { records: new Map(), near: new NearNames() };
  for (const record of await group.read(null)) add(names, record);
  return names;
}

function add({ records, near }: Names, record: NamedRecord): void {
  records.set(record.id, record);
  near.set(record.id, record.name);
}

/** @param current undefined for a record that is no longer of the group */
function update(names: Names, id: number, current: NamedRecord | undefined): void {
  const known = names.records.get(id);
  if (current === undefined) {
    names.records.delete(id);
    names.near.delete(id);
  } else if (current.name !== known?.name) add(names, current);
  else names.records.set(id, current);
}

const pairsOf = ({ records, near }: Names): NearRecords =>
  near.pairs().map(([one, other]) => [records.get(one)!, records.get(other)!]);

/** The marks of some revisions. */
async function marksOf(
  transaction: Transaction,
  revisions: readonly [number, number],
): Promise<Map<number, string>> {
  const rows = await transaction.arrays<[number | string, string]>(
    'SELECT number, mark FROM revision WHERE number IN (?, ?)',
    revisions,
  );
  return new Map(rows.map(([number, mark]) => [Number(number), mark]));
}

/** The ids of the records of a table that revisions after one have changed; null for many. */
async function changedSince(
  transaction: Transaction,
  table: string,
  revision: number,
): Promise<number[] | null> {
  const rows = await transaction.arrays<[number]>(
    `SELECT record_id FROM record_change WHERE revision > ? AND table_name = ? LIMIT ${MANY + 1}`,
    [revision, table],
  );
  return rows.length > MANY ? null : rows.map(([id]) => id);
}
