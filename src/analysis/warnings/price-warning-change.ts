import { columnsOf, omitColumns } from '../../platform/formats/columns.js';
import type { Column } from '../../platform/formats/listing.js';
import type { Sort } from '../../platform/listing/sort.js';
import { ApiSchema, ArrayOf, Nested, Optional, OrNull } from '../../platform/validation/field.js';
import { Count, Decimal, Flag, Id, Iso3, Text } from '../../platform/validation/fields.js';
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

/** How many prices of a group are high in a month, and before, as replies show it. */
@ApiSchema()
export class PriceWarningChange {
  @Iso3() iso3_country_code!: string;
  @Text() country_name!: string;
  @Optional(Text()) category?: string;
  @Optional(Id()) commodity_id?: number;
  @Optional(Text()) commodity?: string;
  @Text({ description: '`YYYY-MM`' }) month!: string;
  @Flag({
    description:
      'The food prices of the country end more than three months before the newest month that a quarter of the countries reach',
  })
  old!: boolean;
  @Count({ description: 'Series whose newest price is of this month or the two before' }) fresh!: number;
  @Count({ description: 'Fresh series with a class, by IFPA or ALPS' }) rated!: number;
  @Count({
    description: 'Of the rated series, those whose price is high: IFPA `high`, or ALPS `alert` or `crisis`',
  })
  high!: number;
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
