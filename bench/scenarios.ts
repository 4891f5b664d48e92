import { SMALL_COUNTRY, countryOf, seeded, uuidOf, type DataSize } from './data.js';
import type { LoadRequest } from './load.js';
import type { Engine } from './places.js';

/** Something that is measured beside a floor. */
export interface Scenario {
  name: string;
  /** A: a bare server sending the finished answer. B: hand-written code sending SQL for the same addresses. */
  floor: 'A' | 'B';
  /** Smallest ratio to the floor that is good enough. */
  goal: number;
  /** Microseconds of processor time a request that the service may need more than the floor. */
  cpuMargin?: number;
  /** The next request. With floor A always the same. */
  next: () => LoadRequest;
  connections: number;
}

/** Something that is measured at two sizes. */
export interface Growth {
  name: string;
  /** Greatest ratio of the median times. */
  goal: number;
  next: (size: DataSize) => () => LoadRequest;
}

export const BASE = '/api/v1';
/** Series on a page where nothing else is asked for. */
const PAGE_SIZE = 100;

/** The page that is asked for again and again; about 25 KB. */
export const listPage = `${BASE}/PriceSerie/?page_size=40`;

/** Draws requests from a seeded generator, so that runs are alike. */
export class Draw {
  private readonly next = seeded(42);

  constructor(private readonly size: DataSize) {}

  below(limit: number): number {
    return Math.floor(this.next() * limit);
  }

  chance(share: number): boolean {
    return this.next() < share;
  }

  uuid(): string {
    return uuidOf(this.below(this.size.series));
  }

  /** A list with one to five filters. */
  filters(): LoadRequest {
    const parameters = [`iso3_country_codes=${this.some(4, () => countryOf(this.below(60)))}`];
    if (this.chance(0.5))
      parameters.push(`price_types_ids=${this.some(2, () => [11, 12, 13][this.below(3)]!)}`);
    if (this.chance(0.5)) parameters.push(`sources_ids=${this.some(5, () => 1 + this.below(20))}`);
    if (this.chance(0.3)) parameters.push(`periodicity=${['daily', 'weekly', 'monthly'][this.below(3)]}`);
    if (this.chance(0.3)) parameters.push(`commodity_ids=${this.some(100, () => 1 + this.below(300))}`);
    return { path: `${BASE}/PriceSerie/?${parameters.join('&')}` };
  }

  onePrice(): LoadRequest {
    return { path: `${BASE}/PriceSeriePrice/${this.uuid()}/` };
  }

  /** Prices of so many different series, in one call. */
  prices(count: number, uuid: () => string = () => this.uuid(), format = ''): LoadRequest {
    const uuids = new Set<string>();
    while (uuids.size < count) uuids.add(uuid());
    return { path: `${BASE}/PriceSeriePrice/?${format}uuid__in=${[...uuids].join(',')}` };
  }

  /** A word with some of its letters percent-encoded: the same request at an address that no cache has seen. */
  spelled(word: string): string {
    return word.replace(/[a-z]/g, (letter) =>
      this.chance(0.5) ? `%${letter.charCodeAt(0).toString(16)}` : letter,
    );
  }

  private some(most: number, make: () => string | number): string {
    return [...new Set(Array.from({ length: 1 + this.below(most) }, make))].join(',');
  }
}

/** The scenarios of one data set. */
export function scenariosOf(engine: Engine, size: DataSize, tagOfListPage: string): Scenario[] {
  const draw = new Draw(size);
  const always = (path: string, headers: Record<string, string> = {}) => {
    const request = { path, headers };
    return () => request;
  };
  const hot = Array.from({ length: 500 }, () => draw.uuid());
  return [
    { name: 'repeated list page', floor: 'A', goal: 0.8, next: always(listPage), connections: 32 },
    {
      name: 'repeated price answer',
      floor: 'A',
      goal: 0.8,
      next: always(`${BASE}/PriceSeriePrice/${uuidOf(1)}/`),
      connections: 32,
    },
    {
      name: 'repeated reference list',
      floor: 'A',
      goal: 0.65,
      next: always(`${BASE}/Source/`),
      connections: 32,
    },
    {
      name: 'conditional list page, 304',
      floor: 'A',
      goal: 1,
      next: always(listPage, { 'If-None-Match': tagOfListPage }),
      connections: 32,
    },
    {
      name: 'list, random filters',
      floor: 'B',
      goal: engine === 'MariaDB' && size.name === 'L' ? 2 : 0.7,
      next: () => draw.filters(),
      connections: 8,
    },
    {
      name: 'prices of 50 random series',
      floor: 'B',
      goal: 0.7,
      next: () => draw.prices(50),
      connections: 4,
    },
    {
      name: 'prices of one random series',
      floor: 'B',
      goal: 0.45,
      cpuMargin: 200,
      next: () => draw.onePrice(),
      connections: 8,
    },
    {
      name: 'prices of 50 of 500 hot series',
      floor: 'B',
      goal: 5,
      next: () => draw.prices(50, () => hot[draw.below(hot.length)]!),
      connections: 4,
    },
  ];
}

/** What must not feel how large the data are. */
export const growths: readonly Growth[] = [
  {
    name: 'random page of the last tenth',
    goal: 2,
    next: (size) => {
      const draw = new Draw(size);
      const pages = Math.ceil(size.series / PAGE_SIZE);
      return () => ({
        path: `${BASE}/PriceSerie/?${draw.spelled('page')}=${pages - draw.below(Math.ceil(pages / 10))}&${draw.spelled('page_size')}=${PAGE_SIZE}`,
      });
    },
  },
  {
    name: 'first page of a country and a price type',
    goal: 2,
    next: (size) => {
      const draw = new Draw(size);
      return () => ({
        path: `${BASE}/PriceSerie/?${draw.spelled('iso3_country_codes')}=${SMALL_COUNTRY}&${draw.spelled('price_types_ids')}=12`,
      });
    },
  },
];
