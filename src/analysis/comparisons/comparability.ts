import { ValidationError } from '../../platform/errors/api-error.js';
import type { CatalogueSnapshot } from '../../price-series/catalogue/catalogue-snapshot.js';
import { currencyOf } from '../aggregates/dimensions.js';
import { type Measure, MEASURES, type Per, PER } from '../price-columns.js';
import { quantityOf } from '../series-label.js';
import { OneOf, Text } from '../../platform/validation/fields.js';

/** How two prices are compared: a ÷ b, or a − b. */
export const FORMULAS = ['ratio', 'difference'] as const;
export type Formula = (typeof FORMULAS)[number];

/** In which money, and per how much, two series are compared. */
export class ComparisonTerms {
  @OneOf(FORMULAS) readonly formula!: Formula;
  @OneOf(MEASURES, { description: 'In dollars where the currencies differ' })
  readonly measure!: Measure;
  @OneOf(PER) readonly per!: Per;
  @Text({ description: 'The currency of both prices' }) readonly currency!: string;
  @Text({ description: 'What the values are in' }) readonly unit!: string;
}

/** The measure in dollars that stands for one in the currency of a series. */
export const IN_DOLLARS: Record<Measure, Measure> = {
  nominal: 'usd',
  real: 'real_usd',
  usd: 'usd',
  real_usd: 'real_usd',
};

/**
 * The terms in which two series of a catalogue are compared: in their currency, or in dollars where
 * theirs differ. A ratio keeps the unit of each price. A difference is per unit where they have the
 * same, and else per kilogram or litre.
 * @param rows of a and b
 * @param asked what the request asks for
 * @throws ValidationError `not_comparable`, for a difference of prices without a common base unit
 */
export function termsOf(
  catalogue: CatalogueSnapshot,
  [a, b]: readonly [number, number],
  asked: Pick<ComparisonTerms, 'formula' | 'measure' | 'per'>,
): ComparisonTerms {
  const { formula } = asked;
  const sameCurrency = catalogue.currencyAt(a) === catalogue.currencyAt(b);
  const measure = sameCurrency ? asked.measure : IN_DOLLARS[asked.measure];
  const currency = currencyOf(catalogue, a, measure);
  if (formula === 'ratio') {
    const { per } = asked;
    const unit = `${quantityOf(catalogue, b, per)} of b per ${quantityOf(catalogue, a, per)} of a`;
    return { formula, measure, per, currency, unit };
  }
  const [unitOfA, unitOfB] = [a, b].map((row) => catalogue.referenceAt('measure_unit', row));
  const per = unitOfA!.id === unitOfB!.id ? asked.per : 'base';
  if (per === 'base') requireBaseUnit(unitOfA!, unitOfB!);
  return { formula, measure, per, currency, unit: `${currency}/${quantityOf(catalogue, a, per)}` };
}

/** What the prices of a series are per. */
export interface Unit {
  readonly name: string;
  readonly dimension: string;
  readonly conversion_factor: number | null;
}

/** Checks that both prices can be given per kilogram, or both per litre. */
function requireBaseUnit(a: Unit, b: Unit): void {
  if (haveCommonBase([a, b])) return;
  const without = [...new Set([a, b].filter((unit) => !hasBaseUnit(unit)).map(({ name }) => name))];
  const why =
    without.length > 0
      ? `${without.join(' and ')} cannot be converted to kilograms or litres`
      : `${a.name} is a unit of ${a.dimension}, ${b.name} of ${b.dimension}`;
  const detail =
    `A difference needs a common unit: ${why}. ` +
    'Comparable are series per the same unit, both per units of mass, or both per units of volume; ' +
    'formula=ratio compares these two.';
  throw new ValidationError([{ in: 'query', name: 'uuids', code: 'not_comparable', detail }]);
}

/** Whether prices can all be given per kilogram, or all per litre. */
export const haveCommonBase = (units: readonly Unit[]): boolean =>
  units.every((unit) => hasBaseUnit(unit) && unit.dimension === units[0]!.dimension);

const hasBaseUnit = ({ dimension, conversion_factor }: Unit) =>
  conversion_factor !== null && (dimension === 'mass' || dimension === 'volume');
