import { columnsOf } from '../../platform/formats/columns.js';
import type { Column } from '../../platform/formats/listing.js';
import { ApiSchema, OrNull } from '../../platform/validation/field.js';
import { Count, Decimal, Text } from '../../platform/validation/fields.js';
import { type Dimension, DIMENSIONS, groupColumns } from '../aggregates/dimensions.js';
import { GroupIdentity } from '../aggregates/group-identity.js';
import type { Measure } from '../price-columns.js';

const change = (span: string) =>
  Decimal({
    description: `Geometric mean of the price ratios over ${span}, minus 1; null where fewer series than \`min_matched\` have both prices`,
  });
const matched = () => Count({ description: 'Series with a price in both months' });

/** How the prices of a group stand in a month, and how they have changed, as replies show it. */
@ApiSchema()
export class PriceChange extends GroupIdentity {
  @Text({ description: '`YYYY-MM`' }) month!: string;
  @Count({ description: 'Series of the group with a price in any month that can be converted' })
  series!: number;
  @Count({ description: 'Of these, the series with a price in the month' }) n!: number;
  @Decimal({ description: 'Of the prices of the month; of an even number, the mean of the middle two' })
  median!: number;
  @OrNull(change('a month')) change_1m!: number | null;
  @matched() matched_1m!: number;
  @OrNull(change('three months')) change_3m!: number | null;
  @matched() matched_3m!: number;
  @OrNull(change('twelve months')) change_12m!: number | null;
  @matched() matched_12m!: number;
}

const identity = new Set(columnsOf(GroupIdentity).map(({ name }) => name));
const CHANGE_COLUMNS = columnsOf(PriceChange).filter(({ name }) => !identity.has(name));

/** The columns of a list of changes. */
export const changeColumnsBy = (dimensions: readonly Dimension[], measure: Measure): Column[] => [
  ...groupColumns(dimensions, measure),
  ...CHANGE_COLUMNS,
];

/** The columns that lists of changes can have. */
export const allChangeColumns = changeColumnsBy(DIMENSIONS, 'real');
