import { Injectable } from '@nestjs/common';
import type { AsOf } from '../../ledger/revision/as-of.js';
import { TimeSlice } from '../../lib/scheduling/time-slice.js';
import type { QueryValues } from '../../platform/validation/query-schema.js';
import type { CatalogueSnapshot } from '../catalogue/catalogue-snapshot.js';
import { evaluate, selectSeries, type Selection } from '../catalogue/selection.js';
import { Criteria } from '../filters/criteria.js';
import { priceSeriesFilters } from '../filters/price-series.filters.js';
import { PERIOD_NAMES, PERIODS } from '../periodicity.js';
import { PriceSeriesService } from '../price-series.service.js';
import { countFacet, type FacetName, facetNames, facets, FacetValue, inOrder } from './facet-values.js';
import { ApiSchema, ArrayOf, MapOf, Nested, RecordOf } from '../../platform/validation/field.js';
import { Count, WideCount } from '../../platform/validation/fields.js';

type FilterValues = QueryValues<typeof priceSeriesFilters>;
type FilterName = keyof FilterValues;

/** How many series match some filters, and how many would with others. */
@ApiSchema({ name: 'SerieFacets' })
export class FacetCounts {
  @Count({ description: 'Series that match all filters' }) readonly count!: number;
  /** The values of each facet among the series that match all filters but that of the facet. */
  @RecordOf([...facetNames, 'periodicity'], ArrayOf(Nested(FacetValue)))
  readonly facets!: Readonly<Record<FacetName | 'periodicity', readonly FacetValue[]>>;
  @MapOf(WideCount(), {
    description: 'For each filter that is given, the series that match all others',
  })
  readonly without!: Readonly<Record<string, number>>;
}

/** Counts series by their properties, for clients that let people choose filters. */
@Injectable()
export class FacetsService {
  constructor(private readonly series: PriceSeriesService) {}

  /**
   * Counts the series of one state of the data. Yields to the event loop between the counts, each
   * of which is one pass over the series.
   * @throws ValidationError for a revision that does not exist
   */
  async count(
    values: FilterValues,
    asOf: AsOf | undefined,
  ): Promise<{ counts: FacetCounts; revision: number }> {
    const { catalogue, revision } = await this.series.state(asOf);
    const timeSlice = new TimeSlice();
    const selection = selectSeries(catalogue, Criteria.of(priceSeriesFilters, values));
    const given = (Object.keys(priceSeriesFilters) as FilterName[]).filter(
      (name) => values[name] !== undefined,
    );
    const without: Partial<Record<FilterName, number>> = {};
    const ownDropped = new Map<FilterName, Selection>();
    for (const name of given) {
      await timeSlice.yield();
      const dropped = selectWith(catalogue, values, { [name]: undefined });
      without[name] = dropped.count;
      if (name in facets) ownDropped.set(name, dropped);
    }
    const counted: Partial<Record<FacetName | 'periodicity', FacetValue[]>> = {};
    for (const name of facetNames) {
      await timeSlice.yield();
      counted[name] = countFacet(catalogue, name, (ownDropped.get(name) ?? selection).slice());
    }
    counted.periodicity = await countPeriods(catalogue, values, timeSlice);
    return {
      counts: { count: selection.count, facets: counted as FacetCounts['facets'], without },
      revision,
    };
  }
}

/** The series that match the values with some of them replaced. Not cached: each is used once. */
const selectWith = (catalogue: CatalogueSnapshot, values: FilterValues, replaced: FilterValues): Selection =>
  evaluate(catalogue, Criteria.of(priceSeriesFilters, { ...values, ...replaced }));

/**
 * Counts the periods. The filters on dates apply to the item of the period, so that each of the
 * three has to be selected.
 */
async function countPeriods(
  catalogue: CatalogueSnapshot,
  values: FilterValues,
  timeSlice: TimeSlice,
): Promise<FacetValue[]> {
  const counted: FacetValue[] = [];
  for (const period of PERIODS) {
    await timeSlice.yield();
    const name = PERIOD_NAMES[period];
    const { count } = selectWith(catalogue, values, { periodicity: [name] });
    if (count > 0) counted.push({ value: name, name, count });
  }
  return counted.sort(inOrder);
}
