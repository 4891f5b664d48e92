import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import { INDICATOR_FIELDS } from '../../analysis/indicators/indicator-fields.js';
import { MEASURES, PER } from '../../analysis/price-columns.js';
import { dayFromIso, isoFromDay } from '../../lib/dates/calendar-date.js';
import { BASE } from '../../config/price-paths.js';
import { NotFound } from '../../platform/errors/api-error.js';
import { listAnswer } from '../answer.js';
import { IndicatorQuestions } from '../indicator-question.js';
import { asOfInput, dateInput, type McpTool, type ToolCall, uuidInput } from '../mcp-tool.js';

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
  explain: {
    series: [{ prices: object[] }];
    seasonal: { calendar_month: number; ratios: object[] }[] | null;
    [name: string]: unknown;
  };
}

/** Tells how a number of a month comes about. */
@Injectable()
export class ExplainTool implements McpTool<typeof input> {
  readonly name = 'explain';
  readonly title = 'Explain a number';
  readonly description =
    'Tells how a monthly price or indicator comes about: the formula, the stored prices with the change set that brought each, exchange rate, consumer price index and unit factor.';
  readonly input = input;

  constructor(private readonly indicators: IndicatorQuestions) {}

  /** @throws NotFound where there is no such series, or no price in that month */
  async run({ date, number, ...question }: z.infer<typeof input>, call: ToolCall): Promise<object> {
    const month = dayFromIso(`${date.slice(0, 7)}-01`)!;
    const { facts, reply } = await this.indicators.answer<Explained>(
      { ...question, from: month, to: month, latest: 1, fields: [number], explain: true },
      call,
    );
    const [observation] = reply.observations;
    if (observation === undefined)
      throw new NotFound(`The series has no monthly price in ${date.slice(0, 7)}.`);
    const { series, seasonal, ...formulas } = reply.explain;
    const [{ prices, ...conversions }] = series;
    const { uuid, measure, per } = question;
    const query = new URLSearchParams({
      start_date: isoFromDay(month),
      end_date: isoFromDay(month),
      indicators: number,
      measure,
      per,
      as_of: facts.as_of,
      explain: 'true',
    });
    const api = `${call.origin}/${BASE}/PriceSerieIndicator/${uuid}/?${query.toString()}`;
    // Of long series, those of all calendar months do not fit into an answer.
    const ratios = seasonal?.find(({ calendar_month }) => calendar_month === Number(date.slice(5, 7)));
    const head = { ...facts, api, observation, ...formulas, seasonal: ratios ?? null, ...conversions };
    return listAnswer(head, 'prices', prices, () => `All are at ${api}`);
  }
}
