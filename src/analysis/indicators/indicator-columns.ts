import { ALPS_CLASSES } from '../methods/alps.js';
import { IFPA_CLASSES } from '../methods/ifpa.js';
import { REASONS } from '../methods/reason.js';
import { firstDayOfMonth, isoFromDay } from '../../lib/dates/calendar-date.js';
import type { Observation } from './indicator-calculation.js';
import { INDICATOR_FIELDS, type IndicatorField, type NumberField } from './indicator-fields.js';

/** Fields that are one number. */
const PLAIN = INDICATOR_FIELDS.filter((field): field is NumberField => field !== 'ifpa' && field !== 'alps');
/** Numbers of a series: those of the plain fields, three of IFPA, two of ALPS. */
const IFPA_AT = PLAIN.length;
const ALPS_AT = IFPA_AT + 3;
const NUMBERS = ALPS_AT + 2;
/** Codes of a series: a reason for each field, the two classes, the marks of IFPA. */
const IFPA_CLASS_AT = INDICATOR_FIELDS.length;
const ALPS_CLASS_AT = IFPA_CLASS_AT + 1;
const PROVISIONAL_AT = ALPS_CLASS_AT + 1;
const WEAK_AT = PROVISIONAL_AT + 1;
const CODES = WEAK_AT + 1;
const NONE = 255;

/** A sortable number of an observation. */
export const numberOf = ({ ifpa, alps, ...fields }: Observation, field: IndicatorField): number | null => {
  if (field === 'ifpa') return ifpa?.value ?? null;
  if (field === 'alps') return alps?.value ?? null;
  return fields[field] ?? null;
};

/**
 * Observations of many series in two arrays: some 150 bytes each, and nothing for the garbage
 * collector to walk through.
 */
export class IndicatorColumns {
  private numbers = new Float64Array(0);
  private codes = new Uint8Array(0);
  private months = new Uint32Array(0);
  size = 0;

  /** Adds room for a series, and returns where. */
  add(): number {
    if (this.size >= this.months.length) this.grow(Math.max(256, this.size * 2));
    return this.size++;
  }

  /** Sets the observation at a place; null for a series without one. */
  set(at: number, month: number, observation: Observation | null): void {
    this.months[at] = observation === null ? 0 : month;
    const numbers = this.numbers.subarray(at * NUMBERS, (at + 1) * NUMBERS).fill(NaN);
    const codes = this.codes.subarray(at * CODES, (at + 1) * CODES).fill(NONE);
    if (observation === null) return;
    for (const [index, field] of PLAIN.entries()) numbers[index] = observation[field] ?? NaN;
    for (const [index, field] of INDICATOR_FIELDS.entries()) {
      const reason = observation.reasons[field];
      if (reason !== undefined) codes[index] = REASONS.indexOf(reason);
    }
    const { ifpa, alps } = observation;
    if (ifpa && ifpa.value !== null) {
      numbers.set([ifpa.value, ifpa.quarterly!, ifpa.annual!], IFPA_AT);
      codes[IFPA_CLASS_AT] = IFPA_CLASSES.indexOf(ifpa.class!);
      codes[PROVISIONAL_AT] = Number(ifpa.provisional);
      codes[WEAK_AT] = Number(ifpa.weak);
    }
    if (alps && alps.value !== null) {
      numbers.set([alps.value, alps.expected!], ALPS_AT);
      codes[ALPS_CLASS_AT] = ALPS_CLASSES.indexOf(alps.class!);
    }
  }

  /** The month of the observation at a place; 0 where there is none. */
  monthAt(at: number): number {
    return this.months[at]!;
  }

  /** The observation at a place, which must have one. */
  get(at: number): Observation {
    const number = (index: number) => {
      const value = this.numbers[at * NUMBERS + index]!;
      return Number.isNaN(value) ? null : value;
    };
    const code = (index: number) => this.codes[at * CODES + index]!;
    const flag = (index: number) => (code(index) === NONE ? null : code(index) === 1);
    const observation: Observation = { date: isoFromDay(firstDayOfMonth(this.months[at]!)), reasons: {} };
    for (const [index, field] of PLAIN.entries()) observation[field] = number(index);
    observation.ifpa = {
      value: number(IFPA_AT),
      quarterly: number(IFPA_AT + 1),
      annual: number(IFPA_AT + 2),
      class: IFPA_CLASSES[code(IFPA_CLASS_AT)] ?? null,
      provisional: flag(PROVISIONAL_AT),
      weak: flag(WEAK_AT),
    };
    observation.alps = {
      value: number(ALPS_AT),
      expected: number(ALPS_AT + 1),
      class: ALPS_CLASSES[code(ALPS_CLASS_AT)] ?? null,
    };
    for (const [index, field] of INDICATOR_FIELDS.entries()) {
      const reason = REASONS[code(index)];
      if (reason !== undefined) observation.reasons[field] = reason;
    }
    return observation;
  }

  private grow(capacity: number): void {
    const [numbers, codes, months] = [this.numbers, this.codes, this.months];
    this.numbers = new Float64Array(capacity * NUMBERS);
    this.codes = new Uint8Array(capacity * CODES);
    this.months = new Uint32Array(capacity);
    this.numbers.set(numbers);
    this.codes.set(codes);
    this.months.set(months);
  }
}
