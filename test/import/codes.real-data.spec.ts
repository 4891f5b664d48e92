import { readFileSync } from 'node:fs';
import { parse } from 'csv-parse/sync';
import { countries } from '../../src/lib/codes/countries.js';
import { currencyLives } from '../../src/lib/codes/currency-lives.js';
import { parseUnitName } from '../../src/lib/codes/measure-units.js';
import { hsCodeOf } from '../../src/import/crosswalks/hs-codes.js';
import { describeWithRealData, realData } from '../support/real-data.js';

const table = (file: string) =>
  parse<Record<string, string>>(readFileSync(realData(file)), { columns: true, bom: true });
const commodities = () =>
  table('wfp/reference/wfp_commodities_global.csv') as { category: string; commodity: string }[];

describeWithRealData('tables of codes against published lists', () => {
  it('assigns only codes of the Harmonized System 2022', () => {
    const validCodes = new Set(table('hs/harmonized-system-2022.csv').map((row) => row.hscode));
    const coded = commodities().flatMap(({ commodity }) => hsCodeOf(commodity) ?? []);
    expect(coded.length).toBeGreaterThan(850);
    expect([...new Set(coded)].filter((code) => !validCodes.has(code))).toEqual([]);
  });

  it('assigns no code to non-food commodities, except seed maize', () => {
    const others = commodities().filter(({ category }) => category === 'non-food');
    expect(others.flatMap(({ commodity }) => (hsCodeOf(commodity) === null ? [] : [commodity]))).toEqual([
      'Maize (seed)',
    ]);
  });

  it('has the countries of ISO 3166', () => {
    const published = table('iso/country-codes.csv').map(
      (row) => `${row['ISO3166-1-Alpha-3']} ${Number(row.M49)}`,
    );
    expect(countries.map(({ iso3, m49 }) => `${iso3} ${Number(m49)}`).sort()).toEqual(published.sort());
  });

  it('holds valid the currencies that ISO 4217 gives countries, and few others', () => {
    const published = new Set(
      table('iso/country-codes.csv')
        .flatMap((row) => row['ISO4217-currency_alphabetic_code']!.split(','))
        .filter((code) => code !== ''),
    );
    const valid = new Set(currencyLives.flatMap(({ code, to }) => (to === null ? [code] : [])));
    expect([...published].filter((code) => !valid.has(code))).toEqual([]);
    // The file has no currency for Türkiye; the others are funds, metals and units of account.
    expect(
      [...valid]
        .filter((code) => !published.has(code))
        .sort()
        .join(' '),
    ).toBe('BOV CHE CHW CLF COU MXV TRY USN UYI XAG XAU XDR XPD XPT XSU XUA');
  });

  it('has a conversion factor for nearly all units of mass and volume', () => {
    const rows = table('wfp/reference/wfp_units_seen.csv');
    const unknown = rows.flatMap(({ unit }) => {
      const { dimension, conversion_factor } = parseUnitName(unit!);
      return dimension === 'mass' || dimension === 'volume' ? (conversion_factor === null ? [unit] : []) : [];
    });
    expect(unknown.sort()).toEqual(['Gallon', 'Libra']);
    expect(rows.filter(({ unit }) => parseUnitName(unit!).conversion_factor !== null)).toHaveLength(72);
  });
});
