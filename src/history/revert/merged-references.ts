import { seriesUuid, type SeriesKey } from '../../import/pipeline/series-uuid.js';
import { ALIAS_COLUMNS, aliasKey, aliasStatements } from '../../reference/base/alias-key.js';
import type { RecordValues } from '../../reference/base/table-statements.js';
import type { MergeAliases } from './merge-aliases.js';
import { becomes, referenceColumnOf, mergesOf, effectiveMerges, type RecordMerge } from './merges.js';
import { SERIES_STATUSES } from '../../price-series/series-status.js';
import { aliasesSince } from '../../price-series/series-aliases.js';
import { aliasIdsOf } from '../../reference/base/aliases.js';
import { recordVersions } from '../../reference/base/past-records.js';
import type { Reader } from './reading.js';
import { readRecordHistories, type RecordTable } from './record-histories.js';
import type { RevertContext } from './revert-context.js';
import type { RevertOperation } from './revert-operation.js';
import {
  REFERENCE_COLUMNS,
  REFERENCES,
  type Reference,
  type SeriesRowValues,
  readAttributesOf,
} from '../../price-series/series-attributes.js';
import type { State, StoredVersion, RevertedRevisions } from '../../ledger/states.js';

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
 * Where references lead without the merges that are reverted. A merge gives no reference: as long
 * as it counts, it leads those that others have given to another record, before it and after. What
 * an import has created under a merge refers to the record that the other became; its uuid, which
 * is computed from the texts of the input, tells which of the two was meant.
 */
export class MergedReferences {
  /** What is reverted, for the states of what merges lead elsewhere. */
  readonly given: RevertedRevisions;
  private readonly texts = new Map<string, Promise<StoredVersion<KeyTexts>[]>>();

  private readonly operation: RevertOperation;
  private readonly tables: ReadonlyMap<string, RecordTable>;
  private readonly merges: readonly RecordMerge[];
  private readonly aliases: MergeAliases;
  private readonly reverted: readonly RecordMerge[];
  /** Those that count and lead somewhere, newest first. */
  private readonly effective: readonly RecordMerge[];

  constructor(
    private readonly reader: Reader,
    { operation, tables, merges, mergeAliases }: RevertContext,
  ) {
    this.operation = operation;
    this.tables = tables;
    this.merges = merges;
    this.aliases = mergeAliases;
    this.reverted = merges.filter(({ revision }) => operation.isVoid(revision));
    this.effective = effectiveMerges(merges, operation);
    const revisions = new Set(merges.map(({ revision }) => revision));
    this.given = {
      isVoid: (revision) => operation.isVoid(revision),
      isRevert: (revision) => operation.isRevert(revision) || revisions.has(revision),
    };
  }

