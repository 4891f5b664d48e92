import { SMALL_COUNTRY, countryOf, seeded, uuidOf, type DataSize } from './data.js';
import type { LoadRequest } from './load.js';

/** One thing that is measured, beside the floor that it is held against. */
export interface Scenario {
  name: string;
  /**
   * A: a bare server sending the finished answer of `path`. B: hand-written code sending SQL for the same addresses. None: the
   * scenario is compared with itself on another size.
   */
  floor: 'A' | 'B' | 'none';
  /** Smallest ratio to the floor that is good enough; null where there is no floor. */
  goal: number | null;
  /** The next request. With floor A always the same. */
  next: () => LoadRequest;
  /** Headers of the floor's requests differ where the floor sends a body and the service need not. */
  floorHeaders?: Record<string, string>;
  connections: number;
}

const BASE = '/api/v1';

/** The scenarios of one data set; requests are drawn from a seeded generator, so runs are alike. */
export function scenariosOf(size: DataSize, etagOf: (path: string) => string): Scenario[] {
  const next = seeded(42);
  const pick = (below: number) => Math.floor(next() * below);
  const some = (most: number, make: () => string | number) =>
    [...new Set(Array.from({ length: 1 + pick(most) }, make))].join(',');
  const anySerie = () => uuidOf(pick(size.series));
  const always = (path: string, headers?: Record<string, string>) => () => ({
    path,
    ...(headers ? { headers } : {}),
  });

  const listPage = `${BASE}/PriceSerie/?page_size=50`;
  const priceAnswer = `${BASE}/PriceSeriePrice/${uuidOf(1)}/`;
  const hot = Array.from({ length: 500 }, anySerie);

  const drawnList = () => {
    const parameters = [`iso3_country_codes=${some(4, () => countryOf(pick(60)))}`];
    if (next() < 0.5) parameters.push(`price_types_ids=${some(2, () => [11, 12, 13][pick(3)]!)}`);
    if (next() < 0.5) parameters.push(`sources_ids=${some(5, () => 1 + pick(20))}`);
    if (next() < 0.3) parameters.push(`periodicity=${['daily', 'weekly', 'monthly'][pick(3)]}`);
    if (next() < 0.3) parameters.push(`commodity_ids=${some(100, () => 1 + pick(300))}`);
    return { path: `${BASE}/PriceSerie/?${parameters.join('&')}` };
  };
  const lastPages = Math.ceil(size.series / 100);
  const fifty = (uuid: () => string) => ({
    path: `${BASE}/PriceSeriePrice/?uuid__in=${[...new Set(Array.from({ length: 50 }, uuid))].join(',')}`,
  });

  return [
    { name: 'repeated list page', floor: 'A', goal: 0.8, next: always(listPage), connections: 32 },
    { name: 'repeated price answer', floor: 'A', goal: 0.8, next: always(priceAnswer), connections: 32 },
    {
      name: 'repeated reference list',
      floor: 'A',
      goal: 0.65,
      next: always(`${BASE}/Source/`),
      connections: 32,
    },
    {
      name: 'conditional GET of a list, 304',
      floor: 'A',
      goal: 1,
      next: () => ({ path: listPage, headers: { 'If-None-Match': etagOf(listPage) } }),
      floorHeaders: {},
      connections: 32,
    },
    { name: 'list with filters drawn at random', floor: 'B', goal: 0.7, next: drawnList, connections: 8 },
    {
      name: 'prices of 50 random series',
      floor: 'B',
      goal: 0.7,
      next: () => fifty(anySerie),
      connections: 4,
    },
    {
      name: 'prices of one random series',
      floor: 'B',
      goal: 0.45,
      next: () => ({ path: `${BASE}/PriceSeriePrice/${anySerie()}/` }),
      connections: 8,
    },
    {
      name: 'prices of 50 of 500 hot series',
      floor: 'B',
      goal: 5,
      next: () => fifty(() => hot[pick(hot.length)]!),
      connections: 4,
    },
    {
      name: 'random page of the last tenth',
      floor: 'none',
      goal: null,
      next: () => ({
        path: `${BASE}/PriceSerie/?page=${lastPages - pick(Math.ceil(lastPages / 10))}&olderThan=${distantDate(pick, 2100)}`,
      }),
      connections: 1,
    },
    {
      name: 'first page of one country and price type',
      floor: 'none',
      goal: null,
      next: () => ({
        path: `${BASE}/PriceSerie/?iso3_country_codes=${SMALL_COUNTRY}&price_types_ids=12&newerThan=${distantDate(pick, 1800)}`,
      }),
      connections: 1,
    },
  ];
}

/** A date that excludes nothing: it makes an address that no cache has seen. */
function distantDate(pick: (below: number) => number, from: number): string {
  const two = (number: number) => String(number).padStart(2, '0');
  return `${from + pick(100)}-${two(1 + pick(12))}-${two(1 + pick(28))}`;
}
