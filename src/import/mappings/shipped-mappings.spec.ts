import { chunksOf, collect } from '../../../test/support/import-input.js';
import { SHIPPED_FILES, shippedFileName } from '../../../test/support/shipped-files.js';
import { iso3OfName } from '../../lib/codes/countries.js';
import { currenciesOf } from '../../lib/codes/country-currencies.js';
import { currencyLife, lifeRelation } from '../../lib/codes/currency-lives.js';
import { isoFromDay } from '../../lib/dates/calendar-date.js';
import { PERIOD_NAMES } from '../../price-series/periodicity.js';
import { detectFormat } from '../formats/detect-format.js';
import { importFormats } from '../formats/index.js';
import type { PriceRow, SeriesDescriptor } from '../formats/series.js';
import type { TableRecord } from '../formats/table-rows.js';
import { validateMapping } from './mapping.js';
import { shippedMappings } from './shipped-mappings.js';

/** What is read of the files. */
const EXPECTED: Record<string, { rows: string[]; skipped?: Record<string, number> }> = {
  'fews-net': {
    rows: [
      'ZWE|North||Alpha, Main|Bread|RETAIL|FEWS NET|700 g|USD|2019-01-01|monthly|1.05',
      'ZWE|North||Alpha, Main|Diesel|WHOLESALE|FEWS NET|L|USD|2019-02-01|monthly|1.3',
    ],
    skipped: { no_value: 1 },
  },
  'hdx-hapi': {
    rows: ['MLI|Kayes|Nioro|Beta|Rice|RETAIL|World Food Programme (WFP)|KG|XOF|2024-01-01|monthly|450.5'],
    skipped: { hxl_tags: 1, left_out: 1 },
  },
  agmarknet: {
    rows: ['IND|Kerala|Kannur|Gamma|Onion, Big|WHOLESALE|AGMARKNET|100 KG|INR|2024-02-05|daily|2250'],
  },
  'pink-sheet': {
    rows: [
      'IPS|||World|Cocoa|EXPORT|World Bank|kg|USD|1960-01-01|monthly|0.5',
      'IPS|||World|Beef|EXPORT|World Bank|kg|USD|1960-01-01|monthly|0.75',
      'IPS|||World|Cocoa|EXPORT|World Bank|kg|USD|1960-02-01|monthly|0.625',
      'IPS|||World|Rice, Thai 5%|EXPORT|World Bank|mt|USD|1960-02-01|monthly|120.25',
    ],
    skipped: { left_out: 1, no_value: 2 },
  },
  rtfp: {
    rows: [
      'MLI|Kayes|Nioro|Beta|maize_flour|RETAIL|World Bank Real Time Food Prices|2.1 KG|XOF|2024-01-01|monthly|900.5|estimated',
      'MLI|Kayes|Nioro|Beta|rice|RETAIL|World Bank Real Time Food Prices|50 KG|XOF|2024-01-01|monthly|21250|estimated',
      'MLI|Kayes|Nioro|Beta|rice|RETAIL|World Bank Real Time Food Prices|50 KG|XOF|2024-02-01|monthly|21600|estimated',
    ],
    skipped: { left_out: 1, no_value: 3 },
  },
  sniim: {
    rows: [
      'MEX|||Jalisco: Mercado de Abasto Uno, de Michoacán|aguacate hass|WHOLESALE|SNIIM|Caja de 10 kg.|MXN|2024-02-05|daily|320',
      'MEX|||Jalisco: Mercado de Abasto Uno, de Importación|aguacate hass|WHOLESALE|SNIIM|Caja de 10 kg.|MXN|2024-02-05|daily|330',
      'MEX|||Puebla: Central de Abasto Dos, de Michoacán|aguacate hass|WHOLESALE|SNIIM|Kilogramo|MXN|2024-02-06|daily|31.5',
    ],
  },
  'faostat-producer-prices': {
    rows: [
      'KEN|||National Average|Maize (corn)|PRODUCER|FAOSTAT|tonne|KES|2023-01-01|monthly|52000.5',
      'KEN|||National Average|Maize (corn)|PRODUCER|FAOSTAT|tonne|KES|2023-02-01|monthly|53000|estimated',
      'CIV|||National Average|Cocoa beans|PRODUCER|FAOSTAT|tonne|XOF|2023-12-01|monthly|1000000',
      'CHN|||National Average|Wheat|PRODUCER|FAOSTAT|tonne|CNY|2023-01-01|monthly|2900',
    ],
    skipped: { left_out: 3, no_value: 1 },
  },
  'bls-average-prices': {
    rows: [
      'USA|||U.S. city average|Eggs, grade A, large|RETAIL|U.S. Bureau of Labor Statistics|dozen|USD|2025-08-01|monthly|3.5',
      'USA|||U.S. city average|Eggs, grade A, large|RETAIL|U.S. Bureau of Labor Statistics|dozen|USD|2025-09-01|monthly|3.25',
      'USA|||South|Potatoes, white|RETAIL|U.S. Bureau of Labor Statistics|lb|USD|2025-09-01|monthly|0.925',
    ],
    skipped: { no_value: 1 },
  },
  'nbs-nigeria': {
    rows: [
      'NGA|||National Average|Agric hen eggs, (a Crate of 30 pieces)|RETAIL|National Bureau of Statistics (Nigeria)|30 pieces|NGN|2025-01-01|monthly|5878.5',
      'NGA|||National Average|Tomatoes, fresh|RETAIL|National Bureau of Statistics (Nigeria)|kg|NGN|2024-01-01|monthly|1123.5',
      'NGA|||National Average|Tomatoes, fresh|RETAIL|National Bureau of Statistics (Nigeria)|kg|NGN|2024-12-01|monthly|1157.25',
      'NGA|||National Average|Tomatoes, fresh|RETAIL|National Bureau of Statistics (Nigeria)|kg|NGN|2025-01-01|monthly|1283.75',
    ],
    skipped: { left_out: 1, no_value: 2 },
  },
  'ecb-rates': {
    rows: [
      'EUR|2024-02-06|daily|0.8|European Central Bank',
      'JPY|2024-02-06|daily|128|European Central Bank',
    ],
    skipped: { no_value: 1 },
  },
  'fred-rates': {
    rows: ['INR|2024-02-06|daily|83.05|Federal Reserve H.10'],
    skipped: { no_value: 2 },
  },
};

