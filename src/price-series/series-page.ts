import { Page } from '../common/pagination/page.js';
import type { CatalogueSnapshot } from './catalogue-snapshot.js';

/** A page of series, by their places in the catalogue. */
export class SeriesPage extends Page<number> {
  constructor(
    readonly catalogue: CatalogueSnapshot,
    count: number,
    places: readonly number[],
    page: number,
    pageSize: number,
  ) {
    super(count, places, page, pageSize);
  }
}
