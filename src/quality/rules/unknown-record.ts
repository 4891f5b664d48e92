/** A record of a table that rules about new units and price types look at. */
export interface AutoCreatedRecord {
  readonly name: string;
  /** Whether an import has created it. */
  readonly byImport: boolean;
  /** Of a unit: price × factor = price per kilogram or litre; null if unknown. */
  readonly factor: number | null;
}

/** Whether an import has created the unit without a factor, as it could not read its name. */
export const isUnknownUnit = ({ byImport, factor }: AutoCreatedRecord): boolean =>
  byImport && factor === null;

/** Whether a price type is one that an import has created: none is built in, or a maintainer's. */
export const isUnknownType = ({ byImport }: AutoCreatedRecord): boolean => byImport;
