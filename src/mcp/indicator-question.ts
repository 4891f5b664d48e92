import { Injectable } from '@nestjs/common';
import type { IndicatorField } from '../analysis/indicators/indicator-fields.js';
import { DEFAULT_SETTINGS } from '../analysis/indicators/indicator-settings.js';
import { IndicatorsService } from '../analysis/indicators/indicators.service.js';
import type { Measure, Per } from '../analysis/price-columns.js';
import { PriceSeriesService } from '../price-series/price-series.service.js';
import { asOfOf, type ToolCall } from './mcp-tool.js';
import { seriesSummary, type SeriesSummary } from './series-summary.js';

/** Which indicators of a series are asked for. */
interface IndicatorQuestion {
  uuid: string;
  measure: Measure;
  per: Per;
  as_of?: string | undefined;
  /** Days. */
  from: number;
  to: number;
  latest: number;
  fields: readonly IndicatorField[];
  explain: boolean;
}

/** Reads the indicators of a series as responses of the API show them, with the same numbers. */
@Injectable()
export class IndicatorQuestions {
  constructor(
    private readonly indicators: IndicatorsService,
    private readonly series: PriceSeriesService,
  ) {}

  /** @throws NotFound, ValidationError */
  async answer<T>(
    { uuid, measure, per, as_of, ...request }: IndicatorQuestion,
    { origin, explorer, signal, now }: ToolCall,
  ): Promise<{ facts: SeriesSummary; reply: T }> {
    // What is said of the series is of the state that the numbers are of.
    const { catalogue, revision } = await this.series.state(asOfOf(as_of, now));
    const settings = { ...DEFAULT_SETTINGS, measure, per };
    const view = { asOf: { revision }, firstPublished: false };
    const listing = await this.indicators.read(uuid, { ...request, settings, view, annual: false }, signal);
    const [text] = listing.items('array') as [string];
    const place = { revision, origin, explorer };
    return {
      facts: seriesSummary(catalogue, catalogue.find(uuid)!, place, measure, per),
      reply: JSON.parse(text) as T,
    };
  }
}
