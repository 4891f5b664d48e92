import { columnsOf, omitColumns } from '../../platform/formats/columns.js';
import type { Column } from '../../platform/formats/listing.js';
import type { Sort } from '../../platform/listing/sort.js';
import { ApiSchema, ArrayOf, Nested, OrNull } from '../../platform/validation/field.js';
import { Count, Decimal, Flag, Id, Text } from '../../platform/validation/fields.js';
import { IntersectionType, PickType } from '../../platform/validation/mapped-types.js';
import { PriceWarning } from './price-warning.js';
import { absentKeyFields } from './warning-listing.js';
import type { WarningGrouping } from './warning-groups.js';

/** A commodity with some series of a group. */
export class ChangedCommodity {
  @Id() commodity_id!: number;
  @Text() commodity!: string;
  @Count() series!: number;
}

const share = (when: string) =>
  Decimal({ description: `\`high\` ÷ \`rated\` ${when}; null where fewer than three are rated` });
const rated = (when: string) => Count({ description: `As \`rated\`, ${when}` });
const high = (when: string) => Count({ description: `As \`high\`, ${when}` });

class WarningReach {
  @Flag({
    description:
      'The food prices of the country end more than three months before the newest month that a quarter of the countries reach',
  })
  old!: boolean;
}

/** How many prices of a group are high in a month, and before, as replies show it. */
@ApiSchema()
export class PriceWarningChange extends IntersectionType(
  PickType(PriceWarning, [
    'iso3_country_code',
    'country_name',
    'category',
    'commodity_id',
    'commodity',
    'month',
  ]),
  WarningReach,
  PickType(PriceWarning, ['fresh', 'rated', 'high']),
) {
  @OrNull(share('in the month')) share!: number | null;
  @rated('a month before') rated_1m_ago!: number;
  @high('a month before') high_1m_ago!: number;
  @OrNull(share('a month before')) share_1m_ago!: number | null;
  @rated('a year before') rated_12m_ago!: number;
  @high('a year before') high_12m_ago!: number;
  @OrNull(share('a year before')) share_12m_ago!: number | null;
  @Count({ description: 'Series that are rated in both months, and high in this one alone' })
  newly_high!: number;
  @Count({ description: 'Series that are rated in both months, and high in the month before alone' })
  no_longer_high!: number;
  @ArrayOf(Nested(ChangedCommodity), { description: 'Of most series first, then by name' })
  newly_high_commodities!: readonly ChangedCommodity[];
  @ArrayOf(Nested(ChangedCommodity), { description: 'Of most series first, then by name' })
  no_longer_high_commodities!: readonly ChangedCommodity[];
}

/** The order of severity: the largest share of high prices first, and old prices last. */
export const BY_SEVERITY: Sort = [
  { column: 'old', descending: false },
  { column: 'share', descending: true },
  { column: 'rated', descending: true },
];

/** The columns that these lists can have. */
export const allWarningChangeColumns = columnsOf(PriceWarningChange);

/** The columns of a list of these. */
export const warningChangeColumnsBy = (grouping: WarningGrouping): Column[] =>
  omitColumns(allWarningChangeColumns, absentKeyFields(grouping));
