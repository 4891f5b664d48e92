import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import { NotFound } from '../../platform/errors/api-error.js';
import { entryOf } from '../../price-series/price-serie.view.js';
import { PriceSeriesService } from '../../price-series/price-series.service.js';
import { asOfInput, asOfOf, type McpTool, type ToolCall, uuidInput } from '../mcp-tool.js';
import { seriesSummary } from '../series-summary.js';

const input = z.strictObject({ uuid: uuidInput, as_of: asOfInput });

/** Tells what a series is: market, commodity, unit, source with licence, frequencies. */
@Injectable()
export class DescribeTool implements McpTool<typeof input> {
  readonly name = 'describe';
  readonly title = 'Describe a series';
  readonly description =
    'Tells what a price series is about: market with its place, commodity, price type, unit, currency, source with licence, and which frequencies it has from when to when.';
  readonly input = input;

  constructor(private readonly series: PriceSeriesService) {}

  /** @throws NotFound */
  async run({ uuid, as_of }: z.infer<typeof input>, { origin, explorer, now }: ToolCall): Promise<object> {
    const { catalogue, revision } = await this.series.state(asOfOf(as_of, now));
    const row = catalogue.find(uuid);
    if (row === null) throw new NotFound('There is no price series with this uuid.');
    const { name, url, license } = catalogue.referenceAt('source', row);
    const unit = catalogue.referenceAt('measure_unit', row);
    return {
      ...seriesSummary(catalogue, row, { revision, origin, explorer }),
      unit_of_measure: {
        name: unit.name,
        dimension: unit.dimension,
        // A price × this is the price of a kilogram or litre.
        conversion_factor: unit.conversion_factor,
      },
      source_details: { name, url, license },
      entry: entryOf(catalogue, row),
      last_changed: `r${catalogue.revisionAt(row)}`,
    };
  }
}
