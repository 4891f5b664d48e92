import type { CatalogueSnapshot } from '../catalogue/catalogue-snapshot.js';
import type { SeriesReferences, SeriesReferenceTable } from '../catalogue/reference-dictionaries.js';
import { ApiSchema, WithSchema } from '../../platform/validation/field.js';
import { Count, Text } from '../../platform/validation/fields.js';

/** A value of a facet: what its filter takes, the name of that, and how many series have it. */
@ApiSchema()
export class FacetValue {
  @WithSchema<string | number>({
    type: ['string', 'integer'],
    description: 'The value that the filter takes',
  })
  readonly value!: string | number;
  @Text() readonly name!: string;
  @Count({ description: 'Series with this value' }) readonly count!: number;
}

/** A property of series whose values are counted. */
interface Facet {
  readonly column: SeriesReferenceTable | 'currency';
  /** By index of the column: equal for those that the filter treats as equal; else all differ. */
  readonly groups?: (catalogue: CatalogueSnapshot) => ArrayLike<number>;
  readonly describe: (catalogue: CatalogueSnapshot, index: number) => Omit<FacetValue, 'count'>;
}

const recordFacet = <T extends SeriesReferenceTable>(column: T): Facet => ({
  column,
  describe(catalogue, index) {
    const { id, name }: SeriesReferences[SeriesReferenceTable] = catalogue.dictionaries.of(column).at(index);
    return { value: id, name };
  },
});

const textValue = (value: string) => ({ value, name: value });

/** The facets, each under the name of its filter; that of `periodicity` is no column. */
export const facets = {
  iso3_country_codes: {
    column: 'market',
    groups: ({ dictionaries }) => dictionaries.marketIndex.countryOf,
    describe({ dictionaries: { marketIndex } }, index) {
      const country = marketIndex.countryOf[index]!;
      return { value: marketIndex.countries[country]!, name: marketIndex.countryLabels[country]! };
    },
  },
  commodity_ids: recordFacet('commodity'),
  categories: {
    column: 'commodity',
    groups: ({ dictionaries }) => dictionaries.commodityIndex.category.codes,
    describe: ({ dictionaries }, index) => textValue(dictionaries.of('commodity').at(index).category.trim()),
  },
  price_types_ids: recordFacet('price_type'),
  market_types: {
    column: 'market',
    groups: ({ dictionaries }) => dictionaries.marketIndex.type.codes,
    describe: ({ dictionaries }, index) => textValue(dictionaries.of('market').at(index).type.trim()),
  },
  sources_ids: recordFacet('source'),
  currencies: { column: 'currency', describe: ({ currencies }, index) => textValue(currencies[index]!) },
} as const satisfies Record<string, Facet>;

export type FacetName = keyof typeof facets;

export const facetNames = Object.keys(facets) as FacetName[];

/**
 * How many of the series at these rows have each value of a facet: most first, then by name, then
 * by value. Of texts that the filter treats as equal, the spelling is that of the oldest record.
 */
export function countFacet(catalogue: CatalogueSnapshot, name: FacetName, rows: Uint32Array): FacetValue[] {
  const { column, groups, describe }: Facet = facets[name];
  const size = column === 'currency' ? catalogue.currencies.length : catalogue.dictionaries.of(column).size;
  const counts = new Uint32Array(size);
  const indexes = catalogue.columns[column];
  for (let row = 0; row < rows.length; row++) counts[indexes[rows[row]!]!]!++;

  const groupOf = groups?.(catalogue);
  const found = new Map<number, { index: number; count: number }>();
  for (let index = 0; index < size; index++) {
    if (counts[index] === 0) continue;
    const group = groupOf?.[index] ?? index;
    const earlier = found.get(group);
    if (earlier === undefined) found.set(group, { index, count: counts[index]! });
    else earlier.count += counts[index]!;
  }
  return Array.from(found.values(), ({ index, count }) => ({ ...describe(catalogue, index), count })).sort(
    inOrder,
  );
}

/** Most series first, then by name, then by value. */
export const inOrder = (one: FacetValue, other: FacetValue) =>
  other.count - one.count || compare(one.name, other.name) || compare(one.value, other.value);

const compare = <T extends string | number>(one: T, other: T) => (one < other ? -1 : Number(one > other));
