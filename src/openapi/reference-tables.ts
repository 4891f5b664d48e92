import { CommodityDto } from '../reference/commodity/commodity.dto.js';
import { CpiDto } from '../reference/cpi/cpi.dto.js';
import { FxRateDto } from '../reference/fx-rate/fx-rate.dto.js';
import { MarketDto } from '../reference/market/market.dto.js';
import { MeasureUnitDto } from '../reference/measure-unit/measure-unit.dto.js';
import { PriceTypeDto } from '../reference/price-type/price-type.dto.js';
import { SourceDto } from '../reference/source/source.dto.js';

/** What the OpenAPI document needs of a reference table. */
export interface ReferenceTableDoc {
  /** Path segment. */
  name: string;
  dto: object;
  /** The read field of each write field. */
  reads: Readonly<Record<string, string>>;
  /** A body that creates a record. */
  example: Readonly<Record<string, unknown>>;
}

const table = (
  name: string,
  dto: { readonly reads: object },
  example: Readonly<Record<string, unknown>>,
): ReferenceTableDoc => ({ name, dto, reads: dto.reads as Record<string, string>, example });

export const referenceTableDocs: readonly ReferenceTableDoc[] = [
  table('PriceType', PriceTypeDto, { price_type_name: 'FARM GATE' }),
  table('FxRate', FxRateDto, { fx_rate_currency: 'KES', fx_rate_date: '2026-10-01', fx_rate_rate: 129.25 }),
  table('Cpi', CpiDto, {
    cpi_iso3_country_code: 'KEN',
    cpi_date: '2026-10-01',
    cpi_value: 148.3,
    cpi_base_period: '2019',
  }),
  table('Market', MarketDto, {
    market_name: 'Wakulima',
    market_iso3_country_code: 'KEN',
    market_admin_unit: 'Nairobi',
  }),
  table('Commodity', CommodityDto, { commodity_name: 'Rice (Basmati, broken)', commodity_hs_code: '1006' }),
  table('Source', SourceDto, { source_name: 'Ministry of Agriculture' }),
  table('MeasureUnit', MeasureUnitDto, {
    measure_unit_name: '90 kg',
    measure_unit_dimension: 'mass',
    measure_unit_conversion_factor: 0.0111111111111111,
  }),
];
