import { Injectable } from '@nestjs/common';
import { NotFound } from '../platform/errors/api-error.js';
import { pageBounds, type PageRequest } from '../platform/listing/page.js';
import { SeriesCatalogue } from './catalogue/catalogue.js';
import type { CatalogueSnapshot } from './catalogue/catalogue-snapshot.js';
import type { Criteria } from './filters/criteria.js';
import { entryOf, type SeriesEntry } from './price-serie.view.js';
import { select, type Selection } from './catalogue/selection.js';
import { SeriesListing, type SeriesSerializer } from './series-listing.js';

/** A series in one snapshot of the catalogue. */
export interface FoundSeries {
  catalogue: CatalogueSnapshot;
  row: number;
}

/** Lists of series, and single series. All results of one call come from one snapshot. */
@Injectable()
export class PriceSeriesService {
  constructor(private readonly catalogue: SeriesCatalogue) {}

  /** The series that match the criteria, in the order of the lists. */
  async select(criteria: Criteria): Promise<Selection> {
    return select(await this.catalogue.current(), criteria);
  }

  /**
   * The series that match the criteria: all of them, or one page.
   * @param toJson for lists with items of another shape
   * @throws NotFound past the last page
   */
  async list(
    criteria: Criteria,
    request: PageRequest | null,
    toJson?: SeriesSerializer,
  ): Promise<SeriesListing> {
    const selection = await this.select(criteria);
    const { catalogue, count } = selection;
    if (request === null) return new SeriesListing(catalogue, selection.slice(), 'all', toJson);
    const { offset, limit, lastPage } = pageBounds(request, count);
    const page = { count, page: request.page, lastPage };
    return new SeriesListing(catalogue, selection.slice(offset, offset + limit), page, toJson);
  }

  /** A series by its uuid, in any letter case; null if there is none or the text is not a uuid. */
  async find(uuid: string): Promise<FoundSeries | null> {
    const catalogue = await this.catalogue.current();
    const row = catalogue.find(uuid);
    return row === null ? null : { catalogue, row };
  }

  /** The entry of a series. @throws NotFound */
  async read(uuid: string): Promise<SeriesEntry> {
    const found = await this.find(uuid);
    if (found === null) throw new NotFound('There is no price series with this uuid.');
    return entryOf(found.catalogue, found.row);
  }
}
