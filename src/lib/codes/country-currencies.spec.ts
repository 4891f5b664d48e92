import { countries } from './countries.js';
import { currenciesOf } from './country-currencies.js';

describe('currencies of countries', () => {
  it('have codes for each entry of ISO 3166-1 but Antarctica, each once', () => {
    expect(countries.filter(({ iso3 }) => currenciesOf(iso3).length === 0).map(({ iso3 }) => iso3)).toEqual([
      'ATA',
    ]);
    for (const { iso3 } of countries) {
      const codes = currenciesOf(iso3);
      expect(new Set(codes).size).toBe(codes.length);
      for (const code of codes) expect(code).toMatch(/^[A-Z]{3}$/);
    }
  });

  it.each([
    ['KEN', ['KES']],
    ['SOM', ['SOS', 'SLS']],
    ['SLE', ['SLE', 'SLL']],
    ['MRT', ['MRU', 'MRO']],
    ['BLR', ['BYN', 'BYR', 'BYB', 'RUR', 'SUR']],
    ['VEN', ['VES', 'VED', 'VEF', 'VEB']],
    ['TUR', ['TRY', 'TRL']],
    ['PAN', ['PAB', 'USD']],
    ['PSE', ['ILS', 'JOD', 'EGP']],
    ['SSD', ['SSP', 'SDG']],
    ['COD', ['CDF', 'ZRN', 'ZRZ']],
    ['COG', ['XAF']],
    ['KOR', ['KRW']],
    ['PRK', ['KPW']],
    ['BTN', ['BTN', 'INR']],
    ['SLV', ['USD', 'SVC']],
    ['HRV', ['EUR', 'HRK', 'HRD', 'YUN', 'YUD']],
    ['IPS', []],
    ['constructor', []],
    ['', []],
  ])('returns those of %s', (iso3, codes) => expect(currenciesOf(iso3)).toEqual(codes));
});
