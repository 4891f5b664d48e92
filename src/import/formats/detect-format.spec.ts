import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { WrongFormat } from './batch.js';
import { detectFormat } from './detect-format.js';

const folder = resolve('test/fixtures/import');
/** The format that the name of a fixture begins with. */
const formatOf = (name: string) => name.split(/[_.]/)[0]!;

describe('detectFormat', () => {
  // Own tables of rates and indices are read alike under both names.
  const alike: Record<string, string> = { FxRate: 'fx', Cpi: 'cpi' };

  it.each(readdirSync(resolve(folder, 'ok')))('finds the format of %s', async (name) => {
    const format = formatOf(name);
    expect(await detectFormat([readFileSync(resolve(folder, 'ok', name))])).toBe(alike[format] ?? format);
  });

  it.each([
    'wfp_without_country.csv',
    'wfp_food_prices_ind.csv',
    'prices_bad_rows.csv',
    'fpma_bad_elements.json',
  ])('finds that of %s, which needs an option or has bad rows', async (name) =>
    expect(await detectFormat([readFileSync(resolve(folder, 'not-ok', name))])).toBe(formatOf(name)),
  );

  const NONE = 'The input is in none of the formats that the service knows.';

  it.each([
    [
      'name,hs\n',
      'Compared with the nearest one: The input is not in the format PriceType: the column "hs" is not known.',
    ],
    [
      'date,admin1,admin2,market,lat,lon,category,commodity,unit,priceflag,pricetype,currency,value\n',
      'Compared with the nearest one: The input is not in the format wfp: the column latitude is missing; the column longitude is missing; the column price is missing; compared with the nearest layout, that of HDX since 2021.',
    ],
    ['Land,Ware\n', 'Its first line is "Land, Ware".'],
  ])('names the nearest format of %j, or the header', async (text, message) => {
    await expect(detectFormat([Buffer.from(text)])).rejects.toEqual(new WrongFormat(`${NONE} ${message}`));
  });

  it.each(['Commodity_without_name.csv', 'prices_other_layout.csv', 'wfp_other_layout.csv'])(
    'finds none for %s',
    async (name) =>
      await expect(detectFormat([readFileSync(resolve(folder, 'not-ok', name))])).rejects.toThrow(NONE),
  );

  it("finds producer prices in FAOSTAT's bulk file, whose columns are those of its indices, too", async () => {
    const text =
      'Area Code,Area Code (M49),Area,Item Code,Item Code (CPC),Item,Element Code,Element,' +
      'Year Code,Year,Months Code,Months,Unit,Value,Flag\n' +
      '2,\'004,Afghanistan,221,\'01371,"Almonds, in shell",5530,Producer Price (LCU/tonne),1993,1993,7021,Annual value,LCU,46000,A\n';
    expect(await detectFormat([Buffer.from(text)])).toBe('faostat-producer-prices');
  });

  it('finds that of a table whose begin is longer than any value of JSON', async () => {
    const header = 'iso3,m49,area,item_code,item,date,value';
    const rows = Array.from(
      { length: 20_000 },
      () => '\n004,4,Togo,23012,"General (2015 = 100)",2000-01-01,1.5',
    );
    expect(await detectFormat([Buffer.from(header + rows.join(''))])).toBe('cpi');
  });

  it('rejects nothing at all', async () => {
    await expect(detectFormat([Buffer.alloc(0)])).rejects.toThrow('The input is empty.');
    await expect(detectFormat([Buffer.from('\n \n')])).rejects.toThrow('The input is empty.');
  });
});
