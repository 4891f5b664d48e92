import { Controller, Get, UseInterceptors } from '@nestjs/common';
import { BASE } from '../../config/price-paths.js';
import { CachedBy } from '../../ledger/revision/cached-by.js';
import { RequestSignal } from '../../platform/http/request.js';
import { RequestQuery } from '../../platform/http/params.js';
import { ApiOkResponse, ApiOperation, ApiTags } from '../../platform/http/api-docs.js';
import { CacheControl, ListFormats } from '../../platform/http/routes.js';
import { PaginationInterceptor } from '../../platform/listing/pagination.interceptor.js';
import { ComparisonListing, sortedMonths } from './comparison-listing.js';
import { comparisonQuery, comparisonRequest, type ComparisonRequest } from './comparison.parameters.js';
import { ComparisonService } from './comparison.service.js';
import { PriceComparison } from './price-comparison.js';
import { schemaOf } from '../../platform/validation/field.js';

/** Comparisons of two series. */
@ApiTags('Analysis')
@Controller(`${BASE}/PriceCompare`)
@UseInterceptors(PaginationInterceptor)
@ListFormats()
@CacheControl('minute')
@CachedBy('series', 'references', 'rates')
export class ComparisonsController {
  constructor(private readonly comparisons: ComparisonService) {}

  @Get()
  @ApiOperation({
    summary: 'The ratio or difference of two series',
    description:
      'Month by month, newest first: terms of trade, retail over wholesale, or the margin between markets. In dollars where the currencies differ. A value that cannot be had is null, and `reasons` says why.',
  })
  @ApiOkResponse({ description: 'The two series and their comparison', schema: schemaOf(PriceComparison) })
  async read(
    @RequestQuery(comparisonQuery, comparisonRequest) request: ComparisonRequest,
    @RequestSignal() signal: AbortSignal,
  ) {
    const comparison = await this.comparisons.read(request, signal);
    const observations = await sortedMonths(comparison.observations, request.sort ?? []);
    return new ComparisonListing({ ...comparison, observations });
  }
}
