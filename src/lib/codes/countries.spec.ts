import {
  countries,
  countryName,
  countryNames,
  isCountryCode,
  iso2Of,
  iso3OfM49,
  iso3OfName,
} from './countries.js';

describe('countries', () => {
  it('has the 249 entries of ISO 3166-1, each code once', () => {
    expect(countries).toHaveLength(249);
    expect(new Set(countries.map((country) => country.iso3)).size).toBe(249);
    expect(new Set(countries.map((country) => country.iso2)).size).toBe(249);
    expect(new Set(countries.map((country) => country.m49)).size).toBe(249);
    for (const country of countries) {
      expect(country).toEqual({
        iso3: expect.stringMatching(/^[A-Z]{3}$/),
        iso2: expect.stringMatching(/^[A-Z]{2}$/),
        m49: expect.stringMatching(/^\d{3}$/),
        name: expect.stringMatching(/^\S.*\S$/),
      });
    }
  });

  it.each([
    ['SYR', 'Syrian Arab Republic'],
    ['CIV', "Côte d'Ivoire"],
    ['BOL', 'Bolivia (Plurinational State of)'],
    ['IPS', ''],
    ['syr', ''],
  ])('returns the name of %s', (iso3, name) => expect(countryName(iso3)).toBe(name));

  it.each([
    ['SWZ', 'SZ', ['Eswatini', 'Swaziland']],
    ['NAM', 'NA', ['Namibia']],
    ['IPS', '', []],
    ['constructor', '', []],
  ])('returns the alpha-2 code and all names of %s', (iso3, iso2, names) => {
    expect([iso2Of(iso3), countryNames(iso3)]).toEqual([iso2, names]);
  });

  it.each([
    ['004', 'AFG'],
    ['4', 'AFG'],
    ['156', 'CHN'],
    ['001', null],
    ['530', null],
  ])('returns the code of M49 number %s', (m49, iso3) => expect(iso3OfM49(m49)).toBe(iso3));

  it.each([
    ['Yemen', 'YEM'],
    ['Iran  (Islamic Republic of)', 'IRN'],
    ["COTE D'IVOIRE", 'CIV'],
    ['Swaziland', 'SWZ'],
    ['Turkey', 'TUR'],
    ['The Gambia', 'GMB'],
    ['Niger', 'NER'],
    ['Guinea', 'GIN'],
    ['Guinea-Bissau', 'GNB'],
    ['Congo', 'COG'],
    ['Democratic Republic of the Congo', 'COD'],
    ['Atlantis', null],
    ['', null],
  ])('returns the code of %j', (name, iso3) => expect(iso3OfName(name)).toBe(iso3));

  it('accepts codes only in upper case', () => {
    expect(['KEN', 'WFP', 'ken', ''].map(isCountryCode)).toEqual([true, false, false, false]);
  });
});
