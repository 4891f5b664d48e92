import { ImportRejected } from './batch.js';
import type { Columns } from './series.js';

/** The columns by which WFP's layouts are told: that of HDX and the older one of VAM. Either may have others. */
const HDX = [
  'date',
  'admin1',
  'admin2',
  'market',
  'latitude',
  'longitude',
  'category',
  'commodity',
  'unit',
  'priceflag',
  'pricetype',
  'currency',
  'price',
];
const VAM = [
  'adm1_name',
  'mkt_name',
  'cm_name',
  'cur_name',
  'pt_name',
  'um_name',
  'mp_month',
  'mp_year',
  'mp_price',
];

/** One line on what the reader takes, for refusals. */
const KNOWN =
  'WFP food prices from HDX (date,admin1,admin2,market,…,price; with or without ids, countryiso3 and a row of HXL tags) ' +
  'or the older VAM layout (adm0_id,adm0_name,…,mp_price,mp_commoditysource; comma or semicolon)';

/** Where a layout keeps each fact: the column's position, -1 where it has none. */
export interface Positions {
  readonly iso3: number;
  readonly countryName: number;
  readonly admin_unit: number;
  readonly admin_unit2: number;
  readonly market: number;
  readonly code: number;
  readonly latitude: number;
  readonly longitude: number;
  readonly category: number;
  readonly commodity: number;
  readonly unit: number;
  readonly flag: number;
  readonly type: number;
  readonly currency: number;
  readonly price: number;
  readonly date: number;
  readonly month: number;
  readonly year: number;
  readonly comment: number;
}

/** Which columns a file has. */
export interface WfpLayout {
  readonly at: Positions;
  /** What it calls the texts of a series. */
  readonly names: Columns;
  readonly priceColumn: string;
}

/**
 * The layout of a file, by its header.
 * @throws ImportRefused for another
 */
export function layoutOf(columnNames: readonly string[]): WfpLayout {
  const header = columnNames.map((name) => name.toLowerCase());
  const hasAll = (names: readonly string[]) => names.every((name) => header.includes(name));
  const legacy = !hasAll(HDX);
  if (legacy && !hasAll(VAM))
    throw new ImportRejected(`The input is not of the format wfp. It takes ${KNOWN}.`);
  const column = (hdx: string, vam: string) => header.indexOf(legacy ? vam : hdx);
  return {
    at: {
      iso3: column('countryiso3', '-'),
      countryName: column('-', 'adm0_name'),
      admin_unit: column('admin1', 'adm1_name'),
      admin_unit2: column('admin2', '-'),
      market: column('market', 'mkt_name'),
      code: column('market_id', 'mkt_id'),
      latitude: column('latitude', '-'),
      longitude: column('longitude', '-'),
      category: column('category', '-'),
      commodity: column('commodity', 'cm_name'),
      unit: column('unit', 'um_name'),
      flag: column('priceflag', '-'),
      type: column('pricetype', 'pt_name'),
      currency: column('currency', 'cur_name'),
      price: column('price', 'mp_price'),
      date: column('date', '-'),
      month: column('-', 'mp_month'),
      year: column('-', 'mp_year'),
      comment: column('-', 'mp_commoditysource'),
    },
    names: {
      admin_unit: legacy ? 'adm1_name' : 'admin1',
      admin_unit2: 'admin2',
      market: legacy ? 'mkt_name' : 'market',
      code: legacy ? 'mkt_id' : 'market_id',
      commodity: legacy ? 'cm_name' : 'commodity',
      category: 'category',
      price_type: legacy ? 'pt_name' : 'pricetype',
      measure_unit: legacy ? 'um_name' : 'unit',
    },
    priceColumn: legacy ? 'mp_price' : 'price',
  };
}
