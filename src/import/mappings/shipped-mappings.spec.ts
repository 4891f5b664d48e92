import { chunksOf, collect } from '../../../test/support/import-input.js';
import { isoFromDay } from '../../lib/dates/calendar-date.js';
import { PERIOD_NAMES } from '../../price-series/periodicity.js';
import { detectFormat } from '../formats/detect-format.js';
import { importFormats } from '../formats/index.js';
import type { PriceRow, SeriesDescriptor } from '../formats/series.js';
import type { TableRecord } from '../formats/table-rows.js';
import { validateMapping } from './mapping.js';
import { shippedMappings } from './shipped-mappings.js';

/** A made-up file in the form of each, with what is read of it. */
const FILES: Record<string, { text: string; rows: string[]; skipped?: Record<string, number> }> = {
  'fews-net': {
    text: `country,market,admin_1,longitude,latitude,cpcv2,product,source_document,period_date,price_type,product_source,unit,unit_type,currency,value
Zimbabwe,"Alpha, Main",North,28.5,-20.1,P1,Bread,"FEWS NET, Price (USD)",2019-01-31,Retail,Local,700_g,Weight,USD,1.05
Zimbabwe,"Alpha, Main",North,28.5,-20.1,P1,Bread,"FEWS NET, Price (USD)",2019-02-28,Retail,Local,700_g,Weight,USD,
Zimbabwe,"Alpha, Main",North,28.5,-20.1,P2,Diesel,"FEWS NET, Price (USD)",2019-02-28,Wholesale,Local,L,Volume,USD,1.3
`,
    rows: [
      'ZWE|North||Alpha, Main|Bread|RETAIL|FEWS NET|700 g|USD|2019-01-01|monthly|1.05',
      'ZWE|North||Alpha, Main|Diesel|WHOLESALE|FEWS NET|L|USD|2019-02-01|monthly|1.3',
    ],
    skipped: { no_value: 1 },
  },
  'hdx-hapi': {
    text: `location_code,has_hrp,in_gho,provider_admin1_name,provider_admin2_name,admin1_code,admin1_name,admin2_code,admin2_name,admin_level,market_code,market_name,commodity_code,commodity_name,commodity_category,currency_code,unit,price_flag,price_type,price,lat,lon,reference_period_start,reference_period_end
#country+code,#meta+has_hrp,#meta+in_gho,#adm1+name+provider,#adm2+name+provider,#adm1+code,#adm1+name,#adm2+code,#adm2+name,#admin_level,#loc+market+code,#loc+market+name,#item+code,#item+name,#item+type,#currency+code,#item+unit,#item+price+flag,#item+price+type,#item+price,#geo+lat,#geo+lon,#date+start,#date+end
MLI,True,True,Kayes,Nioro,ML01,Kayes,ML0101,Nioro,2,17,Beta,52,Rice,cereals and tubers,XOF,KG,actual,Retail,450.5,14.4,-11.4,2024-01-01T00:00:00,2024-01-31T00:00:00
MLI,True,True,Kayes,Nioro,ML01,Kayes,ML0101,Nioro,2,17,Beta,52,Rice,cereals and tubers,XOF,KG,forecast,Retail,460,14.4,-11.4,2024-02-01T00:00:00,2024-02-29T00:00:00
`,
    rows: ['MLI|Kayes|Nioro|Beta|Rice|RETAIL|World Food Programme (WFP)|KG|XOF|2024-01-01|monthly|450.5'],
    skipped: { hxl_tags: 1, left_out: 1 },
  },
  agmarknet: {
    text: `State,District,Market,Commodity,Variety,Grade,Arrival_Date,Min_x0020_Price,Max_x0020_Price,Modal_x0020_Price
Kerala,Kannur,Gamma,Onion,Big,FAQ,05/02/2024,2000,2400,2250
`,
    rows: ['IND|Kerala|Kannur|Gamma|Onion, Big|WHOLESALE|AGMARKNET|100 KG|INR|2024-02-05|daily|2250'],
  },
  'ecb-rates': {
    text: 'Date,USD,JPY,XYZ,EEK,\n2024-02-06,1.25,160,5,N/A,\n',
    rows: [
      'EUR|2024-02-06|daily|0.8|European Central Bank',
      'JPY|2024-02-06|daily|128|European Central Bank',
    ],
    skipped: { no_value: 1 },
  },
  'fred-rates': {
    text: 'observation_date,DEXINUS\n2024-02-06,83.05\n2024-02-07,\n2024-02-08,.\n',
    rows: ['INR|2024-02-06|daily|83.05|Federal Reserve H.10'],
    skipped: { no_value: 2 },
  },
};

function shown(row: PriceRow | TableRecord): string {
  if ('values' in row) {
    const { currency, date, period, rate, source } = row.values;
    return [currency, date, period, rate, source].join('|');
  }
  const { market, commodity, price_type, source, measure_unit, currency } = row.series as SeriesDescriptor;
  return [
    ...[market.iso3_country_code, market.admin_unit, market.admin_unit2, market.name, commodity.name],
    ...[price_type, source.name, measure_unit.name, currency],
    ...[isoFromDay(row.day), PERIOD_NAMES[row.period], row.value],
  ].join('|');
}

describe.each([...shippedMappings])('%s', (name, mapping) => {
  const { text, rows, skipped = {} } = FILES[name]!;

  it('is a valid mapping', () => expect(validateMapping(mapping)).toEqual({ value: mapping }));

  it('reads a file of its form', async () => {
    const found = await collect(importFormats[name]!(chunksOf(text), {}));
    expect(found.rejects).toEqual([]);
    expect(found.rows.map((row) => shown(row as PriceRow | TableRecord))).toEqual(rows);
    expect(found.skipped).toEqual(skipped);
  });

  it('is recognised by its header, and no other file is taken for it', async () => {
    expect(await detectFormat([Buffer.from(text)])).toBe(name);
    await expect(detectFormat([Buffer.from('Date,Price\n2024-01-01,5\n')])).rejects.toThrow(
      'in none of the formats',
    );
  });
});
