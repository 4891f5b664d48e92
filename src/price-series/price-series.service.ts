import { Injectable } from '@nestjs/common';
import { NotFound } from '../common/errors/api-error.js';
import { pageBounds, type PageRequest } from '../common/pagination/page.js';
import { SeriesCatalogue } from './catalogue.js';
import type { CatalogueSnapshot } from './catalogue-snapshot.js';
import type { Criteria } from './criteria.js';
import { entryOf, type SeriesEntry } from './price-serie.view.js';
import { select, type Selection } from './selection.js';
import { SeriesPage } from './series-page.js';

/** A series in one snapshot of the catalogue. */
export interface FoundSeries {
  catalogue: CatalogueSnapshot;
  row: number;
}

/** All series that match the criteria or a page of them, with the total count. */
export interface SeriesSlice {
  catalogue: CatalogueSnapshot;
  count: number;
  rows: Uint32Array;
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
   * One page of the series that match the criteria.
   * @throws NotFound past the last page
   */
  async list(criteria: Criteria, request: PageRequest): Promise<SeriesPage> {
    const { catalogue, count, rows } = await this.slice(criteria, request);
    return new SeriesPage(catalogue, count, Array.from(rows), request.page, request.pageSize);
  }

  /**
   * The catalogue rows of the series that match the criteria: all of them, or one page.
   * @throws NotFound past the last page
   */
  async slice(criteria: Criteria, request: PageRequest | null): Promise<SeriesSlice> {
    const selection = await this.select(criteria);
    const { catalogue, count } = selection;
    if (request === null) return { catalogue, count, rows: selection.slice() };
    const { offset, limit } = pageBounds(request, count);
    return { catalogue, count, rows: selection.slice(offset, offset + limit) };
  }

  /** A series by its uuid, in any letter case; null if there is none or the text is not a uuid. */
  async find(uuid: string): Promise<FoundSeries | null> {
    const catalogue = await this.catalogue.current();
    const row = catalogue.find(uuid);
    return row === null ? null : { catalogue, row };
  }

  /**
   * The entry of a series.
   * @throws NotFound
   */
  async read(uuid: string): Promise<SeriesEntry> {
    const found = await this.find(uuid);
    if (found === null) throw new NotFound('There is no price series with this uuid.');
    return entryOf(found.catalogue, found.row);
  }
}
