import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { detectFormat } from './detect-format.js';

const folder = resolve('test/fixtures/import');
/** The format that the name of a fixture begins with. */
const formatOf = (name: string) => name.split(/[_.]/)[0]!;

describe('detectFormat', () => {
  // Own tables of rates and indices are read alike under both names.
  const alike: Record<string, string> = { FxRate: 'fx', Cpi: 'cpi' };

  it.each(readdirSync(resolve(folder, 'ok')))('finds the format of %s', async (name) => {
    const format = formatOf(name);
    expect(await detectFormat(readFileSync(resolve(folder, 'ok', name)))).toBe(alike[format] ?? format);
  });

  it.each(['wfp_without_country.csv', 'wfp_daily_ind.csv', 'prices_bad_rows.csv', 'fpma_bad_elements.json'])(
    'finds that of %s, which needs an option or has bad rows',
    async (name) =>
      expect(await detectFormat(readFileSync(resolve(folder, 'not-ok', name)))).toBe(formatOf(name)),
  );

  it.each(['Commodity_without_name.csv', 'prices_other_layout.csv', 'wfp_other_layout.csv'])(
    'finds none for %s',
    async (name) => expect(await detectFormat(readFileSync(resolve(folder, 'not-ok', name)))).toBeNull(),
  );

  it('finds none for a picture, and rejects nothing at all', async () => {
    const picture = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
    expect(await detectFormat(picture)).toBeNull();
    await expect(detectFormat(Buffer.alloc(0))).rejects.toThrow('The input is empty.');
    await expect(detectFormat(Buffer.from('\n \n'))).rejects.toThrow('The input is empty.');
  });
});
