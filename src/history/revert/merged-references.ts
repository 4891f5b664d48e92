import { placeholders } from '../../database/sql.js';
import { seriesUuid, type SeriesKey } from '../../import/pipeline/series-uuid.js';
import { ALIAS_COLUMNS, aliasKey, aliasStatements } from '../../reference/base/alias-key.js';
import type { RecordValues } from '../../reference/base/table-statements.js';
import { selectByIds, type Reader } from './reading.js';
import { readRecordHistories, type RecordTable } from './record-histories.js';
import type { RevertContext } from './revert-context.js';
import { concernedIds, type ChangeSetState, type RevertAct } from './revert-act.js';
import { REFERENCE_COLUMNS, REFERENCES, type Reference, type SeriesAttributes } from './series-attributes.js';
import { standingState, statesOf } from './states.js';

/** A merge of a record into another one. */
export interface RecordMerge {
  readonly revision: number;
  readonly changeSetId: number;
  readonly column: Reference;
  readonly from: number;
  readonly into: number;
}

/** The texts that may name a record: values of `ALIAS_COLUMNS`. */
type KeyTexts = readonly string[];

/** A uuid that leads to a series because of a merge. */
export interface MergedAlias {
  readonly uuid: string;
  readonly serieId: number;
  readonly since: number;
}

/** Texts of the records of a series that are tried; a record seldom has more than a few. */
const MAX_TRIED = 10_000;

const columnOf = (table: string): Reference | undefined =>
  REFERENCE_COLUMNS.find((column) => REFERENCES[column] === table);

/**
 * Where the references of series lead without the merges that are taken back. What an import has
 * made under a merge refers to the record that the other became; its uuid, which is computed from
 * the texts of the input, tells which of the two was meant.
 */
export class MergedReferences {
  private readonly texts = new Map<string, Promise<KeyTexts[]>>();
  private readonly ends = new Map<string, Promise<number>>();

  private readonly act: RevertAct;
  private readonly tables: ReadonlyMap<string, RecordTable>;
  private readonly merges: readonly RecordMerge[];

  constructor(
    private readonly reader: Reader,
    { act, tables, merges }: Pick<RevertContext, 'act' | 'tables' | 'merges'>,
  ) {
    this.act = act;
    this.tables = tables;
    this.merges = merges;
  }

  /** Whether a revision is that of a merge. */
  isMerge(revision: number): boolean {
    return this.merges.some((merge) => merge.revision === revision);
  }

  /** The attributes of a series, or of what another uuid stands for, without what is taken back. */
  async lead<A extends SeriesAttributes>(attributes: A): Promise<A> {
    const { merges, act } = this;
    let led = attributes;
    for (const merge of merges.filter(({ revision }) => act.isVoid(revision))) {
      const { column, from } = merge;
      if (led[column] === attributes[column] && this.hasBecome(merge, attributes[column]))
        if (await this.isNamedBy(attributes, column, from)) led = { ...led, [column]: from };
    }
    for (const column of REFERENCE_COLUMNS)
      if (merges.some((merge) => merge.column === column && merge.from === led[column]))
        led = { ...led, [column]: await this.endOf(column, led[column]) };
    return led;
  }

