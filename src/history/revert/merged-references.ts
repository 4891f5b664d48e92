import { seriesUuid, type SeriesKey } from '../../import/pipeline/series-uuid.js';
import { ALIAS_COLUMNS, aliasKey, aliasStatements } from '../../reference/base/alias-key.js';
import type { RecordValues } from '../../reference/base/table-statements.js';
import { becomes, concernedMerges, standingMerges, type RecordMerge } from './merges.js';
import { selectByIds, type Reader } from './reading.js';
import { readRecordHistories, type RecordTable } from './record-histories.js';
import type { RevertContext } from './revert-context.js';
import type { ChangeSetState, RevertAct } from './revert-act.js';
import { REFERENCE_COLUMNS, REFERENCES, type Reference, type SeriesAttributes } from './series-attributes.js';
import { statesOf, type State, type TakenBack } from './states.js';

/** The texts that may name a record: values of `ALIAS_COLUMNS`. */
type KeyTexts = readonly string[];

/** A uuid that leads to a series because of a merge. */
export interface MergedAlias {
  readonly uuid: string;
  readonly serieId: number;
  readonly since: number;
}

/** A record that something refers to, and the revision that gave the reference. */
interface GivenReference {
  readonly id: number;
  readonly since: number;
}

/** Texts of the records of a series that are tried; a record seldom has more than a few. */
const MAX_TRIED = 10_000;

/**
 * Where references lead without the merges that are taken back. A merge gives no reference: it leads
 * those that others have given, before it and after, to another record, as long as it counts. What
 * an import has made under a merge refers to the record that the other became; its uuid, which is
 * computed from the texts of the input, tells which of the two was meant.
 */
export class MergedReferences {
  /** What is taken back, for the states of what merges lead elsewhere. */
  readonly given: TakenBack;
  private readonly texts = new Map<string, Promise<KeyTexts[]>>();
  private readonly lives = new Map<string, Promise<State<RecordValues>[]>>();

  private readonly act: RevertAct;
  private readonly tables: ReadonlyMap<string, RecordTable>;
  private readonly merges: readonly RecordMerge[];
  private readonly takenBack: readonly RecordMerge[];
  /** Those that count and lead somewhere, newest first. */
  private readonly standing: readonly RecordMerge[];

  constructor(
    private readonly reader: Reader,
    { act, tables, merges }: Pick<RevertContext, 'act' | 'tables' | 'merges'>,
  ) {
    this.act = act;
    this.tables = tables;
    this.merges = merges;
    this.takenBack = merges.filter(({ revision }) => act.isVoid(revision));
    this.standing = standingMerges(merges, act);
    const revisions = new Set(merges.map(({ revision }) => revision));
    this.given = {
      isVoid: (revision) => act.isVoid(revision),
      isRevert: (revision) => act.isRevert(revision) || revisions.has(revision),
    };
  }

  /**
   * A series with the records that it refers to without what is taken back.
   * @param attributes those that it was given
   * @param states its own, as they were stored
   */
  async lead(
    attributes: SeriesAttributes,
    states: readonly State<SeriesAttributes>[],
  ): Promise<SeriesAttributes> {
    if (this.merges.length === 0) return attributes;
    const given = REFERENCE_COLUMNS.map(
      (column) => [column, givenReference(states, column, this.given)] as const,
    );
    const ids = Object.fromEntries(given.map(([column, { id }]) => [column, id]));
    const meant = { ...attributes, ...ids };
    const led = { ...meant };
    for (const [column, reference] of given) led[column] = await this.leadColumn(meant, column, reference);
    return led;
  }

  /** The other uuids that lead to series by merges which are taken back. */
  async mergedAliases<A extends MergedAlias>(aliases: readonly A[]): Promise<A[]> {
    if (aliases.length === 0 || this.takenBack.length === 0) return [];
    const rows = await selectByIds<SeriesAttributes & { id: number }>(
      this.reader,
      `SELECT id, uuid, ${REFERENCE_COLUMNS.join(', ')}, currency, marked_periods FROM price_serie WHERE id IN ({ids})`,
      [...new Set(aliases.map(({ serieId }) => serieId))],
    );
    const series = new Map(rows.map((row) => [row.id, row]));
    const merged: A[] = [];
    for (const alias of aliases) {
      const attributes = series.get(alias.serieId);
      if (attributes === undefined) continue;
      const meant = { ...attributes, uuid: alias.uuid };
      for (const column of REFERENCE_COLUMNS) {
        const id = meant[column];
        if ((await this.leadColumn(meant, column, { id, since: alias.since })) === id) continue;
        merged.push(alias);
        break;
      }
    }
    return merged;
  }

  /** The aliases of series that were made after a merge which a revert is about. */
  async aliasesSince(target: ChangeSetState): Promise<MergedAlias[]> {
    const found = new Map<string, MergedAlias>();
    for (const { column, revision, records } of await concernedMerges(this.reader, target)) {
      const rows = await selectByIds<MergedAlias>(
        this.reader,
        'SELECT a.uuid, a.serie_id AS serieId, a.since FROM series_alias a JOIN price_serie s' +
          ` ON s.id = a.serie_id WHERE a.since > ? AND s.${column} IN ({ids})`,
        records,
        [revision],
      );
      for (const row of rows) found.set(row.uuid, row);
    }
    return [...found.values()];
  }

  /** The record that a reference of a series leads to. @param meant the series as it was given */
  private async leadColumn(
    meant: SeriesAttributes,
    column: Reference,
    { id, since }: GivenReference,
  ): Promise<number> {
    // Oldest first: what was merged into another one is told by more than what this became later.
    for (const merge of this.takenBack) {
      const wasUnder = merge.column === column && merge.revision < since && this.hasBecome(merge, id);
      if (wasUnder && (await this.isNamedBy(meant, column, merge.from)))
        return this.endOf(column, { id: merge.from, since });
    }
    return this.endOf(column, { id, since });
  }

