import { isNearCountry } from '../../lib/codes/country-boxes.js';
import { RULES } from './rule-table.js';

/** A position in degrees. */
export interface Position {
  readonly latitude: number;
  readonly longitude: number;
}

/** What may have happened to a position outside of its country. */
interface PositionOutside {
  /** Both are 0, which stands for a missing position. */
  readonly isZero: boolean;
  /** Positions in the country that differ by their order or a sign only. */
  readonly fitting: readonly Position[];
}

/**
 * What is wrong with the position of a market far outside of its country.
 * @returns null for one in or near it, and for a country whose shape is not known
 */
export function positionOutside(iso3: string, position: Position): PositionOutside | null {
  const isNear = ({ latitude, longitude }: Position) =>
    isNearCountry(iso3, latitude, longitude, RULES.position_outside.thresholds.degrees);
  if (isNear(position) !== false) return null;
  const { latitude, longitude } = position;
  const isZero = latitude === 0 && longitude === 0;
  const candidates = isZero
    ? []
    : [
        { latitude: longitude, longitude: latitude },
        { latitude: -latitude, longitude },
        { latitude, longitude: -longitude },
        { latitude: -latitude, longitude: -longitude },
      ];
  return { isZero, fitting: candidates.filter(isNear) };
}
