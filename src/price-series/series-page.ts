import { Page } from '../common/pagination/page.js';
import type { CatalogueSnapshot } from './catalogue-snapshot.js';

/** A page of series, given by their rows in the catalogue. */
export class SeriesPage extends Page<number> {
  constructor(
    readonly catalogue: CatalogueSnapshot,
    count: number,
    rows: readonly number[],
    page: number,
    pageSize: number,
  ) {
    super(count, rows, page, pageSize);
  }
}
