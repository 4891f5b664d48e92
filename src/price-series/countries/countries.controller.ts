import { Controller, Get, UseInterceptors } from '@nestjs/common';
import { BASE } from '../../config/price-paths.js';
import { asOfParameter } from '../../ledger/revision/as-of.js';
import { CachedBy } from '../../ledger/revision/cached-by.js';
import { type ParsedQuery, RequestQuery, wholeQuery } from '../../platform/http/params.js';
import { ApiOkResponse, ApiOperation, ApiTags, envelopeOf } from '../../platform/http/api-docs.js';
import { CacheControl, ListFormats } from '../../platform/http/routes.js';
import { listQuery } from '../../platform/listing/list-parameters.js';
import { pageParameters, requestedList } from '../../platform/listing/page.js';
import { PaginationInterceptor } from '../../platform/listing/pagination.interceptor.js';
import { RecordListing } from '../../platform/listing/record-listing.js';
import { QuerySchema } from '../../platform/validation/query-schema.js';
import { PriceSeriesService } from '../price-series.service.js';
import { countriesOf, countryColumns, CountryRecord } from './country-list.js';
import { schemaOf } from '../../platform/validation/field.js';

const countryQuery = listQuery(new QuerySchema({ as_of: asOfParameter, ...pageParameters }), countryColumns);

/** The countries that series are of. */
@Controller(`${BASE}/Country`)
@UseInterceptors(PaginationInterceptor)
@ListFormats()
@CacheControl('minute')
@ApiTags('Price series')
@CachedBy('series', 'references')
export class CountriesController {
  constructor(private readonly series: PriceSeriesService) {}

  @Get()
  @ApiOperation({ summary: 'List the countries that have series' })
  @ApiOkResponse({ description: 'A page of countries, by code', schema: envelopeOf(schemaOf(CountryRecord)) })
  async list(
    @RequestQuery(countryQuery, wholeQuery)
    { values, format }: ParsedQuery<typeof countryQuery.parameters>,
  ) {
    const { catalogue, revision } = await this.series.state(values.as_of);
    return RecordListing.pageOf(
      countryColumns,
      countriesOf(catalogue),
      requestedList(values, format),
      revision,
    );
  }
}