function shown(row: PriceRow | TableRecord): string {
  if ('values' in row) {
    const { currency, date, period, rate, source } = row.values;
    return [currency, date, period, rate, source].join('|');
  }
  const { market, commodity, price_type, source, measure_unit, currency, status } =
    row.series as SeriesDescriptor;
  return [
    ...[market.iso3_country_code, market.admin_unit, market.admin_unit2, market.name, commodity.name],
    ...[price_type, source.name, measure_unit.name, currency],
    ...[isoFromDay(row.day), PERIOD_NAMES[row.period], row.value],
    ...(status === undefined || status === 'observed' ? [] : [status]),
  ].join('|');
}

describe.each([...shippedMappings])('%s', (name, mapping) => {
  const { rows, skipped = {} } = EXPECTED[name]!;
  const text = SHIPPED_FILES[name]!;

  it('is a valid mapping', () => expect(validateMapping(mapping)).toEqual({ value: mapping }));

  it('reads a file of its form', async () => {
    const found = await collect(importFormats[name]!(chunksOf(text), { fileName: shippedFileName(name) }));
    expect(found.rejects).toEqual([]);
    expect(found.rows.map((row) => shown(row as PriceRow | TableRecord))).toEqual(rows);
    expect(found.skipped).toEqual(skipped);
  });

  it('is recognised by its header, and no other file is taken for it', async () => {
    expect(await detectFormat([Buffer.from(text)], shippedFileName(name))).toBe(name);
    await expect(detectFormat([Buffer.from('Date,Price\n2024-01-01,5\n')])).rejects.toThrow(
      'in none of the formats',
    );
  });
});

describe('faostat-producer-prices', () => {
  const { currency, iso3_country_code: country } = shippedMappings.get('faostat-producer-prices')!.fields;

  it('has the currency of each country, where it has been the only one since its prices begin', () => {
    const hasEnded = (code: string) => (currencyLife(code)?.to ?? '') >= '2010-01-01';
    const wrong = Object.entries(currency!.values!).filter(([name, code]) => {
      const all = currenciesOf(country!.values![name] ?? iso3OfName(name) ?? '');
      const relation = lifeRelation(code, '2010-01-01', '2010-01-31');
      return !all.includes(code) || all.some(hasEnded) || relation !== 'within';
    });
    expect(wrong).toEqual([]);
  });

  it('leaves out countries whose currency has changed since, and rejects those that it does not know', async () => {
    const text =
      'Area,Element,Item,Year,Months,Unit,Value,Flag\n' +
      'Lithuania,Producer Price (LCU/tonne),Wheat,2014,January,LCU,600,A\n' +
      'Sudan (former),Producer Price (LCU/tonne),Wheat,2010,January,LCU,1000,A\n';
    const { rows, rejects, skipped } = await collect(
      importFormats['faostat-producer-prices']!(chunksOf(text), {}),
    );
    expect({ rows, rejects, skipped }).toEqual({
      rows: [],
      rejects: [
        {
          ...{ line: 3, field: 'Area', reason: 'invalid_choice' },
          detail: 'Area "Sudan (former)" is none of the texts that the mapping has for currency.',
        },
      ],
      skipped: { left_out: 1 },
    });
  });
});
