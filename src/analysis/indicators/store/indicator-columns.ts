import { ALPS_CLASSES, type AlpsClass } from '../../methods/alps.js';
import { IFPA_CLASSES, type IfpaClass } from '../../methods/ifpa.js';
import { REASONS } from '../../methods/reason.js';
import { firstDayOfMonth, isoFromDay } from '../../../lib/dates/calendar-date.js';
import {
  INDICATOR_FIELDS,
  type IndicatorField,
  type NumberField,
  type Observation,
} from '../indicator-fields.js';
import { ChunkedColumn } from './chunked-column.js';

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
/** Where the number of a field is: of IFPA and ALPS, their value. */
const NUMBER_OF = Object.fromEntries(
  INDICATOR_FIELDS.map((field) => [
    field,
    field === 'ifpa' ? IFPA_AT : field === 'alps' ? ALPS_AT : PLAIN.indexOf(field),
  ]),
) as Record<IndicatorField, number>;

/** Some 150 bytes for each series, and nothing for the garbage collector to walk through. */
export class IndicatorColumns {
  size = 0;
  private readonly months: number[] = [];
  /** Where the numbers and the codes of a series begin. */
  private readonly numbersAt: number[] = [];
  private readonly codesAt: number[] = [];
  private readonly numbers = new ChunkedColumn((length) => new Float64Array(length));
  private readonly codes = new ChunkedColumn((length) => new Uint8Array(length));

  /** Adds the observation of a series, or null where it has none, and returns its index. */
  add(month: number, observation: Observation | null): number {
    const numbers = new Float64Array(NUMBERS).fill(NaN);
    const codes = new Uint8Array(CODES).fill(NONE);
    if (observation !== null) encode(observation, numbers, codes);
    this.months.push(observation === null ? 0 : month);
    this.numbersAt.push(this.numbers.add(numbers));
    this.codesAt.push(this.codes.add(codes));
    return this.size++;
  }

  /** The month of the observation at an index; 0 where there is none. */
  monthAt(index: number): number {
    return this.months[index]!;
  }

  /** A number of the observation at an index; null where it has none. */
  numberAt(index: number, field: IndicatorField): number | null {
    return this.number(index, NUMBER_OF[field]);
  }

  /** The class of IFPA of the observation at an index; null where it has none. */
  ifpaClassAt(index: number): IfpaClass | null {
    return IFPA_CLASSES[this.code(index, IFPA_CLASS_AT)] ?? null;
  }

  /** The class of ALPS of the observation at an index; null where it has none. */
  alpsClassAt(index: number): AlpsClass | null {
    return ALPS_CLASSES[this.code(index, ALPS_CLASS_AT)] ?? null;
  }

  /** The observation at an index, which must have one. */
  get(index: number): Observation {
    const observation: Observation = {
      date: isoFromDay(firstDayOfMonth(this.monthAt(index))),
      reasons: {},
    };
    const numbers: Partial<Record<NumberField, number | null>> = observation;
    for (const [offset, field] of PLAIN.entries()) numbers[field] = this.number(index, offset);
    observation.ifpa = {
      value: this.number(index, IFPA_AT),
      quarterly: this.number(index, IFPA_AT + 1),
      annual: this.number(index, IFPA_AT + 2),
      class: this.ifpaClassAt(index),
      provisional: this.flag(index, PROVISIONAL_AT),
      weak: this.flag(index, WEAK_AT),
    };
    observation.alps = {
      value: this.number(index, ALPS_AT),
      expected: this.number(index, ALPS_AT + 1),
      class: this.alpsClassAt(index),
    };
    for (const [offset, field] of INDICATOR_FIELDS.entries()) {
      const reason = REASONS[this.code(index, offset)];
      if (reason !== undefined) observation.reasons[field] = reason;
    }
    return observation;
  }

  private number(index: number, offset: number): number | null {
    const value = this.numbers.at(this.numbersAt[index]! + offset);
    return Number.isNaN(value) ? null : value;
  }

  private code(index: number, offset: number): number {
    return this.codes.at(this.codesAt[index]! + offset);
  }

  private flag(index: number, offset: number): boolean | null {
    const code = this.code(index, offset);
    return code === NONE ? null : code === 1;
  }
}

function encode({ reasons, ...observation }: Observation, numbers: Float64Array, codes: Uint8Array): void {
  for (const [index, field] of PLAIN.entries()) numbers[index] = observation[field] ?? NaN;
  for (const [index, field] of INDICATOR_FIELDS.entries()) {
    const reason = reasons[field];
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
