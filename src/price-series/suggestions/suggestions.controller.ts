import { Controller, Get } from '@nestjs/common';
import { BASE } from '../../config/price-paths.js';
import { CachedBy } from '../../ledger/revision/cached-by.js';
import { RequestQuery } from '../../platform/http/params.js';
import { Reply } from '../../platform/http/reply.js';
import { ApiOkResponse, ApiOperation, ApiTags } from '../../platform/http/api-docs.js';
import { CacheControl } from '../../platform/http/routes.js';
import { integer, one, required, text } from '../../platform/validation/parsers.js';
import { QuerySchema, type QueryValues } from '../../platform/validation/query-schema.js';
import { PriceSeriesService } from '../price-series.service.js';
import { suggest, Suggestions } from './suggestions.js';
import { schemaOf } from '../../platform/validation/field.js';

/** Characters of a text: so many that it has no more words than are searched at once. */
const MAX_LENGTH = 60;
const MAX_LIMIT = 20;
const DEFAULT_LIMIT = 5;

const suggestionQuery = new QuerySchema({
  q: required(
    one(
      text(MAX_LENGTH),
      'Words or their beginnings, as in `search`: letter case and accents are ignored. Required.',
    ),
    { detail: 'q is required: the text to suggest something for.' },
  ),
  limit: one(integer(1, MAX_LIMIT), `Most suggestions of each kind; ${DEFAULT_LIMIT} unless given.`),
});

/** Suggestions for those who type a search. */
@Controller(`${BASE}/Suggest`)
@CacheControl('minute')
@ApiTags('Price series')
@CachedBy('series', 'references')
export class SuggestionsController {
  constructor(private readonly series: PriceSeriesService) {}

  @Get()
  @ApiOperation({
    summary: 'Suggest countries, commodities, markets and series',
    description:
      'Names that are the text come first, then those that begin with it, then those with most series. Of series, those with the newest prices come first.',
  })
  @ApiOkResponse({ description: 'Suggestions, best first', schema: schemaOf(Suggestions) })
  async list(
    @RequestQuery(suggestionQuery)
    { q, limit = DEFAULT_LIMIT }: QueryValues<typeof suggestionQuery.parameters>,
  ) {
    const { catalogue, revision } = await this.series.state(undefined);
    return Reply.json(await suggest(catalogue, q, limit), { revision });
  }
}
