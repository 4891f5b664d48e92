import { Injectable } from '@nestjs/common';
import { batchesOf } from '../../lib/collections/batches.js';
import { Database } from '../../database/database.js';
import { readRevisionOperations, type RevisionOperation } from '../../ledger/revision/stored-revisions.js';
import { PastRevisions } from '../../ledger/revision/past-revisions.js';
import { NotFound } from '../../platform/errors/api-error.js';
import { SeriesCatalogue } from '../../price-series/catalogue/catalogue.js';
import { wasSeries } from '../../price-series/series-store.js';
import { CalculatedPoint } from '../calculated-point.js';
import { StoredPoints } from '../derive/derivation.js';
import { joinedPoints } from '../joins/joined-points.js';
import { PricesService } from '../prices.service.js';
import { MAX_LIST_IDS } from '../read/id-list.js';
import { type PointVersionRow, readPointVersions } from '../store/stored-versions.js';
import { parsePointId, type PointKey } from '../store/point-id.js';
import { type JoinHistory, readJoinHistory } from './join-history.js';
import { CHANGE_SET_KINDS } from '../../ledger/changes/change-set.js';
import { ApiSchema, OrNull } from '../../platform/validation/field.js';
import { Decimal, Id, Instant, OneOf, Text, WideCount } from '../../platform/validation/fields.js';
import { columnsOf } from '../../platform/formats/columns.js';

/** What was known of a point, as responses show it. */
@ApiSchema()
export class PointVersion {
  @OrNull(Decimal({ description: 'Null while the point was removed' })) price_value!: number | null;
  @OrNull(Text()) comment!: string | null;
  @Instant() known_from!: string;
  @OrNull(Instant({ description: 'Null if it still holds' })) known_to!: string | null;
  @WideCount() first_revision!: number;
  @OrNull(WideCount(), { description: 'Null if it still holds' }) last_revision!: number | null;
  @Id({ description: 'The change set that made it known' }) change_set_id!: number;
  @OneOf<string>(CHANGE_SET_KINDS) kind!: string;
}

export const pointVersionColumns = columnsOf(PointVersion);

/** What a point was from one revision until before another. */
interface Span {
  since: number;
  until: number | null;
  value: number | null;
  comment: string | null;
}

/** Reads the versions of single stored points. */
@Injectable()
export class PointVersions {
  constructor(
    private readonly database: Database,
    private readonly catalogue: SeriesCatalogue,
    private readonly pastRevisions: PastRevisions,
    private readonly prices: PricesService,
  ) {}

  /**
   * The versions of a point, newest first; also of one that is no longer there.
   * @throws NotFound
   * @throws CalculatedPoint where the point is derived and never was stored
   */
  async read(uuid: string, id: number | null, signal: AbortSignal): Promise<PointVersion[]> {
    const key = id === null ? null : parsePointId(id);
    if (key === null || !(await this.isOfSeries(uuid, key.serieId))) throw noSuchPrice();
    const joins = await readJoinHistory(this.database.anyServer);
    const rows = await readPointVersions(this.database.anyServer, joins.everShown(key.serieId), key);
    const spans = spansOf(key, rows, joins, await this.pastRevisions.first());
    if (spans.length === 0) return this.rejectMissing(uuid, key, signal);
    const revisions = await this.revisions(spans.flatMap(({ since, until }) => [since, until ?? since]));
    return spans.reverse().map((span) => versionOf(span, revisions));
  }

  private async isOfSeries(uuid: string, serieId: number): Promise<boolean> {
    const catalogue = await this.catalogue.current({ uuids: [uuid] });
    const row = catalogue.find(uuid);
    if (row !== null) return catalogue.idAt(row) === serieId;
    return wasSeries(this.database.anyServer, serieId, uuid);
  }

  private async rejectMissing(uuid: string, key: PointKey, signal: AbortSignal): Promise<never> {
    const derived = await this.prices.readPoint(uuid, key, null, signal);
    throw derived === null ? noSuchPrice() : new CalculatedPoint();
  }

  private async revisions(numbers: readonly number[]): Promise<Map<number, RevisionOperation>> {
    const operations = new Map<number, RevisionOperation>();
    for (const batch of batchesOf([...new Set(numbers)], MAX_LIST_IDS))
      for (const [number, operation] of await readRevisionOperations(this.database.anyServer, batch))
        operations.set(number, operation);
    return operations;
  }
}

const noSuchPrice = () => new NotFound('There is no such price.');

/**
 * What the series showed of the point from one change to the next, oldest first: its own point or
 * that of a series that was joined into it.
 */
function spansOf(key: PointKey, rows: readonly PointVersionRow[], joins: JoinHistory, first: number): Span[] {
  const changes = new Set(joins.changesOf(joins.everShown(key.serieId)));
  // What is from before versions were kept is known since the first revision.
  for (const [, , , , since, until] of rows)
    for (const at of [Math.max(since, first), until ?? first]) changes.add(at);
  const spans: Span[] = [];
  for (const revision of [...changes].sort((one, other) => one - other)) {
    const { value, comment } = shownAt(key, rows, joins, revision) ?? { value: null, comment: null };
    const last = spans.at(-1);
    if (last === undefined ? value === null : last.value === value && last.comment === comment) continue;
    if (last !== undefined) last.until = revision;
    spans.push({ since: revision, until: null, value, comment });
  }
  return spans;
}

/** The point that the series showed at a revision. */
function shownAt(
  { serieId, period, day }: PointKey,
  rows: readonly PointVersionRow[],
  joins: JoinHistory,
  revision: number,
): Pick<Span, 'value' | 'comment'> | null {
  const known = new Map<number, StoredPoints>();
  for (const [id, value, comment, calculated, since, until] of rows) {
    if (since > revision || (until !== null && until <= revision)) continue;
    const points = new StoredPoints();
    points.add(period, day, value, Boolean(calculated), comment);
    known.set(id, points);
  }
  const shown = joinedPoints(joins.at(revision).shownSeries(serieId), known);
  for (const { values, comments } of [shown.original(period), shown.markedCalculated(period)])
    if (values.length > 0) return { value: values[0]!, comment: comments?.[0] ?? '' };
  return null;
}

function versionOf(
  { since, until, value, comment }: Span,
  revisions: ReadonlyMap<number, RevisionOperation>,
): PointVersion {
  const { at: known_from, changeSet } = revisions.get(since)!;
  return {
    price_value: value,
    comment,
    known_from,
    known_to: until === null ? null : revisions.get(until)!.at,
    first_revision: since,
    last_revision: until === null ? null : until - 1,
    change_set_id: changeSet.id,
    kind: changeSet.kind,
  };
}
