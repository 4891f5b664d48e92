import { Injectable } from '@nestjs/common';
import { Database } from '../database/database.js';
import type { Page, PageRequest } from '../platform/listing/page.js';
import type { QueryValues } from '../platform/validation/query-schema.js';
import { Criteria } from '../price-series/filters/criteria.js';
import { PriceSeriesService } from '../price-series/price-series.service.js';
import { pricedSeriesFilters } from '../prices/prices.parameters.js';
import { findingConditions, findingList, type findingQuery, type FindingRecord } from './finding-list.js';

type Filters = QueryValues<typeof findingQuery.parameters>;

/** Lists what rules have found. */
@Injectable()
export class FindingsService {
  private readonly findings: ReturnType<typeof findingList>;

  constructor(
    private readonly database: Database,
    private readonly series: PriceSeriesService,
  ) {
    this.findings = findingList(database);
  }

  /** @throws NotFound for a page past the last */
  async page(filters: Filters, request: PageRequest): Promise<Page<FindingRecord>> {
    return this.findings.page(await this.conditionsOf(filters), request);
  }

  /** All findings that match the filters, in batches. */
  async *all(filters: Filters): AsyncGenerator<FindingRecord[]> {
    yield* this.findings.all(await this.conditionsOf(filters));
  }

  private async conditionsOf(filters: Filters) {
    return findingConditions(filters, await this.seriesOf(Criteria.of(pricedSeriesFilters, filters)));
  }

  /** The ids of series with findings that match the criteria; undefined for all. */
  private async seriesOf(criteria: Criteria): Promise<number[] | undefined> {
    if (criteria.key === Criteria.none.key) return undefined;
    const selection = await this.series.select(criteria);
    const selected = new Set(Array.from(selection.slice(), (row) => selection.catalogue.idAt(row)));
    const found = await this.database.rows<{ serie_id: number }>(
      'SELECT DISTINCT serie_id FROM finding_member',
    );
    return found.map(({ serie_id }) => serie_id).filter((id) => selected.has(id));
  }
}
