import type { Chunks } from '../../platform/formats/chunks.js';
import type { CellValue, Column, Listing, Table } from '../../platform/formats/listing.js';
import { type Sort, sortItems } from '../../platform/listing/sort.js';
import type { ShownSeasonality } from './indicator-calculation.js';
import {
  annualColumns,
  type AnnualObservation,
  hasReason,
  indicatorColumns,
  type IndicatorField,
  type Observation,
} from './indicator-fields.js';
import { METHOD_VERSION, type IndicatorSettings } from './indicator-settings.js';

/** The indicators of one series, as calculated. */
interface SeriesIndicators {
  uuid: string;
  /** The JSON of the entry. */
  entry: string;
  settings: IndicatorSettings;
  annual: boolean;
  seasonal: ShownSeasonality;
  fields: readonly IndicatorField[];
  observations: readonly (Observation | AnnualObservation)[];
  /** What the observations were calculated from, as JSON; null where it is not asked for. */
  explained: string | null;
  revision: number;
}

/**
 * The indicators of one series as a reply: one object in JSON, a line for each observation in CSV
 * and NDJSON.
 */
export class IndicatorListing implements Listing {
  readonly page = 'single';
  readonly rowsMember = 'observations';
  readonly size: number;
  readonly revision: number;

  constructor(private readonly indicators: SeriesIndicators) {
    this.size = indicators.observations.length;
    this.revision = indicators.revision;
  }

  items(layout: 'array' | 'lines'): Chunks {
    const { uuid, entry, settings, annual, seasonal, observations, explained } = this.indicators;
    if (layout === 'lines')
      return [observations.map((each) => `${JSON.stringify({ uuid, ...each })}\n`).join('')];
    const shown = JSON.stringify({ ...settings, annual, method_version: METHOD_VERSION });
    return [
      `{"uuid":"${uuid}","series":${entry},"settings":${shown},"seasonal":${JSON.stringify(seasonal)},` +
        `"observations":${JSON.stringify(observations)}${explained === null ? '' : `,"explain":${explained}`}}`,
    ];
  }

  table(): Table {
    const { uuid, annual, fields, observations } = this.indicators;
    const rows = observations.map((each) => cellsOf(uuid, each, fields));
    return { columns: indicatorTableColumns(annual, fields), batches: () => [rows] };
  }
}

/** The columns of the indicators of one series. */
export const indicatorTableColumns = (annual: boolean, fields: readonly IndicatorField[]): Column[] =>
  annual
    ? [...annualColumns]
    : [{ name: 'uuid', type: 'string' }, { name: 'date', type: 'date' }, ...indicatorColumns(fields)];

const cellsOf = (
  uuid: string,
  each: Observation | AnnualObservation,
  fields: readonly IndicatorField[],
): CellValue[] => [uuid, ...('year' in each ? annualCells(each) : observationCells(each, fields))];

/** The same indicators with their observations in the order of a sort. */
export async function sortedIndicators(indicators: SeriesIndicators, sort: Sort): Promise<SeriesIndicators> {
  const { uuid, annual, fields, observations } = indicators;
  const names = indicatorTableColumns(annual, fields).map(({ name }) => name);
  const valueOf = (each: Observation | AnnualObservation, column: string) =>
    cellsOf(uuid, each, fields)[names.indexOf(column)];
  return {
    ...indicators,
    observations: (await sortItems([observations], sort, valueOf, (each) => each)).items,
  };
}

function annualCells({ year, n_months, partial, ifpa, reasons }: AnnualObservation): CellValue[] {
  return [year, n_months, partial, ifpa, reasons?.ifpa ?? null];
}

/** The cells of an observation after its series: its date, values and reasons. */
export function observationCells(observation: Observation, fields: readonly IndicatorField[]): CellValue[] {
  const values = fields.flatMap((field): CellValue[] => {
    const value = observation[field] ?? null;
    return typeof value === 'object' && value !== null ? Object.values<CellValue>({ ...value }) : [value];
  });
  const reasons = fields.filter(hasReason).map((field) => observation.reasons[field] ?? null);
  return [observation.date, ...values, ...reasons];
}