  /** Whether a record is what the merged one has become, directly or by further merges. */
  private hasBecome({ column, into }: RecordMerge, id: number): boolean {
    return becomes(this.merges, column, into).has(id);
  }

  /** The record that another one has become by merges that count: the newest of it leads. */
  private async endOf(column: Reference, reference: GivenReference): Promise<number> {
    for (const merge of this.standing) {
      if (merge.column !== column || merge.from !== reference.id) continue;
      if (!(await this.isMerged(merge, reference.since))) continue;
      return this.endOf(column, { id: merge.into, since: Math.max(reference.since, merge.revision) });
    }
    return reference.id;
  }

  /**
   * Whether a merge leads what referred to its record at a revision: not where the record was made
   * anew before, nor where it was changed after the merge, while this did not count.
   */
  private async isMerged({ column, from, revision }: RecordMerge, since: number): Promise<boolean> {
    const states = await this.livesOf(column, from);
    for (const [index, { since: at, value }] of states.entries()) {
      if (at <= revision || value === null || this.act.isRevert(at)) continue;
      const isMaking = (states[index - 1]?.value ?? null) === null;
      if (isMaking) return since < at;
      if (!this.act.isVoid(at)) return false;
    }
    return true;
  }

  private livesOf(column: Reference, id: number): Promise<State<RecordValues>[]> {
    const name = `${column} ${id}`;
    let states = this.lives.get(name);
    if (states === undefined) this.lives.set(name, (states = this.readLives(column, id)));
    return states;
  }

  private async readLives(column: Reference, id: number): Promise<State<RecordValues>[]> {
    const table = this.tables.get(REFERENCES[column])!;
    const { versions } = (await readRecordHistories(this.reader, table, [id])).get(id)!;
    return statesOf(versions);
  }

  /** Whether a uuid is that of a series of a record, with the texts that its records have had. */
  private async isNamedBy(attributes: SeriesAttributes, column: Reference, id: number): Promise<boolean> {
    const { uuid, currency } = attributes;
    const choices: KeyTexts[][] = [];
    for (const each of REFERENCE_COLUMNS)
      choices.push(await this.textsOf(each, each === column ? id : attributes[each]));
    if (choices.reduce((product, { length }) => product * length, 1) > MAX_TRIED) return false;
    for (const [commodity, priceType, market, source, unit] of combinations(choices)) {
      const [iso3, adminUnit, adminUnit2, name] = market!;
      const key: SeriesKey = [
        iso3!,
        adminUnit!,
        adminUnit2!,
        name!,
        commodity!.at(-1)!,
        priceType!.at(-1)!,
        source!.at(-1)!,
        unit!.at(-1)!,
        currency,
      ];
      if (seriesUuid(key) === uuid) return true;
    }
    return false;
  }

  /** The keys and aliases that a record has or had. */
  private textsOf(column: Reference, id: number): Promise<KeyTexts[]> {
    const name = `${column} ${id}`;
    let texts = this.texts.get(name);
    if (texts === undefined) this.texts.set(name, (texts = this.readTexts(REFERENCES[column], id)));
    return texts;
  }

  private async readTexts(name: string, id: number): Promise<KeyTexts[]> {
    const { reader, tables } = this;
    const table = tables.get(name)!;
    const { versions } = (await readRecordHistories(reader, table, [id])).get(id)!;
    const texts: KeyTexts[] = versions.map(({ value }) => aliasKey(table.statements, value));
    const ids = await aliasIdsOf(reader, name, id);
    const aliases = await readRecordHistories(reader, tables.get(aliasStatements.name)!, ids);
    for (const history of aliases.values())
      for (const { value } of history.versions)
        if (value.table_name === name && value.record_id === id)
          texts.push(ALIAS_COLUMNS.map((column) => value[column] as string));
    return [...new Map(texts.map((text) => [text.join('\n'), text])).values()];
  }
}

/** The ids of the aliases that a record has or had. */
async function aliasIdsOf(reader: Reader, table: string, id: number): Promise<number[]> {
  const stored = await reader.rows<{ id: number }>(
    'SELECT id FROM alias WHERE table_name = ? AND record_id = ?',
    [table, id],
  );
  const former = await reader.rows<{ id: number; attributes: string }>(
    'SELECT record_id AS id, attributes FROM record_version WHERE table_name = ?',
    [aliasStatements.name],
  );
  const isOf = ({ attributes }: { attributes: string }) => {
    const alias = JSON.parse(attributes) as RecordValues;
    return alias.table_name === table && alias.record_id === id;
  };
  return [...new Set([...stored, ...former.filter(isOf)].map((alias) => alias.id))];
}

function* combinations<T>(
  choices: readonly (readonly T[])[],
  first: readonly T[] = [],
): Generator<readonly T[]> {
  const options = choices[first.length];
  if (options === undefined) yield first;
  else for (const option of options) yield* combinations(choices, [...first, option]);
}

/**
 * The reference of a series that was given last by what counts; where nothing that has given one
 * counts, by what does not.
 */
function givenReference(
  states: readonly State<SeriesAttributes>[],
  column: Reference,
  revisions: TakenBack,
): GivenReference {
  const given = states.flatMap(({ since, value }, index): GivenReference[] => {
    const isNew = value !== null && value[column] !== states[index - 1]?.value?.[column];
    return isNew && !revisions.isRevert(since) ? [{ id: value[column], since }] : [];
  });
  return (
    given.findLast(({ since }) => !revisions.isVoid(since)) ??
    given.at(-1) ?? { id: states[0]!.value![column], since: states[0]!.since }
  );
}
