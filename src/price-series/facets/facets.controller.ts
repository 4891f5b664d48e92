import { Controller, Get } from '@nestjs/common';
import { BASE } from '../../config/price-paths.js';
import { asOfParameter } from '../../ledger/revision/as-of.js';
import { CachedBy } from '../../ledger/revision/cached-by.js';
import { RequestQuery } from '../../platform/http/params.js';
import { Reply } from '../../platform/http/reply.js';
import { ApiOkResponse, ApiOperation, ApiTags } from '../../platform/http/api-docs.js';
import { CacheControl } from '../../platform/http/routes.js';
import { QuerySchema, type QueryValues } from '../../platform/validation/query-schema.js';
import { priceSeriesFilters, priceSeriesRanges } from '../filters/price-series.filters.js';
import { FacetCounts, FacetsService } from './facets.service.js';
import { schemaOf } from '../../platform/validation/field.js';

const facetQuery = new QuerySchema(
  { ...priceSeriesFilters, as_of: asOfParameter },
  { ranges: priceSeriesRanges },
);

/** The numbers of series beside the values of filters. */
@Controller(`${BASE}/PriceSerieFacet`)
@CacheControl('minute')
@ApiTags('Price series')
@CachedBy('series', 'references')
export class FacetsController {
  constructor(private readonly facets: FacetsService) {}

  @Get()
  @ApiOperation({
    summary: 'Count series by country, commodity, category and other properties',
    description:
      'Each facet has the values that its filter would select series by, with all other filters applied. `without` has, for each filter that is given, the number of series if it alone is dropped.',
  })
  @ApiOkResponse({ description: 'Numbers of series', schema: schemaOf(FacetCounts) })
  async count(@RequestQuery(facetQuery) { as_of, ...values }: QueryValues<typeof facetQuery.parameters>) {
    const { counts, revision } = await this.facets.count(values, as_of);
    return Reply.json(counts, { revision });
  }
}
