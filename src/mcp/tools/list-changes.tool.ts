import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import { ChangeSets } from '../../history/change-sets.js';
import { PriceSeriesService } from '../../price-series/price-series.service.js';
import { PriceDifferences } from '../../prices/history/price-differences.js';
import { RevisionRanges } from '../../prices/history/difference-parameters.js';
import { listAnswer } from '../answer.js';
import { asOfInput, asOfOf, dateInput, type McpTool, type ToolCall, uuidInput } from '../mcp-tool.js';
import { seriesFacts } from '../series-facts.js';

const PER_PAGE = 20;
/** Prices of a series that are compared. */
const MAX_DIFFERENCES = 1000;

const input = z.strictObject({
  since: dateInput('From this day on.'),
  uuid: uuidInput.optional().describe('A series: which of its prices differ. Without it, all change sets.'),
  as_of: asOfInput.describe('Up to this state; today unless given.'),
  page: z.int().min(1).max(10_000).default(1).describe(`Each page has ${PER_PAGE} change sets.`),
});

/** Tells what has changed: the change sets, or the prices of one series. */
@Injectable()
export class ListChangesTool implements McpTool<typeof input> {
  readonly name = 'list_changes';
  readonly title = 'List changes';
  readonly description =
    'Tells what has changed since a day: imports, corrections and reverts with their reasons, newest first; or, of one series, the prices that were added, changed or removed since the end of that day.';
  readonly input = input;

  constructor(
    private readonly changeSets: ChangeSets,
    private readonly series: PriceSeriesService,
    private readonly differences: PriceDifferences,
    private readonly ranges: RevisionRanges,
  ) {}

  /** @throws NotFound, ValidationError */
  async run(values: z.infer<typeof input>, { origin, explorer, now }: ToolCall): Promise<object> {
    const { uuid, since, page } = values;
    const { catalogue, revision } = await this.series.state(asOfOf(values.as_of, now));
    const source = `${origin}/api/v1/ChangeSet/`;
    if (uuid === undefined) {
      const list = await this.changeSets.page({ from: since }, { page, pageSize: PER_PAGE });
      const pages = Math.max(1, Math.ceil(list.count / PER_PAGE));
      const more = page < pages ? { go_on: `There are more: ask again with page ${page + 1}.` } : {};
      const head = {
        as_of: `r${revision}`,
        page: `${origin}/`,
        api: source,
        since,
        count: list.count,
        ...more,
      };
      return listAnswer(head, 'change_sets', list.items, () => 'Ask for a later day.');
    }
    const range = await this.ranges.of({ from: asOfOf(since, now)!, to: { revision } });
    const changes: object[] = [];
    for await (const batch of await this.differences.ofSeries(uuid, range)) {
      changes.push(...batch);
      if (changes.length >= MAX_DIFFERENCES) break;
    }
    const row = catalogue.find(uuid);
    const facts = row === null ? { uuid } : seriesFacts(catalogue, row, { revision, origin, explorer });
    const api = `${origin}/api/v1/PriceSeriePrice/${uuid}/differences/?from=r${range.from}`;
    const head = { ...facts, from: `r${range.from}`, to: `r${range.to}` };
    return listAnswer(head, 'changes', changes.slice(0, MAX_DIFFERENCES), () => `All are at ${api}`);
  }
}
