import type { ReferenceEntity } from '../../reference/base/reference.entity.js';
import { ReferenceTable } from '../../reference/base/reference-table.js';
import type { ReferenceDto } from '../../reference/base/write-fields.js';
import { CommodityDto } from '../../reference/commodity/commodity.dto.js';
import { MarketDto } from '../../reference/market/market.dto.js';
import { MeasureUnitDto } from '../../reference/measure-unit/measure-unit.dto.js';
import { PriceTypeDto } from '../../reference/price-type/price-type.dto.js';
import { SourceDto } from '../../reference/source/source.dto.js';
import { isBuiltInPriceType, type MergeRule, ownPriceType, sameQuantity } from './merge-rules.js';
import type { MergedTable } from './record-merging.js';

function merged<E extends ReferenceEntity>(
  dto: ReferenceDto,
  rule: MergeRule<E> = () => undefined,
): MergedTable {
  const { name, statements } = new ReferenceTable(dto);
  return { name, statements, rule } as unknown as MergedTable;
}

/** A table whose records can be merged has a line here. */
export const mergedTables: readonly MergedTable[] = [
  merged(MarketDto),
  merged(CommodityDto),
  merged(SourceDto),
  merged(MeasureUnitDto, sameQuantity),
  merged(PriceTypeDto, ownPriceType),
];

const PRICE_TYPES = new ReferenceTable(PriceTypeDto).name;

/** Whether a record may be merged into another one of its table. @param table its path segment */
export const isMergeable = (table: string, id: number): boolean =>
  mergedTables.some(({ name }) => name === table) && !(table === PRICE_TYPES && isBuiltInPriceType(id));
