import { Injectable } from '@nestjs/common';
import type { AsOf } from '../ledger/revision/as-of.js';
import { DataRevision } from '../ledger/revision/data-revision.js';
import { PastRevisions, shownRevision } from '../ledger/revision/past-revisions.js';
import { NotFound } from '../platform/errors/api-error.js';
import type { Sort } from '../platform/listing/sort.js';
import { pageBounds, type PageRequest } from '../platform/listing/page.js';
import { SeriesCatalogue } from './catalogue/catalogue.js';
import type { CatalogueSnapshot } from './catalogue/catalogue-snapshot.js';
import { anyOf, idOf } from './filters/conditions.js';
import { Criteria } from './filters/criteria.js';
import { entryOf, type SeriesEntry } from './price-serie.view.js';
import { selectSeries, selectSorted, type Selection } from './catalogue/selection.js';
import type { SeriesScope } from './series-status.js';
import { SeriesListing, type SeriesSerializer } from './series-listing.js';

/** So many ids are bound rather than compared with all that are read. */
const FEW_SERIES = 100;

/** What series of one commodity in one market have in common where their status alone differs. */
const SAME_COLUMNS = ['price_type', 'source', 'measure_unit', 'currency'] as const;

/** A request for a list of series. */
export interface SeriesRequest {
  criteria: Criteria;
  /** Null for all series that match. */
  page: PageRequest | null;
  /** The state of the data; the newest if it is left out. */
  asOf: AsOf | undefined;
  /** By columns of the list; none for its own order. */
  sort: Sort;
}

/** A snapshot of the catalogue, and the revision of all data that it belongs to. */
interface CatalogueState {
  catalogue: CatalogueSnapshot;
  revision: number;
}

/** Lists of series, and single series. All results of one call come from one snapshot. */
@Injectable()
export class PriceSeriesService {
  constructor(
    private readonly catalogue: SeriesCatalogue,
    private readonly revision: DataRevision,
    private readonly pastRevisions: PastRevisions,
  ) {}

  /** The series that match the criteria now, in the order of the lists. */
  async select(criteria: Criteria): Promise<Selection> {
    return selectSeries(await this.catalogue.current(criteria.scope), criteria);
  }

  /**
   * Which of some series match the criteria now, or were joined into one that does; where few
   * match, all that do.
   * @param readIds their ids, read only where there are criteria that many match
   * @returns undefined without criteria: all of them match
   */
  async matching(
    criteria: Criteria,
    readIds: () => Promise<readonly number[]>,
  ): Promise<number[] | undefined> {
    if (criteria.key === Criteria.none.key) return undefined;
    const selection = await this.select(criteria);
    const { catalogue } = selection;
    const matching = Array.from(selection.slice(), (row) => catalogue.idAt(row));
    const { joins } = catalogue.joined;
    if (matching.length <= FEW_SERIES)
      return matching.flatMap((id) => joins.shownSeries(id).map(({ serieId }) => serieId));
    const selected = new Set(matching);
    return (await readIds()).filter((id) => selected.has(joins.become(id)));
  }

  /** The id that a series has now, by its uuid in any letter case; null where there is none. */
  async idOf(uuid: string): Promise<number | null> {
    const catalogue = await this.catalogue.current({ uuids: [uuid] });
    const row = catalogue.find(uuid);
    return row === null ? null : catalogue.idAt(row);
  }

  /**
   * The series that match the criteria: all of them, or one page.
   * @param toJson for lists with items of another shape
   * @throws NotFound past the last page
   * @throws ValidationError for a revision that does not exist
   */
  async list(
    { criteria, page: request, asOf, sort }: SeriesRequest,
    toJson?: SeriesSerializer,
  ): Promise<SeriesListing> {
    const { catalogue, revision } = await this.state(asOf, criteria.scope);
    const selection = await selectSorted(catalogue, criteria, sort);
    const { count } = selection;
    if (request === null) return new SeriesListing(catalogue, revision, selection.slice(), 'all', toJson);
    const { offset, limit, lastPage } = pageBounds(request, count);
    const page = { count, page: request.page, lastPage };
    return new SeriesListing(catalogue, revision, selection.slice(offset, offset + limit), page, toJson);
  }

  /**
   * The entry of a series, by its uuid in any letter case.
   * @throws NotFound where there is none, or the text is no uuid
   * @throws ValidationError for a revision that does not exist
   */
  async read(uuid: string, asOf: AsOf | undefined): Promise<{ entry: SeriesEntry; revision: number }> {
    const { catalogue, revision } = await this.state(asOf, { uuids: [uuid] });
    const row = catalogue.find(uuid);
    if (row === null) throw new NotFound('There is no price series with this uuid.');
    return { entry: entryOf(catalogue, row), revision };
  }

  /** The same prices of other status: what a source observed, estimated and expects. */
  async ofOtherStatus(catalogue: CatalogueSnapshot, row: number): Promise<SeriesEntry[]> {
    if (catalogue.shows.unobserved === 0) return [];
    const all = await this.catalogue.at(catalogue.asOf, 'all');
    const own = all.find(catalogue.uuidAt(row));
    if (own === null) return [];
    const criteria = Criteria.none
      .and('market_ids', [all.referenceAt('market', own).id], anyOf(idOf('market')))
      .and('commodity_ids', [all.referenceAt('commodity', own).id], anyOf(idOf('commodity')));
    const isSame = (other: number) =>
      other !== own &&
      SAME_COLUMNS.every((column) => all.columns[column][other] === all.columns[column][own]);
    const others = Array.from(selectSeries(all, criteria).slice().filter(isSame));
    const { status } = all.columns;
    return others.sort((one, other) => status[one]! - status[other]!).map((other) => entryOf(all, other));
  }

  /**
   * The series of a state of the data, observed ones if no scope is given.
   * @throws ValidationError for a revision that does not exist
   */
  async state(asOf: AsOf | undefined, scope?: SeriesScope): Promise<CatalogueState> {
    const past = await this.pastRevisions.resolve(asOf);
    const seen = await this.revision.fresh();
    const catalogue = await this.catalogue.at(past, scope);
    const { series, references } = catalogue.revisions;
    return { catalogue, revision: shownRevision(past) ?? Math.max(seen.all, series, references) };
  }
}
