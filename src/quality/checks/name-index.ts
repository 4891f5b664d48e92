import { LRUCache } from 'lru-cache';
import { recordsChangedSince } from '../../ledger/changes/stored-changes.js';
import { markOf } from '../../ledger/revision/stored-revisions.js';
import type { RevisionMark, Transaction } from '../../ledger/unit-of-work.js';
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
  readonly revision: RevisionMark;
  /** The revision that the transaction was to make. */
  readonly next: RevisionMark;
  /** Records that were read as it had changed them: it may have been rolled back. */
  readonly own: ReadonlySet<number>;
  /** Records that others have read meanwhile, before this one was aborted. */
  readonly unsettled: ReadonlySet<number>;
}

/** The near pairs of a group, in the order of their ids. */
interface FoundNames {
  readonly pairs: NearRecords;
  /** Whether records of them have changed, or may have. */
  readonly changed: boolean;
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

  /** The near pairs of a group, as the transaction sees the records. */
  async find(transaction: Transaction, group: NameGroup): Promise<FoundNames> {
    const { before, next, changes } = transaction;
    const own = new Set(changes.records.filter(({ table }) => table === group.table).map(({ id }) => id));
    // In a dry run, and just after an upgrade, there is no revision that identifies the state.
    if (before === null || next === null || own.size > MANY) return allOf(await readAll(group));
    const known = this.groups.get(group.name) ?? null;
    const changed = known === null ? null : await changedSince(transaction, group.table, known);
    if (known === null || changed === null) {
      const names = { ...(await readAll(group)), revision: before, next, own, unsettled: new Set<number>() };
      this.groups.set(group.name, names);
      return allOf(names);
    }
    const stale = new Set([...changed, ...own]);
    const records = stale.size === 0 ? [] : await group.read([...stale]);
    const current = new Map(records.map((record) => [record.id, record]));
    let areNear = false;
    for (const id of stale) {
      areNear ||= known.near.isNear(id);
      update(known, id, current.get(id));
      areNear ||= known.near.isNear(id);
    }
    const latest = this.groups.get(group.name);
    const read = latest === undefined || latest === known ? [] : [...latest.own, ...latest.unsettled];
    const unsettled = new Set(read.filter((id) => !stale.has(id)));
    this.groups.set(group.name, { ...known, revision: before, next, own, unsettled });
    return { pairs: pairsOf(known), changed: areNear };
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

const allOf = (names: Names): FoundNames => ({ pairs: pairsOf(names), changed: true });

const isSame = (one: RevisionMark, other: RevisionMark) =>
  one.number === other.number && one.mark === other.mark;

/**
 * The ids of the records of a table that may be others than those that are known, before this
 * transaction; null where they are many, or the database has another history. Nothing else is
 * committed until the transaction ends.
 */
async function changedSince(
  transaction: Transaction,
  table: string,
  { revision, next, own, unsettled }: KnownNames,
): Promise<number[] | null> {
  const before = transaction.before!;
  // The transaction has committed what it read, and no other one has come between.
  if (isSame(before, next)) return [...unsettled];
  if (!isSame(before, revision)) {
    const mark = await markOf(transaction, revision.number);
    if (revision.number > before.number || mark !== revision.mark) return null;
  }
  const changed = await recordsChangedSince(transaction, table, revision.number, MANY + 1);
  return changed.length > MANY ? null : [...own, ...unsettled, ...changed];
}
