import type { AlpsClass } from '../methods/alps.js';
import type { IfpaClass } from '../methods/ifpa.js';
import type { IndicatorField, Observation } from './indicator-fields.js';
import type { StoredIndicators } from './store/indicator-store.js';

/** One observation of each of some series, by their rows in the catalogue. */
export interface Observations {
  at(row: number): Observation;
  /** A number of an observation that lists are ordered by; null where it has none. */
  numberAt(row: number, field: IndicatorField): number | null;
  ifpaClassAt(row: number): IfpaClass | null;
  alpsClassAt(row: number): AlpsClass | null;
}

/** Those of the newest months, without an object for each. */
export const storedObservations = ({ newest, indices }: StoredIndicators): Observations => ({
  at: (row) => newest.get(indices[row]!),
  numberAt: (row, field) => newest.numberAt(indices[row]!, field),
  ifpaClassAt: (row) => newest.ifpaClassAt(indices[row]!),
  alpsClassAt: (row) => newest.alpsClassAt(indices[row]!),
});

/** Those that were calculated for a request. */
export const calculatedObservations = (byRow: ReadonlyMap<number, Observation>): Observations => ({
  at: (row) => byRow.get(row)!,
  numberAt(row, field) {
    const { ifpa, alps, ...fields } = byRow.get(row)!;
    if (field === 'ifpa') return ifpa?.value ?? null;
    if (field === 'alps') return alps?.value ?? null;
    return fields[field] ?? null;
  },
  ifpaClassAt: (row) => byRow.get(row)!.ifpa?.class ?? null,
  alpsClassAt: (row) => byRow.get(row)!.alps?.class ?? null,
});
