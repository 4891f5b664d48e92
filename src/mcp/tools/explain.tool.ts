import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import { INDICATOR_FIELDS } from '../../analysis/indicators/indicator-fields.js';
import { DEFAULT_SETTINGS } from '../../analysis/indicators/indicator-settings.js';
import { IndicatorsService } from '../../analysis/indicators/indicators.service.js';
import { MEASURES, PER } from '../../analysis/price-columns.js';
import { dayFromIso } from '../../lib/dates/calendar-date.js';
import { NotFound } from '../../platform/errors/api-error.js';
import { PriceSeriesService } from '../../price-series/price-series.service.js';
import { listAnswer } from '../answer.js';
import { asOfInput, asOfOf, dateInput, type McpTool, type ToolCall, uuidInput } from '../mcp-tool.js';
import { parsedListing } from '../parsed-listing.js';
import { seriesFacts } from '../series-facts.js';

const input = z.strictObject({
  uuid: uuidInput,
  date: dateInput('Any day of the month whose number is to be explained.'),
  number: z.enum(INDICATOR_FIELDS).default('value').describe('The price itself (value), or an indicator.'),
  measure: z.enum(MEASURES).default('nominal'),
  per: z.enum(PER).default('unit'),
  as_of: asOfInput,
});

/** The reply of the API, as far as it is taken apart here. */
interface Explained {
  observations: { explain: object }[];
  explain: { series: [{ prices: object[] }]; [name: string]: unknown };
}

/** Tells how a number of a month comes about. */
@Injectable()
export class ExplainTool implements McpTool<typeof input> {
  readonly name = 'explain';
  readonly title = 'Explain a number';
  readonly description =
    'Tells how a monthly price or indicator comes about: the formula, the stored prices with the change set that brought each, exchange rate, price index and unit factor.';
  readonly input = input;

  constructor(
    private readonly indicators: IndicatorsService,
    private readonly series: PriceSeriesService,
  ) {}

  /** @throws NotFound where there is no such series, or no price in that month */
  async run(values: z.infer<typeof input>, { origin, explorer, signal, now }: ToolCall): Promise<object> {
    const { uuid, measure, per, number } = values;
    const { catalogue, revision } = await this.series.state(asOfOf(values.as_of, now));
    const month = dayFromIso(`${values.date.slice(0, 7)}-01`)!;
    const listing = await this.indicators.read(
      uuid,
      {
        settings: { ...DEFAULT_SETTINGS, measure, per },
        from: month,
        to: month,
        latest: 1,
        view: { asOf: { revision }, firstPublished: false },
        fields: [number],
        annual: false,
        explain: true,
      },
      signal,
    );
    const { observations, explain } = parsedListing(listing) as unknown as Explained;
    const [observation] = observations;
    if (observation === undefined)
      throw new NotFound(`The series has no monthly price in ${values.date.slice(0, 7)}.`);
    const { series, ...formulas } = explain;
    const [{ prices, ...conversions }] = series;
    const facts = seriesFacts(catalogue, catalogue.find(uuid)!, { revision, origin, explorer }, measure, per);
    const api = `${origin}/api/v1/PriceSerieIndicator/${uuid}/?explain=true`;
    return listAnswer(
      { ...facts, observation, ...formulas, ...conversions },
      'prices',
      prices,
      () => `All are at ${api}`,
    );
  }
}
