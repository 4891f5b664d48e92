import { SAMPLE_NOTICE, SAMPLE_SOURCE } from '../../price-series/sample-source.js';
import { dataPackage, type EditionSourceRecord } from './data-package.js';
import { readme } from './readme.js';

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

  it('says that prices of the sample are invented, as the README does', () => {
    const source = { name: SAMPLE_SOURCE, url: '', license: '' };
    expect(described([source])).toEqual({
      ...HEAD,
      description: SAMPLE_NOTICE,
      sources: [{ title: SAMPLE_SOURCE }],
    });
    const prices = { name: 'prices.parquet', bytes: 1, sha256: 'a' };
    const text = readme('2026-11', { series: 1, points: 1 }, [prices], [source]);
    expect(text).toContain(`edition 2026-11\n\n${SAMPLE_NOTICE}\n\n1 prices`);
  });
});
