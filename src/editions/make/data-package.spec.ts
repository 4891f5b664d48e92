import { dataPackage, type EditionSourceRecord } from './data-package.js';

const described = (sources: readonly EditionSourceRecord[]) => {
  const { resources, ...rest } = JSON.parse(dataPackage('2026-11', [], sources)) as Record<string, unknown>;
  expect(resources).toEqual([]);
  return rest;
};

const HEAD = {
  $schema: 'https://datapackage.org/profiles/2.0/datapackage.json',
  name: 'food-prices-2026-11',
  title: 'Food prices, edition 2026-11',
};

describe('datapackage.json', () => {
  it('names each source, and each licence once', () => {
    const sources = [
      { name: 'Bureau', url: 'https://example.org/prices', license: 'CC BY 4.0' },
      { name: 'Ministry', url: 'by mail', license: 'https://example.org/terms' },
      { name: 'Office', url: '', license: 'CC BY 4.0' },
      { name: 'Union', url: '', license: '' },
    ];
    expect(described(sources)).toEqual({
      ...HEAD,
      licenses: [{ name: 'cc-by-4.0', title: 'CC BY 4.0' }, { path: 'https://example.org/terms' }],
      sources: [
        { title: 'Bureau', path: 'https://example.org/prices', license: 'CC BY 4.0' },
        { title: 'Ministry', license: 'https://example.org/terms' },
        { title: 'Office', license: 'CC BY 4.0' },
        { title: 'Union' },
      ],
    });
  });

  it('has no empty lists, which the standard does not know', () => {
    const source = { name: 'Ministry', url: '', license: '' };
    expect(described([source])).toEqual({ ...HEAD, sources: [{ title: 'Ministry' }] });
    expect(described([])).toEqual(HEAD);
  });
});
