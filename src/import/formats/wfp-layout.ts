import { fieldsUpTo } from '../tables/table-file.js';
import { type HeaderLayout, wrongHeader } from './header-problem.js';

/** The columns by which WFP's layouts are read. One that a layout does not have is not read. */
interface WfpColumns {
  readonly iso3?: string;
  readonly countryName?: string;
  readonly admin_unit: string;
  readonly admin_unit2?: string;
  readonly market: string;
  readonly code?: string;
  readonly latitude?: string;
  readonly longitude?: string;
  readonly category?: string;
  readonly commodity: string;
  readonly unit: string;
  readonly flag?: string;
  readonly type: string;
  readonly currency: string;
  readonly price: string;
  readonly date?: string;
  readonly month?: string;
  readonly year?: string;
  readonly comment?: string;
}

/** A layout of WFP's price files. */
interface WfpLayout extends HeaderLayout {
  readonly name: string;
  readonly columns: WfpColumns;
}

/** WFP's layouts. Each may have more columns than it requires. */
const LAYOUTS: readonly WfpLayout[] = [
  {
    name: 'that of HDX since 2021',
    required: [
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
    ],
    optional: null,
    columns: {
      iso3: 'countryiso3',
      admin_unit: 'admin1',
      admin_unit2: 'admin2',
      market: 'market',
      code: 'market_id',
      latitude: 'latitude',
      longitude: 'longitude',
      category: 'category',
      commodity: 'commodity',
      unit: 'unit',
      flag: 'priceflag',
      type: 'pricetype',
      currency: 'currency',
      price: 'price',
      date: 'date',
    },
  },
  {
    name: 'that of HDX from 2018 to 2021',
    required: ['date', 'cmname', 'unit', 'category', 'price', 'currency', 'country', 'admname', 'mktname'],
    optional: null,
    columns: {
      countryName: 'country',
      admin_unit: 'admname',
      market: 'mktname',
      code: 'mktid',
      category: 'category',
      commodity: 'cmname',
      unit: 'unit',
      // The end of the name: `Rice - Retail`.
      type: 'cmname',
      currency: 'currency',
      price: 'price',
      date: 'date',
    },
  },
  {
    name: "WFP's older VAM layout",
    required: [
      'adm1_name',
      'mkt_name',
      'cm_name',
      'cur_name',
      'pt_name',
      'um_name',
      'mp_month',
      'mp_year',
      'mp_price',
    ],
    optional: null,
    columns: {
      countryName: 'adm0_name',
      admin_unit: 'adm1_name',
      market: 'mkt_name',
      code: 'mkt_id',
      commodity: 'cm_name',
      unit: 'um_name',
      type: 'pt_name',
      currency: 'cur_name',
      price: 'mp_price',
      month: 'mp_month',
      year: 'mp_year',
      comment: 'mp_commoditysource',
    },
  },
];

/** The accepted layouts, for error messages. */
const WFP_LAYOUTS =
  'WFP food prices from HDX (date,admin1,admin2,market,…,price; with or without ids, countryiso3 and a row of HXL tags; ' +
  'or, of 2018 to 2021, date,cmname,unit,category,price,…) ' +
  'or the older VAM layout (adm0_id,adm0_name,…,mp_price,mp_commoditysource; comma or semicolon)';

/** Detects the layout of a file by its header. @throws ImportRejected for any other layout */
export function detectLayout(columnNames: readonly string[]) {
  const header = columnNames.map((name) => name.toLowerCase());
  const layout = LAYOUTS.find(({ required }) => required.every((name) => header.includes(name)));
  if (layout === undefined) throw wrongHeader('wfp', header, LAYOUTS, WFP_LAYOUTS);
  const { columns: names, required } = layout;
  const column = (name: string | undefined) => (name === undefined ? -1 : header.indexOf(name));
  return {
    /** Index of each column, -1 where the layout does not have it. */
    columns: {
      iso3: column(names.iso3),
      countryName: column(names.countryName),
      admin_unit: column(names.admin_unit),
      admin_unit2: column(names.admin_unit2),
      market: column(names.market),
      code: column(names.code),
      latitude: column(names.latitude),
      longitude: column(names.longitude),
      category: column(names.category),
      commodity: column(names.commodity),
      unit: column(names.unit),
      flag: column(names.flag),
      type: column(names.type),
      currency: column(names.currency),
      price: column(names.price),
      date: column(names.date),
      month: column(names.month),
      year: column(names.year),
      comment: column(names.comment),
    },
    /** Names of the columns that describe a series, for violations. */
    columnNames: {
      admin_unit: names.admin_unit,
      admin_unit2: names.admin_unit2 ?? '',
      market: names.market,
      code: names.code ?? '',
      commodity: names.commodity,
      category: names.category ?? '',
      price_type: names.type,
      measure_unit: names.unit,
    },
    countryColumn: names.countryName ?? 'countryiso3',
    currencyColumn: names.currency,
    priceColumn: names.price,
    /** Whether the price type is the end of the commodity's name. */
    hasTypeInName: names.type === names.commodity,
    /** Fields that a line must have: those after the last required column are optional. */
    minFields: fieldsUpTo(header, required),
  };
}

/** Splits `Rice - Retail` into commodity and price type; null where there is no type. */
export function splitCommodity(text: string): { commodity: string; type: string } | null {
  const at = text.lastIndexOf(' - ');
  return at < 0 ? null : { commodity: text.slice(0, at), type: text.slice(at + 3) };
}