  /** The other uuids that lead to series by merges which are taken back. */
  async mergedAliases<A extends Pick<MergedAlias, 'uuid' | 'serieId'>>(aliases: readonly A[]): Promise<A[]> {
    if (aliases.length === 0 || !this.merges.some(({ revision }) => this.act.isVoid(revision))) return [];
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
      const led = await this.lead({ ...attributes, uuid: alias.uuid });
      if (REFERENCE_COLUMNS.some((column) => led[column] !== attributes[column])) merged.push(alias);
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

  /** Whether a record is what the merged one has become, directly or by further merges. */
  private hasBecome({ column, into }: RecordMerge, id: number): boolean {
    return becomes(this.merges, column, into).has(id);
  }

  /** The record that another one has become by merges that stand. */
  private endOf(column: Reference, id: number): Promise<number> {
    const name = `${column} ${id}`;
    let end = this.ends.get(name);
    if (end === undefined) this.ends.set(name, (end = this.findEnd(column, id)));
    return end;
  }

  private async findEnd(column: Reference, id: number): Promise<number> {
    const table = this.tables.get(REFERENCES[column])!;
    const { versions } = (await readRecordHistories(this.reader, table, [id])).get(id)!;
    const state = standingState(statesOf(versions), this.act);
    const merge =
      state?.value === null
        ? this.merges.find((one) => one.column === column && one.from === id && one.revision === state.since)
        : undefined;
    return merge === undefined ? id : this.endOf(column, merge.into);
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

/** The series that may refer to other records because of the merges that a revert is about. */
export async function seriesOfMerges(reader: Reader, target: ChangeSetState): Promise<number[]> {
  const found = new Set<number>();
  for (const { column, revision, records } of await concernedMerges(reader, target)) {
    const rows = await selectByIds<{ id: number }>(
      reader,
      `SELECT id FROM price_serie WHERE since > ? AND ${column} IN ({ids})`,
      records,
      [revision],
    );
    for (const { id } of rows) found.add(id);
  }
  return [...found];
}

/** The merges that a revert is about, with all records that the merged ones are or have become. */
async function concernedMerges(reader: Reader, target: ChangeSetState) {
  if (target.kind !== 'merge' && target.kind !== 'revert') return [];
  const ids = await concernedIds(reader, target);
  const merges = await readMerges(reader);
  return merges
    .filter(({ changeSetId }) => ids.includes(changeSetId))
    .map(({ column, revision, from, into }) => ({
      column,
      revision,
      records: [from, ...becomes(merges, column, into)],
    }));
}

/** A record and all that it has become by merges. */
function becomes(merges: readonly RecordMerge[], column: Reference, id: number): Set<number> {
  const records = new Set([id]);
  // Oldest first: what a record has become may be merged later only.
  for (const merge of merges) if (merge.column === column && records.has(merge.from)) records.add(merge.into);
  return records;
}

/** All merges of records, oldest first. The alias that each has made tells into which record. */
export async function readMerges(reader: Reader): Promise<RecordMerge[]> {
  const rows = await reader.rows<{ revision: number | string; id: number; table: string; from: number }>(
    'SELECT r.number AS revision, c.id, x.table_name AS `table`, x.record_id AS `from` FROM change_set c' +
      ' JOIN revision r ON r.change_set_id = c.id JOIN record_change x ON x.revision = r.number' +
      ` WHERE c.kind = 'merge' AND x.action = 'removed' AND x.table_name <> ? ORDER BY r.number`,
    [aliasStatements.name],
  );
  if (rows.length === 0) return [];
  const into = await mergedInto(
    reader,
    rows.map(({ revision }) => Number(revision)),
  );
  return rows.flatMap(({ revision, id: changeSetId, table, from }): RecordMerge[] => {
    const column = columnOf(table);
    const record = into.get(Number(revision));
    if (column === undefined || record === undefined) return [];
    return [{ revision: Number(revision), changeSetId, column, from, into: record }];
  });
}

/** The records that aliases which merges have made lead to, by the revisions of the merges. */
async function mergedInto(reader: Reader, revisions: readonly number[]): Promise<Map<number, number>> {
  const known = placeholders(revisions.length);
  const stored = await reader.rows<{ since: number | string; record_id: number }>(
    `SELECT since, record_id FROM alias WHERE since IN (${known})`,
    revisions,
  );
  const former = await reader.rows<{ since: number | string; attributes: string }>(
    `SELECT since, attributes FROM record_version WHERE table_name = ? AND since IN (${known})`,
    [aliasStatements.name, ...revisions],
  );
  return new Map([
    ...stored.map(({ since, record_id: id }) => [Number(since), id] as const),
    ...former.map(({ since, attributes }) => {
      const { record_id: id } = JSON.parse(attributes) as { record_id: number };
      return [Number(since), id] as const;
    }),
  ]);
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
