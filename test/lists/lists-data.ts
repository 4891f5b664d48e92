import { HarvestRunRow } from '../../src/harvests/records/harvest.entity.js';
import { storeIndices, storeRates, storeSeries, type SeriesSpec } from '../support/price-fixture.js';
import { createRecords } from '../support/factories.js';
import { testChange } from '../support/change-set.js';
import type { TestApp } from '../support/test-app.js';

const uuid = (number: number) => `${String(number).padStart(8, '0')}-0000-4000-8000-00000000000a`;

/** Texts in no order: letter cases, accents, signs and scripts among them; some are equal. */
const TEXTS = [
  'éclair',
  'Zebra',
  'eclair',
  'zebra',
  'Éclair',
  'Ñandú',
  'oat-meal',
  'oatmeal',
  'нут',
  'éclair',
];

const text = (number: number) => TEXTS[number % TEXTS.length]!;

/** Months of prices, some with gaps; those of every third series rise at the end. */
function months(number: number): [date: string, value: number][] {
  const points: [string, number][] = [];
  for (let month = 0; month < 72; month++) {
    if ((month + number) % 7 === 0 && number % 2 === 0) continue;
    const date = `${2020 + Math.floor(month / 12)}-${String((month % 12) + 1).padStart(2, '0')}-01`;
    const seasonal = 10 + number + Math.sin(month / 2) + ((month * 7 + number) % 5) / 10;
    points.push([date, Math.round(seasonal * (number % 3 === 0 && month > 66 ? 3 : 1) * 100) / 100]);
  }
  return points;
}

const series = (number: number): SeriesSpec => ({
  uuid: uuid((number * 7) % 20),
  commodity: {
    name: `${text(number % 5)} ${number % 4}`,
    hs_code: number % 3 === 0 ? null : `10063${number % 2}`,
    category: text(number + 3),
  },
  market: {
    name: text(number),
    iso3_country_code: ['KEN', 'UGA', 'AFG'][number % 3]!,
    country_name: ['Kenya', 'Uganda', 'Afghanistan'][number % 3]!,
    admin_unit: number % 2 === 0 ? '' : text(number + 1),
    latitude: number % 2 === 0 ? null : (number % 3) - 1.5,
    longitude: number % 2 === 0 ? null : 30 + (number % 3),
    code: text(number + 2).slice(0, 5),
  },
  source: { name: text(number % 4), url: 'https://example.org/', license: '' },
  unit: [
    { name: 'Kg', dimension: 'mass', conversion_factor: 1 } as const,
    { name: 'Bunch', dimension: 'other', conversion_factor: null } as const,
  ][number % 2]!,
  priceType: [11, 12, 13][number % 3]!,
  currency: ['KES', 'UGX', 'USD'][number % 3]!,
  points:
    number === 5
      ? {}
      : number % 4 === 1
        ? { daily: months(number), weekly: [['2025-01-03', 10]] }
        : { monthly: months(number) },
});

/** The uuids of two series with prices that can be compared. */
export const COMPARED = [0, 6].map((number) => series(number).uuid);

/** Fills every list of the API: with nulls, accents and equal values where it can have them. */
export async function createListsData(service: TestApp): Promise<void> {
  const { unitOfWork, http } = service;
  await storeRates(unitOfWork, [
    ['KES', '2024-01-01', 150],
    ['KES', '2025-11-01', 130],
    ['UGX', '2025-11-01', 3600],
    ['UGX', '2025-10-01', 3600],
  ]);
  await storeIndices(unitOfWork, [
    ['KEN', '2020-01-01', 137.3],
    ['KEN', '2025-11-01', 180],
    ['UGA', '2025-11-01', 180],
  ]);
  await storeSeries(
    unitOfWork,
    Array.from({ length: 14 }, (_, number) => series(number)),
  );
  await createRecords(unitOfWork, async (factory) => {
    for (const name of TEXTS.slice(0, 9)) await factory.commodity({ name: `Alone ${name}` });
    for (const description of ['b', 'a', 'b']) await factory.priceType({ description });
  });
  const authorization = await service.authHeader();
  const post = (path: string, body: object, status: number) =>
    http().post(`/api/v1/${path}`).set(authorization).send(body).expect(status);
  for (const [index, name] of TEXTS.slice(0, 9).entries())
    await post('Alias/', { table: 'Commodity', record_id: (index % 2) + 1, name }, 201);
  const mapping = { table: 'PriceType', fields: { name: { column: 'Name' } } };
  for (const [index, title] of TEXTS.slice(0, 4).entries())
    await post('Mapping/', { ...mapping, name: `listed-${index}`, title }, 201);
  for (const title of ['éclair', 'Zebra', 'eclair'])
    await service
      .http()
      .put('/api/v1/Mapping/listed-0/')
      .set(authorization)
      .send({ ...mapping, name: 'listed-0', title })
      .expect(200);
  for (const [index, owner] of TEXTS.slice(0, 5).entries()) {
    const source = { address: 'https://example.org/x.csv', format: 'prices', schedule: '0 6 * * *' };
    const harvest = { ...source, name: `listed-${index}`, owner, enabled: index % 2 === 0 };
    await post('Harvest/', harvest, 201);
  }
  await unitOfWork.run(async (transaction) => {
    const [harvest] = await transaction.rows<{ id: number }>(
      "SELECT id FROM harvest WHERE name = 'listed-0'",
    );
    for (const [index, state] of ['done', 'failed', 'unchanged', 'done'].entries())
      await transaction.insert(HarvestRunRow, {
        ...{ harvest_id: harvest!.id, state, attempt: (index % 2) + 1 },
        ...{ due_at: `2026-01-0${index + 1}T00:00:00.000Z`, not_before: '2026-01-05T00:00:00.000Z' },
        ...{
          started_at: '2026-01-05T00:00:00.000Z',
          ended_at: index === 3 ? null : '2026-01-05T00:01:00.000Z',
        },
        ...{ bytes: state === 'done' ? 1000 - index : null, error: state === 'failed' ? text(index) : '' },
      });
  });
  const point = { uuid: COMPARED[0], periodicity: 'monthly' };
  const corrections = [
    { ...point, date: '2025-02-01', price_value: 9999, comment: 'far off' },
    { ...point, date: '2025-03-01', price_value: 11, comment: 'Éclair' },
    { ...point, date: '2025-04-01', price_value: null },
    { uuid: COMPARED[1], periodicity: 'monthly', date: '2025-05-01', price_value: 0.01 },
  ];
  for (const correction of corrections) await post('Correction/?reason=Zebra', [correction] as object, 200);
  await unitOfWork.change(testChange, async (transaction) => {
    for (const [number, ended, contents] of [
      [1, null, null],
      [2, '2026-01-02T00:00:00.000Z', null],
      [3, null, null],
    ] as const)
      await transaction.execute(
        "INSERT INTO edition (number, title, revision, state, started_at, ended_at, error, contents) VALUES (?, ?, 1, 'failed', '2026-01-01T00:00:00.000Z', ?, '', ?)",
        [number, text(number), ended, contents],
      );
    for (const [index, username] of ['éva', 'Zoë', 'eva'].entries())
      await transaction.execute(
        "INSERT INTO account (username, password_hash, role, enabled, created_at, password_changed_at, last_login_at) VALUES (?, 'none', 'maintainer', ?, '2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z', ?)",
        [username, index % 2, index === 1 ? '2026-01-02T00:00:00.000Z' : null],
      );
  });
}
