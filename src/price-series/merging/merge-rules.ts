import { BuiltIn, NotComparable } from '../../platform/errors/api-error.js';
import type { MeasureUnit } from '../../reference/measure-unit/measure-unit.entity.js';
import type { PriceType } from '../../reference/price-type/price-type.entity.js';

/** Checks whether a record may be merged into another one, and throws if not. */
export type MergeRule<R> = (from: R, into: R) => void;

/** The first id of a price type that is not built in. */
const FIRST_OWN_PRICE_TYPE = 18;

/** Whether the service and its clients rely on a price type. */
export const isBuiltInPriceType = (id: number): boolean => id < FIRST_OWN_PRICE_TYPE;

/** @throws BuiltIn */
export const ownPriceType: MergeRule<PriceType> = ({ id }) => {
  if (isBuiltInPriceType(id)) throw new BuiltIn(`Price type ${id} is built in and stays.`);
};

/**
 * Prices in one unit must be prices in the other one.
 * @throws NotComparable
 */
export const sameQuantity: MergeRule<MeasureUnit> = (from, into) => {
  if (from.dimension === into.dimension && from.conversion_factor === into.conversion_factor) return;
  throw new NotComparable('The dimensions or conversion factors of the two units differ.', ['into']);
};
