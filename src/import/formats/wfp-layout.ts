import { WrongFormat } from './batch.js';
import { headerMessage } from './header-problem.js';

/** The required columns of WFP's layouts, HDX's and the older VAM's. Either may have more. */
const HDX_COLUMNS = [
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
const VAM_COLUMNS = [
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

/** The accepted layouts, for error messages. */
const WFP_LAYOUTS =
  'WFP food prices from HDX (date,admin1,admin2,market,…,price; with or without ids, countryiso3 and a row of HXL tags) ' +
  'or the older VAM layout (adm0_id,adm0_name,…,mp_price,mp_commoditysource; comma or semicolon)';

/** The layouts, for messages about headers. */
const LAYOUTS = [
  { required: HDX_COLUMNS, optional: null },
  { required: VAM_COLUMNS, optional: null },
];

/** Detects the layout of a file by its header. @throws ImportRejected for any other layout */
export function detectLayout(columnNames: readonly string[]) {
  const header = columnNames.map((name) => name.toLowerCase());
  const hasAll = (names: readonly string[]) => names.every((name) => header.includes(name));
  const isLegacy = !hasAll(HDX_COLUMNS);
  if (isLegacy && !hasAll(VAM_COLUMNS))
    throw new WrongFormat(headerMessage('wfp', header, LAYOUTS, WFP_LAYOUTS));
  const column = (hdx: string, vam: string) => header.indexOf(isLegacy ? vam : hdx);
  return {
    /** Index of each column, -1 where the layout does not have it. */
    columns: {
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
    /** Names of the columns that describe a series, for violations. */
    columnNames: {
      admin_unit: isLegacy ? 'adm1_name' : 'admin1',
      admin_unit2: 'admin2',
      market: isLegacy ? 'mkt_name' : 'market',
      code: isLegacy ? 'mkt_id' : 'market_id',
      commodity: isLegacy ? 'cm_name' : 'commodity',
      category: 'category',
      price_type: isLegacy ? 'pt_name' : 'pricetype',
      measure_unit: isLegacy ? 'um_name' : 'unit',
    },
    priceColumn: isLegacy ? 'mp_price' : 'price',
  };
}
