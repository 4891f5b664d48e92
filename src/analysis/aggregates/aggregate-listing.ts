import { TimeSlice } from '../../lib/scheduling/time-slice.js';
import type { CellValue, Column, Listing, PageInfo, Table } from '../../platform/formats/listing.js';
import { METHOD_VERSION } from '../indicators/indicator-settings.js';
import type { GroupExplanation } from './aggregate-explanations.js';
import type { AggregateRequest } from './aggregate.parameters.js';
import { type Dimension, DIMENSIONS, groupColumns } from './dimensions.js';
import type { Measure } from '../price-columns.js';
import { AggregateObservation, GroupCalculation } from './group-calculation.js';
import type { AggregateList, PricedGroup } from './aggregates.service.js';
import { columnsOf, omitColumns } from '../../platform/formats/columns.js';

/** Characters up to which short texts are joined before they are written. */
const CHUNK_CHARACTERS = 16_384;
/** Rows of a table that are passed on together. */
const ROWS_PER_BATCH = 100;

const ofObservations = ({ name, type }: Column): Column => ({ name, type, member: 'observations' });

const OBSERVATION_COLUMNS = columnsOf(AggregateObservation).map(ofObservations);
const ON_REQUEST = ['series', 'matched'];

const VALUE_COLUMNS: readonly Column[] = [
  ...omitColumns(OBSERVATION_COLUMNS, ['reasons', ...ON_REQUEST]),
  ofObservations({ name: 'median_reason', type: 'string' }),
  ofObservations({ name: 'index_reason', type: 'string' }),
];
const SERIES_COLUMNS = OBSERVATION_COLUMNS.filter(({ name }) => ON_REQUEST.includes(name));

/**
 * The columns of a table of aggregates.
 * @param namesSeries whether it names the series behind each value
 */
export const aggregateColumnsOf = (
  dimensions: readonly Dimension[],
  measure: Measure,
  namesSeries: boolean,
): Column[] => [
  ...groupColumns(dimensions, measure),
  ...VALUE_COLUMNS,
  ...(namesSeries ? SERIES_COLUMNS : []),
];

/** The columns that tables of aggregates can have. */
export const aggregateColumns = aggregateColumnsOf(DIMENSIONS, 'real', true);

/** The members of a group that tables do not show. */
export const aggregateMembers = ['settings', 'segments', 'explain'];

/**
 * Groups with their observations: an item is a group, a row of the table an observation. What is
 * shown is calculated group by group while it is written.
 */
export class AggregateListing implements Listing {
  readonly page: PageInfo | 'all';
  readonly size = null;
  readonly revision: number;
  private readonly timeSlice = new TimeSlice();

  constructor(
    private readonly list: AggregateList,
    private readonly request: AggregateRequest,
    private readonly explained: ReadonlyMap<PricedGroup, GroupExplanation> | null,
  ) {
    this.page = list.page;
    this.revision = list.revision;
  }

  async *items(layout: 'array' | 'lines'): AsyncGenerator<string> {
    const settings = JSON.stringify({ ...this.request.settings, method_version: METHOD_VERSION });
    let text = '';
    for (const [index, group] of this.list.groups.entries()) {
      const calculation = await this.calculation(group);
      const explained = this.explained?.get(group);
      if (index > 0 && layout === 'array') text += ',';
      const segments = JSON.stringify(calculation.segments);
      text += `${JSON.stringify(group.fields).slice(0, -1)},"settings":${settings},"segments":${segments},`;
      text += '"observations":[';
      let separator = '';
      for await (const observation of this.observations(calculation)) {
        const explain = explained?.observations.get(observation.date);
        text += separator + JSON.stringify({ ...observation, ...(explain && { explain }) });
        separator = ',';
        if (text.length < CHUNK_CHARACTERS) continue;
        yield text;
        text = '';
      }
      text += explained === undefined ? ']' : `],"explain":${explained.json}`;
      text += layout === 'lines' ? '}\n' : '}';
    }
    yield text;
  }

  table(): Table {
    const { dimensions, namesSeries, settings } = this.request;
    return {
      columns: aggregateColumnsOf(dimensions, settings.measure, namesSeries),
      batches: () => this.rows(),
    };
  }

  private async *rows(): AsyncGenerator<CellValue[][]> {
    for (const group of this.list.groups) {
      const fields = Object.values(group.fields);
      let batch: CellValue[][] = [];
      for await (const observation of this.observations(await this.calculation(group))) {
        batch.push([...fields, ...cellsOf(observation)]);
        if (batch.length < ROWS_PER_BATCH) continue;
        yield batch;
        batch = [];
      }
      yield batch;
    }
  }

  private calculation({ prices }: PricedGroup): Promise<GroupCalculation> {
    return GroupCalculation.of(prices, this.request.settings, this.timeSlice);
  }

  private observations(calculation: GroupCalculation): AsyncGenerator<AggregateObservation> {
    const { catalogue } = this.list;
    const { range, namesSeries } = this.request;
    const uuidAt = namesSeries ? (row: number) => catalogue.uuidAt(row) : null;
    return calculation.observations(range, uuidAt, this.timeSlice);
  }
}

/** The cells of an observation after its group; counts by reason as `no_rate:2 no_cpi:1`. */
function cellsOf(observation: AggregateObservation): CellValue[] {
  const { left_out, reasons, series, matched, ...values } = observation;
  const counts = Object.entries(left_out).map(([reason, count]) => `${reason}:${count}`);
  return [
    ...Object.values(values),
    counts.join(' '),
    reasons.median ?? null,
    reasons.index ?? null,
    ...(series === undefined ? [] : [series.join(' '), matched?.join(' ') ?? null]),
  ];
}
