import { SMALL_COUNTRY, countryOf, seeded, uuidOf, type DataSize } from './data.js';
import type { LoadRequest } from './load.js';
import type { Engine } from './databases.js';

/** A load that is compared with a floor. */
export interface Scenario {
  name: string;
  /**
   * A: a bare server sending the finished reply. B: hand-written code running SQL for the same
   * URLs.
   */
  floor: 'A' | 'B';
  /** Smallest acceptable ratio to the floor; null for none. */
  goal: number | null;
  /**
   * Microseconds of processor time per request that the service may need in addition to the floor.
   */
  cpuMargin?: number;
  /** Most microseconds of processor time per request, whatever the floor needs. */
  cpuGoal?: number;
  /** Largest acceptable ratio of the p99 to the floor's, in a row of its own. */
  p99Goal?: number;
  /** Returns the next request; with floor A, always the same. */
  next: () => LoadRequest;
  connections: number;
  /** Milliseconds before the first round, where a round is too short to warm up. */
  warmUp?: number;
}

/** A load that is compared between two data sizes. */
export interface Growth {
  name: string;
  /** Largest acceptable ratio of the median times. */
  goal: number;
  next: (size: DataSize) => () => LoadRequest;
}

export const API_BASE = '/api/v1';
/** Series on a page by default. */
const PAGE_SIZE = 100;

/** The page that is requested repeatedly; about 25 KB. */
export const listPage = `${API_BASE}/PriceSerie/?page_size=40`;

/** Generates requests with a seeded generator, so that runs are comparable. */
export class RandomRequests {
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
    return { path: `${API_BASE}/PriceSerie/?${parameters.join('&')}` };
  }

  onePrice(): LoadRequest {
    return { path: `${API_BASE}/PriceSeriePrice/${this.uuid()}/` };
  }

  /** Prices of `count` different series, in one request. */
  prices(count: number, uuid: () => string = () => this.uuid(), format = ''): LoadRequest {
    return { path: `${API_BASE}/PriceSeriePrice/?${format}uuid__in=${this.uuids(count, uuid).join(',')}` };
  }

  /** A table of as many series as one may have. */
  table(): LoadRequest {
    return { path: `${API_BASE}/PriceTable/?uuid__in=${this.uuids(500, () => this.uuid()).join(',')}` };
  }

  /**
   * A word with some of its letters percent-encoded: the same request at a URL that is not cached
   * yet.
   */
  percentEncoded(word: string): string {
    return word.replace(/[a-z]/g, (letter) =>
      this.chance(0.5) ? `%${letter.charCodeAt(0).toString(16)}` : letter,
    );
  }

  private uuids(count: number, uuid: () => string): string[] {
    const uuids = new Set<string>();
    while (uuids.size < count) uuids.add(uuid());
    return [...uuids];
  }

  private some(most: number, item: () => string | number): string {
    return [...new Set(Array.from({ length: 1 + this.below(most) }, item))].join(',');
  }
}

/** The least ratios to floor B of requests that are not repeated. */
function randomGoals(engine: Engine, size: DataSize) {
  const isSmall = size.name === 'S';
  return engine === 'SQLite'
    ? { lists: isSmall ? 1.5 : 10, prices: 1.3, onePrice: 1.3 }
    : { lists: isSmall ? 0.7 : 2, prices: 0.7, onePrice: 0.45 };
}

/** The scenarios of one data set. */
export function scenariosOf(engine: Engine, size: DataSize, tagOfListPage: string): Scenario[] {
  const random = new RandomRequests(size);
  const always = (path: string, headers: Record<string, string> = {}) => {
    const request = { path, headers };
    return () => request;
  };
  const hot = Array.from({ length: 500 }, () => random.uuid());
  const goals = randomGoals(engine, size);
  return [
    { name: 'repeated list page', floor: 'A', goal: 0.8, next: always(listPage), connections: 32 },
    {
      name: 'repeated price answer',
      floor: 'A',
      goal: 0.8,
      next: always(`${API_BASE}/PriceSeriePrice/${uuidOf(1)}/`),
      connections: 32,
    },
    {
      name: 'repeated reference list',
      floor: 'A',
      goal: 0.65,
      next: always(`${API_BASE}/Source/`),
      connections: 32,
    },
    {
      name: 'repeated finding summary',
      floor: 'A',
      goal: 0.8,
      next: always(`${API_BASE}/FindingSummary/`),
      connections: 32,
    },
    {
      name: 'repeated warnings',
      floor: 'A',
      goal: 0.8,
      next: always(`${API_BASE}/PriceWarning/`),
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
      goal: goals.lists,
      p99Goal: 2,
      next: () => random.filters(),
      connections: 8,
    },
    {
      name: 'prices of 50 random series',
      floor: 'B',
      goal: goals.prices,
      next: () => random.prices(50),
      connections: 4,
    },
    {
      name: 'table of 500 random series',
      floor: 'B',
      goal: 0.7,
      next: () => random.table(),
      connections: 2,
    },
    {
      name: 'prices of one random series',
      floor: 'B',
      goal: goals.onePrice,
      cpuMargin: 200,
      next: () => random.onePrice(),
      connections: 8,
    },
    {
      name: 'prices of 50 of 500 hot series',
      floor: 'B',
      goal: 5,
      next: () => random.prices(50, () => hot[random.below(hot.length)]!),
      connections: 4,
    },
  ];
}

/** Requests whose time must not depend on the size of the data. */
export const growths: readonly Growth[] = [
  {
    // As many points of each series, however many there are.
    name: 'newest prices of one random series',
    goal: 1.5,
    next: (size) => {
      const random = new RandomRequests(size);
      return () => ({ path: `${random.onePrice().path}?latest=50` });
    },
  },
  {
    name: 'random page of the last tenth',
    goal: 2,
    next: (size) => {
      const random = new RandomRequests(size);
      const pages = Math.ceil(size.series / PAGE_SIZE);
      return () => ({
        path: `${API_BASE}/PriceSerie/?${random.percentEncoded('page')}=${pages - random.below(Math.ceil(pages / 10))}&${random.percentEncoded('page_size')}=${PAGE_SIZE}`,
      });
    },
  },
  {
    name: 'first page of a country and a price type',
    goal: 2,
    next: (size) => {
      const random = new RandomRequests(size);
      return () => ({
        path: `${API_BASE}/PriceSerie/?${random.percentEncoded('iso3_country_codes')}=${SMALL_COUNTRY}&${random.percentEncoded('price_types_ids')}=12`,
      });
    },
  },
];
