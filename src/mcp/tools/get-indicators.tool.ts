import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import { INDICATOR_FIELDS } from '../../analysis/indicators/indicator-fields.js';
import { MEASURES, PER } from '../../analysis/price-columns.js';
import { firstDayOfMonth, monthOf } from '../../lib/dates/calendar-date.js';
import { listAnswer } from '../answer.js';
import { IndicatorQuestions } from '../indicator-question.js';
import { asOfInput, daysOf, type McpTool, rangeInput, type ToolCall, uuidInput } from '../mcp-tool.js';

const input = z.strictObject({
  uuid: uuidInput,
  indicators: z.array(z.enum(INDICATOR_FIELDS)).min(1).optional().describe('Only these; all unless given.'),
  measure: z.enum(MEASURES).default('nominal'),
  per: z.enum(PER).default('unit'),
  ...rangeInput('Any day of the first month.', 'Any day of the last month.'),
  latest: z.int().min(1).max(120).default(1).describe('At most so many months, the newest.'),
  as_of: asOfInput,
});

/** The reply of the API, as far as it is taken apart here. */
interface Indicators {
  settings: object;
  observations: { date: string }[];
}

/** Gives the indicators of a series. */
@Injectable()
export class GetIndicatorsTool implements McpTool<typeof input> {
  readonly name = 'get_indicators';
  readonly title = 'Get indicators';
  readonly description =
    'Tells whether the price of a series is unusual, month by month, newest first: changes over 1, 3 and 12 months, against the mean of five years, season, volatility, and the warnings IFPA (FAO, SDG 2.c.1: normal, moderate, high) and ALPS (WFP: normal, stress, alert, crisis). Changes are fractions: 0.1 is 10 %. `reasons` says why one is null.';
  readonly input = input;

  constructor(private readonly indicators: IndicatorQuestions) {}

  /** @throws NotFound */
  async run(values: z.infer<typeof input>, call: ToolCall): Promise<object> {
    const { uuid, measure, per, as_of, indicators, latest } = values;
    const { from, to } = daysOf(values);
    const { facts, reply } = await this.indicators.answer<Indicators>(
      {
        uuid,
        measure,
        per,
        as_of,
        from: firstDayOfMonth(monthOf(from)),
        to,
        latest: latest + 1,
        fields: INDICATOR_FIELDS.filter((name) => indicators?.includes(name) ?? true),
        explain: false,
      },
      call,
    );
    const { settings, observations } = reply;
    const goOn = (shown: number) => `Ask again with end_date before ${observations[shown - 1]!.date}.`;
    const rows = observations.slice(0, latest);
    return listAnswer({ ...facts, settings }, 'observations', rows, goOn, observations.length > latest);
  }
}
