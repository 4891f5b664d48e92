import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import { columnsSerializer, MEASURES, PER, priceConversion } from '../../analysis/price-columns.js';
import { isoFromDay } from '../../lib/dates/calendar-date.js';
import { toSignificantDigits } from '../../lib/numbers/significant-digits.js';
import { NotFound } from '../../platform/errors/api-error.js';
import { PERIOD_NAMES, PERIODS, periodNames } from '../../price-series/periodicity.js';
import { entryOf } from '../../price-series/price-serie.view.js';
import { PricesService } from '../../prices/prices.service.js';
import { PointWindow } from '../../prices/read/point-window.js';
import type { SeriesPoints } from '../../prices/read/price-loader.js';
import { listAnswer } from '../answer.js';
import {
  asOfInput,
  asOfOf,
  daysOf,
  type McpTool,
  rangeInput,
  type ToolCall,
  uuidInput,
} from '../mcp-tool.js';
import { seriesSummary } from '../series-summary.js';

const input = z.strictObject({
  uuid: uuidInput,
  periodicity: z.enum(periodNames as [string, ...string[]]).default('monthly'),
  measure: z
    .enum(MEASURES)
    .default('nominal')
    .describe(
      'nominal: as published; real: deflated by the consumer price index; usd: in dollars; real_usd: dollars deflated by the index of the United States.',
    ),
  per: z.enum(PER).default('unit').describe('base: per kilogram or litre; unit: as published.'),
  ...rangeInput('The first date.', 'The last date.'),
  latest: z.int().min(1).max(500).default(24).describe('At most so many, the newest.'),
  as_of: asOfInput,
});

type Input = z.infer<typeof input>;

/** A price as answers show it. */
interface Price {
  date: string;
  /** Null where it cannot be converted, for the reason given. */
  value: number | null;
  reason?: string;
  /** The month is not over. */
  partial?: true;
  /** Its source calls it provisional. */
  provisional?: true;
}

/** Gives the prices of a series. */
@Injectable()
export class GetPricesTool implements McpTool<typeof input> {
  readonly name = 'get_prices';
  readonly title = 'Get prices';
  readonly description =
    'Gives the prices of a series, newest first: daily, weekly or monthly; as published, in real terms or in dollars; per published unit or per kilogram or litre. Quote them with unit, source, date and as_of.';
  readonly input = input;

  constructor(private readonly prices: PricesService) {}

  /** @throws NotFound */
  async run(values: Input, { origin, explorer, signal, now }: ToolCall): Promise<object> {
    const { uuid, measure, per } = values;
    const period = PERIODS.find((each) => PERIOD_NAMES[each] === values.periodicity)!;
    const past = await this.prices.past({ asOf: asOfOf(values.as_of, now), firstPublished: false });
    const window = new PointWindow([period]);
    const loaded = await this.prices.read(uuid, window, columnsSerializer, past, signal);
    const series = loaded.points(0);
    const { catalogue, row } = series.context;
    const { periodicity } = entryOf(catalogue, row);
    if (!periodicity.some((each) => each.period === values.periodicity)) {
      const known = periodicity.map((each) => each.period).join(', ') || 'no prices';
      throw new NotFound(`The series has no ${values.periodicity} prices; it has: ${known}.`);
    }
    const { rows, more } = pricesOf(series, values);
    const place = { revision: loaded.snapshot.revision, origin, explorer };
    const facts = seriesSummary(catalogue, row, place, measure, per);
    const head = { ...facts, measure, per, periodicity: values.periodicity };
    const goOn = (shown: number) => `Ask again with end_date before ${rows[shown - 1]!.date}.`;
    return listAnswer(head, 'prices', rows, goOn, more);
  }
}

/** The newest prices of a range, and whether it has more. */
function pricesOf(series: SeriesPoints, values: Input): { rows: Price[]; more: boolean } {
  const period = PERIODS.find((each) => PERIOD_NAMES[each] === values.periodicity)!;
  const points = series.points[PERIODS.indexOf(period)]!;
  const convert = priceConversion(series, values.measure, values.per);
  const { from, to } = daysOf(values);
  const prices: Price[] = [];
  for (let index = points.end - 1; index >= points.begin; index--) {
    const day = points.days[index]!;
    if (day < from || day > to) continue;
    if (prices.length === values.latest) return { rows: prices, more: true };
    const value = convert(points.values[index]!, period, day);
    prices.push({
      date: isoFromDay(day),
      ...(typeof value === 'string' ? { value: null, reason: value } : { value: toSignificantDigits(value) }),
      ...(points.isPartial(index) ? { partial: true } : {}),
      ...(points.isProvisional(index) ? { provisional: true } : {}),
    });
  }
  return { rows: prices, more: false };
}
