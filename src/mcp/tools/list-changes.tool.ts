import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import { BASE } from '../../config/price-paths.js';
import { ChangeSets } from '../../history/change-sets.js';
import { dayFromIso, isoFromDay } from '../../lib/dates/calendar-date.js';
import { ValidationError, type Violation } from '../../platform/errors/api-error.js';
import { PriceSeriesService } from '../../price-series/price-series.service.js';
import { PriceDifferences } from '../../prices/history/price-differences.js';
import { RevisionRanges } from '../../prices/history/difference-parameters.js';
import { listAnswer } from '../answer.js';
import { asOfInput, asOfOf, dateInput, type McpTool, type ToolCall, uuidInput } from '../mcp-tool.js';
import { seriesSummary } from '../series-summary.js';

const PER_PAGE = 20;
/** Prices of a series that are compared. */
const MAX_DIFFERENCES = 1000;

const input = z.strictObject({
  since: dateInput('From the beginning of this day on (UTC).'),
  uuid: uuidInput.optional().describe('A series: which of its prices differ. Without it, all change sets.'),
  as_of: asOfInput.describe('Of a series: up to this state; today unless given.'),
  page: z.int().min(1).max(10_000).default(1).describe(`Each page has ${PER_PAGE} change sets.`),
});

type Input = z.infer<typeof input>;

const AS_OF_WITHOUT_SERIES: Violation = {
  in: 'body',
  name: 'as_of',
  code: 'contradiction',
  detail: 'as_of needs a uuid: change sets are listed as they are now.',
};

/** Tells what has changed: the change sets, or the prices of one series. */
@Injectable()
export class ListChangesTool implements McpTool<typeof input> {
  readonly name = 'list_changes';
  readonly title = 'List changes';
  readonly description =
    'Tells what has changed since a day: imports, corrections and reverts with their reasons, newest first; or, of one series, the prices that were added, changed or removed.';
  readonly input = input;

  constructor(
    private readonly changeSets: ChangeSets,
    private readonly series: PriceSeriesService,
    private readonly differences: PriceDifferences,
    private readonly ranges: RevisionRanges,
  ) {}

  /** @throws NotFound, ValidationError */
  run(values: Input, call: ToolCall): Promise<object> {
    const { uuid, ...question } = values;
    return uuid === undefined ? this.changeSetsOf(question, call) : this.differencesOf(uuid, question, call);
  }

  private async changeSetsOf(
    { since, as_of, page }: Omit<Input, 'uuid'>,
    { origin, explorer }: ToolCall,
  ): Promise<object> {
    if (as_of !== undefined) throw new ValidationError([AS_OF_WITHOUT_SERIES]);
    const { revision } = await this.series.state(undefined);
    const list = await this.changeSets.page({ from: since }, { page, pageSize: PER_PAGE });
    const pages = Math.max(1, Math.ceil(list.count / PER_PAGE));
    const more = page < pages ? { go_on: `There are more: ask again with page ${page + 1}.` } : {};
    const api = `${origin}/${BASE}/ChangeSet/?from=${since}&page_size=${PER_PAGE}&page=${page}`;
    const place = { as_of: `r${revision}`, page: explorer ? `${origin}/` : api, api };
    const head = { ...place, since, count: list.count, ...more };
    return listAnswer(head, 'change_sets', list.items, () => `All of this page are at ${api}`);
  }

  private async differencesOf(
    uuid: string,
    { since, as_of }: Omit<Input, 'uuid'>,
    { origin, explorer, now }: ToolCall,
  ): Promise<object> {
    const { catalogue, revision } = await this.series.state(asOfOf(as_of, now));
    const dayBefore = isoFromDay(dayFromIso(since)! - 1);
    const range = await this.ranges.of({
      from: { instant: `${dayBefore}T23:59:59.999Z` },
      to: { revision },
    });
    const changes: object[] = [];
    for await (const batch of await this.differences.ofSeries(uuid, range)) {
      changes.push(...batch);
      if (changes.length > MAX_DIFFERENCES) break;
    }
    const row = catalogue.find(uuid);
    const facts = row === null ? { uuid } : seriesSummary(catalogue, row, { revision, origin, explorer });
    const [from, to] = [`r${range.from}`, `r${range.to}`];
    const api = `${origin}/${BASE}/PriceSeriePrice/${uuid}/differences/?from=${from}&to=${to}`;
    const rows = changes.slice(0, MAX_DIFFERENCES);
    const more = changes.length > MAX_DIFFERENCES;
    return listAnswer({ ...facts, from, to }, 'changes', rows, () => `All are at ${api}`, more);
  }
}
