import { readFileSync } from 'node:fs';
import { parse } from 'csv-parse/sync';
import { countries } from '../../src/lib/codes/countries.js';
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
