import { SERIES_NAMESPACE, seriesUuid, type SeriesKey } from './series-uuid.js';

const key: SeriesKey = [
  'COG',
  'Brazzaville',
  'Brazzaville',
  'Grand marché/Fond Ntié-Ntié/Nkouikou',
  'Rice (mixed, low quality)',
  'RETAIL',
  'World Food Programme (WFP)',
  'KG',
  'XAF',
];

describe('seriesUuid', () => {
  // From Python's uuid.uuid5 of the compact JSON array, with non-ASCII characters unescaped.
  it.each([
    [key, '1132c731-6582-50b9-91fe-65286add7c7e'],
    [
      key.map((text, index) => (index === 8 ? 'USD' : text)) as unknown as SeriesKey,
      'a637f458-972b-5f09-b95a-1a7412d885c3',
    ],
    [
      ['KEN', '', '', 'A "B" \\ C', 'Maize', 'FARM GATE', 'S', '90 KG', 'KES'] as SeriesKey,
      'add6e3a9-8615-500a-ac86-6021b219f603',
    ],
  ])('equals that of other implementations: %j', (naturalKey, uuid) =>
    expect(seriesUuid(naturalKey)).toBe(uuid),
  );

  it('has a fixed namespace', () => expect(SERIES_NAMESPACE).toBe('c9c4e847-7093-41bb-b0a3-5d5dfb764135'));
});
