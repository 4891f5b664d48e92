import { Injectable } from '@nestjs/common';
import { NotFound } from '../common/errors/api-error.js';
import { pageBounds, type PageRequest } from '../common/pagination/page.js';
import { SeriesCatalogue } from './catalogue.js';
import type { CatalogueSnapshot } from './catalogue-snapshot.js';
import type { Criteria } from './criteria.js';
import { entryOf, type SeriesEntry } from './price-serie.view.js';
import { select, type Selection } from './selection.js';
import { SeriesPage } from './series-page.js';

/** A series in one state of the catalogue. */
export interface FoundSeries {
  catalogue: CatalogueSnapshot;
  place: number;
}

/** Some of the series that meet criteria, and how many do. */
export interface SeriesSlice {
  catalogue: CatalogueSnapshot;
  count: number;
  places: Uint32Array;
}

/** Lists of series, and single ones. Everything of one call comes from one state of the data. */
@Injectable()
export class PriceSeriesService {
  constructor(private readonly catalogue: SeriesCatalogue) {}

  /** The series that meet the criteria, in the order of the lists. */
  async select(criteria: Criteria): Promise<Selection> {
    return select(await this.catalogue.current(), criteria);
  }

  /**
   * One page of the series that meet the criteria.
   * @throws NotFound past the last page
   */
  async list(criteria: Criteria, request: PageRequest): Promise<SeriesPage> {
    const { catalogue, count, places } = await this.slice(criteria, request);
    return new SeriesPage(catalogue, count, Array.from(places), request.page, request.pageSize);
  }

  /**
   * The places in the catalogue of the series that meet the criteria: of all, or of one page.
   * @throws NotFound past the last page
   */
  async slice(criteria: Criteria, request: PageRequest | null): Promise<SeriesSlice> {
    const selection = await this.select(criteria);
    const { catalogue, count } = selection;
    if (request === null) return { catalogue, count, places: selection.slice() };
    const { offset, limit } = pageBounds(request, count);
    return { catalogue, count, places: selection.slice(offset, offset + limit) };
  }

  /** A series by its uuid, in any letter case; null where there is none, or the text is no uuid. */
  async find(uuid: string): Promise<FoundSeries | null> {
    const catalogue = await this.catalogue.current();
    const place = catalogue.find(uuid);
    return place === null ? null : { catalogue, place };
  }

  /**
   * The entry of a series.
   * @throws NotFound
   */
  async read(uuid: string): Promise<SeriesEntry> {
    const found = await this.find(uuid);
    if (found === null) throw new NotFound('There is no price series with this uuid.');
    return entryOf(found.catalogue, found.place);
  }
}
