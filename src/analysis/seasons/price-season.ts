import { columnsOf, omitColumns } from '../../platform/formats/columns.js';
import type { Column } from '../../platform/formats/listing.js';
import { ApiSchema, ArrayOf, OrNull } from '../../platform/validation/field.js';
import { Count, Decimal, OneOf } from '../../platform/validation/fields.js';
import { type Dimension, DIMENSIONS, groupColumns } from '../aggregates/dimensions.js';
import { GroupIdentity } from '../aggregates/group-identity.js';
import type { Measure } from '../price-columns.js';

/** What the seasonal indices of a group can be of. */
const SEASON_BASES = ['index', 'median'] as const;

const month = () => Count({ description: '1 for January, to 12 for December' });
const ofMonth = () => Decimal({ description: 'Its seasonal index' });

/** In which months the prices of a group are dear and cheap, as replies show it. */
@ApiSchema()
export class PriceSeason extends GroupIdentity {
  @Count({ description: 'Series of the group with a price in any month that can be converted' })
  series!: number;
  @OrNull(
    OneOf(SEASON_BASES, {
      description:
        'What the indices are of: the index of the group in its newest segment, or its median where that is too short; null, as all that follows, where both are',
    }),
  )
  of!: (typeof SEASON_BASES)[number] | null;
  @OrNull(Count({ description: 'Years that each seasonal index is the mean of, at least' }))
  years!: number | null;
  @OrNull(month()) dearest_month!: number | null;
  @OrNull(ofMonth()) dearest!: number | null;
  @OrNull(month()) cheapest_month!: number | null;
  @OrNull(ofMonth()) cheapest!: number | null;
  @OrNull(ArrayOf(Decimal()), {
    description: 'The seasonal indices of January to December; 1 on average',
  })
  seasonal!: number[] | null;
  @OrNull(ArrayOf(Decimal()), {
    description: 'The standard deviation of what each index is the mean of',
  })
  sd!: number[] | null;
}

const SEASON_COLUMNS = omitColumns(
  columnsOf(PriceSeason),
  columnsOf(GroupIdentity).map(({ name }) => name),
);

/** The columns of a list of seasons. */
export const seasonColumnsBy = (dimensions: readonly Dimension[], measure: Measure): Column[] => [
  ...groupColumns(dimensions, measure),
  ...SEASON_COLUMNS,
];

/** The columns that lists of seasons can have. */
export const allSeasonColumns = seasonColumnsBy(DIMENSIONS, 'real');
