import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database.js';
import { PastRevisions } from '../../database/revision/past-revisions.js';
import { NotFound } from '../../platform/errors/api-error.js';
import type { Column, ColumnType } from '../../platform/formats/listing.js';
import { SeriesCatalogue } from '../../price-series/catalogue/catalogue.js';
import { CalculatedPoint } from '../datapoints.service.js';
import { PricesService } from '../prices.service.js';
import { MAX_LIST_IDS, idList } from '../read/id-list.js';
import { parsePointId, type PointKey } from '../store/point-id.js';

/** What was known of a point, as responses show it. */
export interface PointVersion {
  /** Null while the point was removed. */
  price_value: number | null;
  comment: string | null;
  /** When it became known, and when it was replaced; null if it still holds. */
  known_from: string;
  known_to: string | null;
  first_revision: number;
  last_revision: number | null;
  /** The act that made it known. */
  change_set_id: number;
  kind: string;
}

export const pointVersionColumns: readonly Column[] = [
  { name: 'price_value', type: 'number' },
  { name: 'comment', type: 'string' },
  { name: 'known_from', type: 'string' },
  { name: 'known_to', type: 'string' },
  { name: 'first_revision', type: 'integer' },
  { name: 'last_revision', type: 'integer' },
  { name: 'change_set_id', type: 'integer' },
  { name: 'kind', type: 'string' },
] satisfies { name: keyof PointVersion; type: ColumnType }[];

const KEY = 'serie_id = ? AND period = ? AND day = ?';
const SELECT_VERSIONS =
  `SELECT since, until, value, comment FROM observation_version WHERE ${KEY}` +
  ` UNION ALL SELECT since, NULL, value, comment FROM observation WHERE ${KEY} ORDER BY since`;
const SELECT_GONE_SERIES = 'SELECT 1 FROM price_serie_version WHERE id = ? AND uuid = ? LIMIT 1';
const selectRevisions = (numbers: string) =>
  'SELECT r.number, r.at, r.change_set_id, c.kind FROM revision r JOIN change_set c ON c.id = r.change_set_id' +
  ` WHERE r.number IN (${numbers})`;

type VersionRow = [since: number, until: number | null, value: number, comment: string | null];
type RevisionRow = [number: number | string, at: string, changeSetId: number, kind: string];

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
    const values = [key.serieId, key.period, key.day];
    const rows = await this.database.anyServer.arrays<VersionRow>(SELECT_VERSIONS, [...values, ...values]);
    if (rows.length === 0) return this.rejectMissing(uuid, key, signal);
    const spans = spansOf(rows, await this.pastRevisions.first());
    const revisions = await this.revisions(spans.flatMap(({ since, until }) => [since, until ?? since]));
    return spans.reverse().map((span) => versionOf(span, revisions));
  }

  private async isOfSeries(uuid: string, serieId: number): Promise<boolean> {
    const catalogue = await this.catalogue.current();
    const row = catalogue.find(uuid);
    if (row !== null) return catalogue.idAt(row) === serieId;
    const gone = await this.database.anyServer.arrays(SELECT_GONE_SERIES, [serieId, uuid.toLowerCase()]);
    return gone.length > 0;
  }

  private async rejectMissing(uuid: string, key: PointKey, signal: AbortSignal): Promise<never> {
    const derived = await this.prices.readPoint(uuid, key, null, signal);
    throw derived === null ? noSuchPrice() : new CalculatedPoint();
  }

  private async revisions(numbers: readonly number[]): Promise<Map<number, RevisionRow>> {
    const revisions = new Map<number, RevisionRow>();
    const distinct = [...new Set(numbers)];
    for (let from = 0; from < distinct.length; from += MAX_LIST_IDS) {
      const { placeholders, values } = idList(distinct.slice(from, from + MAX_LIST_IDS));
      const sql = selectRevisions(placeholders);
      for (const row of await this.database.anyServer.arrays<RevisionRow>(sql, values))
        revisions.set(Number(row[0]), row);
    }
    return revisions;
  }
}

const noSuchPrice = () => new NotFound('There is no such price.');

/** The versions and the times without one between and after them, oldest first. */
function spansOf(rows: readonly VersionRow[], first: number): Span[] {
  const spans: Span[] = [];
  for (const [index, [since, until, value, comment]] of rows.entries()) {
    // What is from before versions were kept is known since the first revision.
    spans.push({ since: Math.max(since, first), until, value, comment: comment ?? '' });
    const next = rows[index + 1]?.[0] ?? null;
    if (until !== null && until !== next)
      spans.push({ since: until, until: next, value: null, comment: null });
  }
  return spans;
}

function versionOf(
  { since, until, value, comment }: Span,
  revisions: ReadonlyMap<number, RevisionRow>,
): PointVersion {
  const [, known_from, change_set_id, kind] = revisions.get(since)!;
  return {
    price_value: value,
    comment,
    known_from,
    known_to: until === null ? null : revisions.get(until)![1],
    first_revision: since,
    last_revision: until === null ? null : until - 1,
    change_set_id,
    kind,
  };
}
