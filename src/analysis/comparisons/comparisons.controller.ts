import { Controller, Get } from '@nestjs/common';
import { BASE } from '../../config/price-paths.js';
import { RequestSignal } from '../../platform/http/request.js';
import { RequestQuery } from '../../platform/http/params.js';
import { ApiOkResponse, ApiOperation } from '../../platform/http/api-docs.js';
import { AnalysisLists } from '../analysis-lists.js';
import { ComparisonListing, sortedMonths } from './comparison-listing.js';
import { comparisonQuery, comparisonRequest, type ComparisonRequest } from './comparison.parameters.js';
import { ComparisonService } from './comparison.service.js';
import { PriceComparison } from './price-comparison.js';
import { schemaOf } from '../../platform/validation/field.js';

/** Comparisons of two series. */
@Controller(`${BASE}/PriceCompare`)
@AnalysisLists()
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