  /**
   * A series with the records that it refers to without what is reverted.
   * @param attributes those that it was given
   * @param states its own, as they were stored
   */
  async lead(
    attributes: SeriesRowValues,
    states: readonly State<SeriesRowValues>[],
  ): Promise<SeriesRowValues> {
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

  /** An alias of a record, with the one that it leads to. @param since which it was made so */
  leadAlias(alias: RecordValues, since: number): RecordValues {
    const column = referenceColumnOf(alias.table_name as string);
    if (column === undefined) return alias;
    return { ...alias, record_id: this.endOf(column, { id: alias.record_id as number, since }) };
  }

  /** Whether a record has become another one, also where it was made or changed meanwhile. */
  isMerged(table: string, id: number): boolean {
    const column = referenceColumnOf(table);
    return column !== undefined && this.endOf(column, { id, since: Infinity }) !== id;
  }

  /** The other uuids that lead to series by merges which are reverted. */
  async mergedAliases<A extends MergedAlias>(aliases: readonly A[]): Promise<A[]> {
    if (aliases.length === 0 || this.reverted.length === 0) return [];
    const series = await readAttributesOf(this.reader, [...new Set(aliases.map(({ serieId }) => serieId))]);
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

  /** The aliases of series that were made after a merge which the revert is about. */
  async aliasesSince(): Promise<MergedAlias[]> {
    const found = new Map<string, MergedAlias>();
    for (const { column, revision, records } of mergesOf(this.merges, this.operation.concernedChangeSets)) {
      const rows = await aliasesSince(this.reader, revision, REFERENCES[column], records);
      for (const row of rows) found.set(row.uuid, row);
    }
    return [...found.values()];
  }

  /** The record that a reference of a series leads to. @param meant the series as it was given */
  private async leadColumn(
    meant: SeriesRowValues,
    column: Reference,
    { id, since }: GivenReference,
  ): Promise<number> {
    // Oldest first: what was merged into another one counts before what this became later.
    for (const merge of this.reverted) {
      const wasUnder = merge.column === column && merge.revision < since && this.hasBecome(merge, id);
      if (wasUnder && (await this.isNamedBy(meant, merge)))
        return this.endOf(column, { id: merge.from, since });
    }
    return this.endOf(column, { id, since });
  }

  /** Whether a record is what the merged one has become, directly or by further merges. */
  private hasBecome({ column, into }: RecordMerge, id: number): boolean {
    return becomes(this.merges, column, into).has(id);
  }

  /** The record that another one has become by merges that count: the newest of it leads. */
  private endOf(column: Reference, { id, since }: GivenReference): number {
    const merge = this.effective.find(
      (one) => one.column === column && one.from === id && this.leads(one, since),
    );
    if (merge === undefined) return id;
    return this.endOf(column, { id: merge.into, since: Math.max(since, merge.revision) });
  }

  /**
   * Whether a merge leads what referred to its record at a revision: what did so before, and what
   * was imported later as long as its alias counts.
   */
  private leads(merge: RecordMerge, since: number): boolean {
    return since < merge.revision || this.aliases.counts(merge, since, this.operation);
  }

  /**
   * Whether a uuid is that of a series of the record that was merged, by the texts that led to it
   * until then, and any that the other records of the series have had.
   */
  private async isNamedBy(attributes: SeriesRowValues, merge: RecordMerge): Promise<boolean> {
    const { uuid, currency } = attributes;
    const choices: KeyTexts[][] = [];
    for (const column of REFERENCE_COLUMNS) {
      const isMerged = column === merge.column;
      const texts = await this.textsOf(column, isMerged ? merge.from : attributes[column]);
      choices.push(distinctTexts(isMerged ? texts.filter((text) => isInForce(text, merge.revision)) : texts));
    }
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
      if (seriesUuid(key, SERIES_STATUSES[attributes.status]) === uuid) return true;
    }
    return false;
  }

  /** The keys and aliases that a record has or had. */
  private textsOf(column: Reference, id: number): Promise<StoredVersion<KeyTexts>[]> {
    const name = `${column} ${id}`;
    let texts = this.texts.get(name);
    if (texts === undefined) this.texts.set(name, (texts = this.readTexts(REFERENCES[column], id)));
    return texts;
  }

  private async readTexts(name: string, id: number): Promise<StoredVersion<KeyTexts>[]> {
    const { reader, tables } = this;
    const table = tables.get(name)!;
    const { versions } = (await readRecordHistories(reader, table, [id])).get(id)!;
    const texts = versions.map(({ value, ...when }) => ({
      ...when,
      value: aliasKey(table.statements, value),
    }));
    const ids = await aliasesEverOf(reader, name, id);
    const aliases = await readRecordHistories(reader, tables.get(aliasStatements.name)!, ids);
    for (const history of aliases.values())
      for (const { value, ...when } of history.versions)
        if (value.table_name === name && value.record_id === id)
          texts.push({ ...when, value: ALIAS_COLUMNS.map((column) => value[column] as string) });
    return texts;
  }
}

/** Whether a text led to its record until a merge. */
const isInForce = ({ since, until }: StoredVersion<KeyTexts>, merged: number): boolean =>
  since < merged && (until === null || until >= merged);

const distinctTexts = (texts: readonly StoredVersion<KeyTexts>[]): KeyTexts[] => [
  ...new Map(texts.map(({ value }) => [value.join('\n'), value])).values(),
];

/** The ids of the aliases that a record has or had. */
async function aliasesEverOf(reader: Reader, table: string, id: number): Promise<number[]> {
  const former = (await recordVersions(reader, aliasStatements.name)).filter(
    ({ attributes }) => attributes.table_name === table && attributes.record_id === id,
  );
  return [...new Set([...(await aliasIdsOf(reader, table, [id])), ...former.map((alias) => alias.id)])];
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
  states: readonly State<SeriesRowValues>[],
  column: Reference,
  revisions: RevertedRevisions,
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
