import {
  countries,
  countryName,
  countryNames,
  isCountryCode,
  iso2Of,
  iso3OfM49,
  iso3OfName,
  knownCountryCode,
  nearestCountry,
} from './countries.js';

describe('countries', () => {
  it('are the 249 entries of ISO 3166-1, each code once', () => {
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
    [
      'SWZ',
      'SZ',
      ['Eswatini', 'Eswatini (Swaziland)', 'Kingdom of Eswatini', 'Swaziland', 'Swaziland (Eswatini)'],
    ],
    [
      'XKX',
      'XK',
      [
        'Kosovo',
        'Kosovo, Republic of',
        'Kosovo (under UNSCR 1244)',
        'Kosovo (UNSCR 1244)',
        'Republic of Kosovo',
      ],
    ],
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
    ['412', 'XKX'],
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
    ['Kosovo', 'XKX'],
    ['Kosovo*', 'XKX'],
    ['KOSOVO (UNSCR 1244/99)', 'XKX'],
    ['Kosovo under UNSCR 1244', 'XKX'],
    ['Kosovo, under UNSC Resolution 1244', 'XKX'],
    ['Kosovo 1244th market', null],
    ['Metohija, 1244', null],
    ['Kosovo - UNSC Resolution 1244 (1999)', 'XKX'],
    ['Kosovo (under United Nations Security Council Resolution 1244/1999)', 'XKX'],
    ['D.R. Congo', 'COD'],
    ['Congo, Dem. Rep.', 'COD'],
    ['Congo, Rep.', 'COG'],
    ['Republic of the Congo', 'COG'],
    ['Bahamas, The', 'BHS'],
    ['Iran, Islamic Rep.', 'IRN'],
    ['Kyrgyz Republic', 'KGZ'],
    ['Macau', 'MAC'],
    ['Korea, Rep.', 'KOR'],
    ["Korea, Dem. People's Rep.", 'PRK'],
    ['St. Vincent & the Grenadines', 'VCT'],
    ['Trinidad & Tobago', 'TTO'],
    ['UK', 'GBR'],
    ['U.S.A.', 'USA'],
    ['Armenia, Republic of', 'ARM'],
    ['Afghanistan, Islamic Republic of', 'AFG'],
    ['Mauritania (Islamic Rep.)', 'MRT'],
    ['Ethiopia, The Federal Dem. Rep. of', 'ETH'],
    ['São Tomé and Príncipe, Dem. Rep. of', 'STP'],
    ['Kingdom of Lesotho', 'LSO'],
    ['Eritrea, The State of', 'ERI'],
    ["Bangladesh, People's Republic of", 'BGD'],
    ["China, People's Republic of", 'CHN'],
    ['Republic of China', null],
    ['China, Republic of', null],
    ['Korea, Republic of', 'KOR'],
    ['Korea, Kingdom of', null],
    ['Congo, Kingdom of', null],
    ['Democratic Yemen', null],
    ["Yemen, People's Democratic Republic of", null],
    ['Germany, Federal Republic of', 'DEU'],
    ['Republic of', null],
    ['CAR', 'CAF'],
    ['Gaza', 'PSE'],
    ['USSR', null],
    ['Abyei', null],
    ['Somaliland', null],
    ['Atlantis', null],
    ['', null],
  ])('returns the code of %j', (name, iso3) => expect(iso3OfName(name)).toBe(iso3));

  it.each([
    ['KSV', 'XKX'],
    ['UNK', 'XKX'],
    ['RKS', 'XKX'],
    ['ROM', 'ROU'],
    ['ZAR', 'COD'],
    ['WBG', 'PSE'],
    ['KEN', 'KEN'],
    ['IPS', 'IPS'],
  ])('knows %s as %s', (code, known) => {
    expect(knownCountryCode(code)).toBe(known);
    expect(isCountryCode(code)).toBe(code === 'KEN');
  });

  it('accepts codes only in upper case', () => {
    expect(['KEN', 'WFP', 'ken', ''].map(isCountryCode)).toEqual([true, false, false, false]);
  });

  it.each([
    ['Kenia', 'KEN'],
    ['Ugandda', 'UGA'],
    ['Moçambique', 'MOZ'],
    ['Somaliland', undefined],
    ['Abyei', undefined],
    ['USSR', undefined],
    ['Oceania and Antarctica', undefined],
  ])('proposes a code for %j', (name, iso3) => expect(nearestCountry(name)?.iso3).toBe(iso3));
});
