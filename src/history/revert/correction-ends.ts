import { grouped } from '../../lib/collections/grouped.js';
import type { PointKey } from '../../prices/store/point-id.js';
import {
  type CorrectionMark,
  markedPoints,
  markedRecords,
} from '../../ledger/corrections/correction-marks.js';
import { revisionsOfKind } from '../../ledger/revision/stored-revisions.js';
import type { Reader } from './reading.js';
import { sameOrNothing, type Maintainer, type State } from '../../ledger/states.js';

/** Before all revisions: a state of then always counts. */
const BEFORE_VERSIONS = -1;

/** The name of a point, as `pointMarks` has it. */
export const pointName = ({ serieId, period, day }: Pick<PointKey, 'serieId' | 'day'> & { period: number }) =>
  `${serieId} ${period} ${day}`;

/** Corrections, oldest first, by what they are of. */
type CorrectionMarks = ReadonlyMap<string, readonly CorrectionMark[]>;

/** The corrections of the points of some series, by `pointName`. */
export async function pointMarks(reader: Reader, serieIds: readonly number[]): Promise<CorrectionMarks> {
  const rows = await markedPoints(reader, serieIds);
  return grouped(rows, ({ serie_id: id, period, day }) => pointName({ serieId: id!, period: period!, day }));
}

/** The corrections of rates or indices, by their keys as corrections have them. */
export async function recordMarks(
  reader: Reader,
  table: string,
  keys: Iterable<string>,
): Promise<CorrectionMarks> {
  const rows = await markedRecords(reader, table, [...new Set(keys)]);
  return grouped(rows, ({ record_key: key }) => key);
}

/**
 * Of the revisions that gave some states, those in which maintainers have corrected something.
 * @param kind `record` for those in which they have written records
 */
export async function maintainersRevisions(
  reader: Reader,
  histories: Iterable<readonly State<unknown>[]>,
  kind: 'correction' | 'record' = 'correction',
): Promise<ReadonlySet<number>> {
  const numbers = new Set<number>();
  for (const states of histories) for (const { since } of states) numbers.add(since);
  return revisionsOfKind(reader, [...numbers], kind);
}

/** How the states of something are read. */
export interface StateReading<T> {
  /** Whether two have the same of what sources give. */
  readonly same: (one: T, other: T) => boolean;
  /** Of rows: the one that has the value. */
  readonly column?: string;
  /** What a source had given before there were versions; not of rows. */
  readonly baseOf?: (mark: CorrectionMark) => T | null;
}

/**
 * The states of something with who gave them: the source, a correction, or its withdrawal; and with
 * those for which no version was stored, as the value stayed.
 * @param states oldest first
 * @param marks its corrections
 */
export function withMaintainers<T>(
  states: readonly State<T>[],
  marks: readonly CorrectionMark[],
  maintainers: ReadonlySet<number>,
  reading: StateReading<T>,
): State<T>[] {
  if (marks.length === 0) return [...states];
  const { column } = reading;
  const corrected = column === undefined ? {} : { corrected: column };
  const all = withNames(states, marks, maintainers, reading).map((state) =>
    state.by === undefined ? state : { ...state, ...corrected },
  );
  /** Adds a state for which no version was stored; a row without a state before has none. */
  const add = (since: number, isRemoved: boolean, by?: Maintainer) => {
    const place = indexAfter(all, since);
    const before = all[place - 1]?.value ?? null;
    if (isRemoved ? before === null && column !== undefined : before === null) return;
    all.splice(place, 0, { since, value: isRemoved ? null : before, ...corrected, by });
  };
  for (const mark of marks) {
    const { id, since, value, kind } = mark;
    const base = since === 0 ? (reading.baseOf?.(mark) ?? null) : null;
    if (base !== null) all.unshift({ since: BEFORE_VERSIONS, value: base });
    if (!all.some((state) => state.since === since)) add(since, value === null, { correction: id });
    if (mark.first === null) continue;
    const [first, last] = [Number(mark.first), Number(mark.last)];
    const own = all.findIndex((state) => isBetween(state.since, first, last) && state.by === undefined);
    // The series has gone, with what its source had given.
    if (kind === 'record' && own < 0 && column === undefined) add(first, true);
    if (kind !== 'import' || value === null) continue;
    if (own >= 0) all[own] = { ...all[own]!, ...corrected };
    else add(first, false);
  }
  return all;
}

/** The states with the maintainers who gave them. */
function withNames<T>(
  states: readonly State<T>[],
  marks: readonly CorrectionMark[],
  maintainers: ReadonlySet<number>,
  { same, column }: StateReading<T>,
): State<T>[] {
  const made = new Map(marks.map(({ since, id }) => [since, id]));
  return states.map((state, index) => {
    const { since, value } = state;
    const correction = made.get(since);
    if (correction !== undefined) return { ...state, by: { correction } };
    const stays = sameOrNothing(states[index - 1]?.value ?? null, value, same);
    // A record that has been created anew has no state from before.
    const isNew = column !== undefined && index === 0;
    if (stays || isNew || since < marks[0]!.since || !maintainers.has(since)) return state;
    return { ...state, by: 'withdrawal' };
  });
}

/** The place of a state that a revision gave, after those before it. */
const indexAfter = (states: readonly State<unknown>[], revision: number): number =>
  states.findLastIndex(({ since }) => since < revision) + 1;

const isBetween = (revision: number, first: number, last: number) => revision >= first && revision <= last;
