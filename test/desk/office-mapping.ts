import type { Mapping } from '../../src/import/mappings/mapping.js';

/** A file of an office. */
export const OFFICE_FILE = 'Marché;Produit;Mois;Prix\nBamako;Maïs;août 2024;250,5\nBamako;Mil;août 2024;x\n';

/** What the proposed mapping of such a file asks, by the controls of its page. */
export const OFFICE_ANSWERS = {
  'from.price_type': 'value',
  'value.price_type': 'RETAIL',
  'value.currency': 'XOF',
  'value.measure_unit': 'kg',
  'value.iso3_country_code': 'MLI',
  'value.source': 'OMA',
};

/** A mapping that reads the file. */
export const officeMapping = (name: string, fields: object = {}): Mapping => ({
  name,
  title: 'Bulletin of the office',
  table: 'prices',
  dialect: { delimiter: ';' },
  fields: {
    iso3_country_code: { value: 'MLI' },
    market: { column: 'Marché' },
    commodity: { column: 'Produit' },
    measure_unit: { value: 'kg' },
    currency: { value: 'XOF' },
    price_type: { value: 'RETAIL' },
    source: { value: 'OMA' },
    date: { column: 'Mois', format: '%B %Y', language: 'fr' },
    periodicity: { value: 'monthly' },
    price_value: { column: 'Prix', decimalChar: ',' },
    ...fields,
  },
});
