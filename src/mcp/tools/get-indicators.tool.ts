import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import { INDICATOR_FIELDS } from '../../analysis/indicators/indicator-fields.js';
import { DEFAULT_SETTINGS } from '../../analysis/indicators/indicator-settings.js';
import { IndicatorsService } from '../../analysis/indicators/indicators.service.js';
import { MEASURES, PER } from '../../analysis/price-columns.js';
import { dayFromIso } from '../../lib/dates/calendar-date.js';
import { PriceSeriesService } from '../../price-series/price-series.service.js';
import { listAnswer } from '../answer.js';
import { asOfInput, asOfOf, dateInput, type McpTool, type ToolCall, uuidInput } from '../mcp-tool.js';
import { parsedListing } from '../parsed-listing.js';
import { seriesFacts } from '../series-facts.js';

const input = z.strictObject({
  uuid: uuidInput,
  indicators: z.array(z.enum(INDICATOR_FIELDS)).min(1).optional().describe('Only these; all unless given.'),
  measure: z.enum(MEASURES).default('nominal'),
  per: z.enum(PER).default('unit'),
  start_date: dateInput('The first month.').optional(),
  end_date: dateInput('The last month.').optional(),
  latest: z.int().min(1).max(120).default(1).describe('At most so many months, the newest.'),
  as_of: asOfInput,
});

/** Gives the indicators of a series. */
@Injectable()
export class GetIndicatorsTool implements McpTool<typeof input> {
  readonly name = 'get_indicators';
  readonly title = 'Get indicators';
  readonly description =
    'Tells whether the price of a series is unusual, month by month, newest first: changes over 1, 3 and 12 months, against the mean of five years, season, volatility, and the warnings IFPA (FAO, SDG 2.c.1: normal, moderate, high) and ALPS (WFP: normal, stress, alert, crisis). Changes are fractions: 0.1 is 10 %. `reasons` says why one is null.';
  readonly input = input;

  constructor(
    private readonly indicators: IndicatorsService,
    private readonly series: PriceSeriesService,
  ) {}

  /** @throws NotFound */
  async run(values: z.infer<typeof input>, { origin, explorer, signal, now }: ToolCall): Promise<object> {
    const { uuid, measure, per, indicators } = values;
    // What is said of the series is of the state that the numbers are of.
    const { catalogue, revision } = await this.series.state(asOfOf(values.as_of, now));
    const asOf = { revision };
    const listing = await this.indicators.read(
      uuid,
      {
        settings: { ...DEFAULT_SETTINGS, measure, per },
        from: values.start_date === undefined ? 0 : dayFromIso(values.start_date)!,
        to: values.end_date === undefined ? Infinity : dayFromIso(values.end_date)!,
        latest: values.latest,
        view: { asOf, firstPublished: false },
        fields: INDICATOR_FIELDS.filter((name) => indicators?.includes(name) ?? true),
        annual: false,
        explain: false,
      },
      signal,
    );
    const { observations, settings } = parsedListing(listing);
    const facts = seriesFacts(catalogue, catalogue.find(uuid)!, { revision, origin, explorer }, measure, per);
    const rows = observations as { date: string }[];
    return listAnswer({ ...facts, settings }, 'observations', rows, (shown) =>
      shown === 0 ? '' : `Ask again with end_date before ${rows[shown - 1]!.date}.`,
    );
  }
}
