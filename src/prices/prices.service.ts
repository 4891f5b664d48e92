import { Injectable } from '@nestjs/common';
import { NotFound } from '../common/errors/api-error.js';
import { TimeSlice } from '../common/scheduling/time-slice.js';
import { pageBounds, type PageRequest } from '../common/pagination/page.js';
import type { CatalogueSnapshot } from '../price-series/catalogue-snapshot.js';
import type { Criteria } from '../price-series/criteria.js';
import { select } from '../price-series/selection.js';
import { PointCoverage } from './point-coverage.js';
import type { PointKey } from './point-id.js';
import { PointWindow, expectedPoints } from './point-window.js';
import { PriceGathering, type Gathered } from './price-gathering.js';
import { pricePoints, type PriceShape } from './price-shape.js';

/** Bounds of answers about prices. Tests make them smaller. */
@Injectable()
export class PriceLimits {
  /** Points of an answer that is gathered whole before its first byte, so that all of it is of one state of the data. */
  wholeAnswer = 400_000;
  /** Points that all answers in work may have gathered; where less is left, an answer is gathered batch by batch. */
  room = 1_500_000;
  /** Points of one batch of a longer answer. */
  batch = 40_000;
  /** Bytes that short pieces of an answer are put together to. */
  part = 64 * 1024;
}

/** A batch takes no more than this part of the room that is left. */
const SHARES = 20;
/** Series that are counted between two turns of others, and the most of a batch. */
const SERIES_AT_ONCE = 500;

/** Which prices are asked for: of which series, and which points of each. */
export interface PriceQuery {
  criteria: Criteria;
  window: PointWindow;
  /** Null for all series. */
  page: PageRequest | null;
}

/** What is known of a list of prices before it is written. */
export interface PriceListStart {
  /** Series of all pages that have a point that is asked for. */
  count: number;
  lastPage: number;
  /** About how many points this page has, from above. */
  points: number;
}

/** What stands around the price objects of an answer. */
export interface PriceFrame {
  head(start: PriceListStart): string;
  tail: string;
}

/** The prices of series. Derived points, dollars and real terms are reckoned as they are asked for. */
@Injectable()
export class PricesService {
  private readonly room: Room;

  constructor(
    private readonly gathering: PriceGathering,
    private readonly presence: PointCoverage,
    private readonly limits: PriceLimits,
  ) {
    this.room = new Room(limits);
  }

  /**
   * The prices of one series.
   * @param gone stops the work: the client has left
   * @throws NotFound where there is no such series, or the text is no uuid
   */
  async single(uuid: string, window: PointWindow, shape: PriceShape, gone: AbortSignal): Promise<Buffer> {
    const gathering = this.gathering.begin(window, shape, gone);
    const gathered = await this.gathering.consistently(
      gone,
      async (state) => {
        const place = state.catalogue.find(uuid);
        if (place === null) throw new NotFound('There is no price series with this uuid.');
        return gathering.gather(state, [place]);
      },
      () => gathering.progress,
    );
    return gathered.text(0, true);
  }

  /**
   * One point of a series as an object of JSON; null where there is no such series or point.
   * @param gone stops the work: the client has left
   */
  async point(uuid: string, { serieId, period, day }: PointKey, gone: AbortSignal): Promise<Buffer | null> {
    const gathering = this.gathering.begin(new PointWindow([period], day, day), pricePoints, gone);
    const gathered = await this.gathering.consistently(
      gone,
      async (state) => {
        const place = state.catalogue.find(uuid);
        const isOfSeries = place !== null && state.catalogue.idAt(place) === serieId;
        return gathering.gather(state, isOfSeries ? [place] : []);
      },
      () => gathering.progress,
    );
    return gathered.places.length > 0 && gathered.hasPoints(0) ? gathered.text(0, true) : null;
  }

  /**
   * Looks whether there is the page that is asked for.
   * @throws NotFound past the last page
   */
  async checkPage({ criteria, window, page }: PriceQuery, gone: AbortSignal): Promise<void> {
    if (page === null) return;
    const present = await this.gathering.consistently(gone, ({ catalogue }) =>
      this.presence.among(select(catalogue, criteria), window, new TimeSlice(), gone),
    );
    pageBounds(page, present.length);
  }

  /**
   * The prices of the series that are asked for, in the order of the lists; series without a point that is asked for are left out.
   * Nothing is done before the first part is asked for.
   *
   * All of an answer is of one state of the data, as long as it has no more than some hundred thousand points. A longer one is of
   * one state for each batch of series, because it may take hours to read.
   * @throws NotFound past the last page
   */
  async *parts(
    { criteria, window, page }: PriceQuery,
    frame: PriceFrame,
    shape: PriceShape,
    gone: AbortSignal,
  ): AsyncGenerator<Buffer> {
    const joiner = new Joiner(this.limits.part);
    const reservation = this.room.reservation();
    try {
      const start = await this.begin({ criteria, window, page }, shape, reservation, gone);
      yield* joiner.add(Buffer.from(frame.head(start)));
      let first = true;
      const batches = start.gathered
        ? [start.gathered]
        : this.batches(start, window, shape, reservation, gone);
      for await (const gathered of batches) {
        for (let index = 0; index < gathered.places.length; index++) {
          if (!gathered.hasPoints(index)) continue;
          yield* joiner.add(gathered.text(index, first));
          first = false;
        }
      }
      yield* joiner.add(Buffer.from(frame.tail));
      yield* joiner.rest();
    } finally {
      reservation.end();
    }
  }

  /** Chooses the series of an answer, and gathers all of them where there is room for it. */
  private begin(
    { criteria, window, page }: PriceQuery,
    shape: PriceShape,
    reservation: Reservation,
    gone: AbortSignal,
  ): Promise<Start> {
    const pace = new TimeSlice();
    const gathering = this.gathering.begin(window, shape, gone);
    return this.gathering.consistently(
      gone,
      async (state) => {
        const { catalogue } = state;
        const present = await this.presence.among(select(catalogue, criteria), window, pace, gone);
        if (present === null) return null;
        const bounds = page && pageBounds(page, present.length);
        const places = bounds ? present.subarray(bounds.offset, bounds.offset + bounds.limit) : present;
        const points = await pointsExpected(catalogue, places, window, this.limits.wholeAnswer, pace);
        const start = { catalogue, places, points, count: present.length, lastPage: bounds?.lastPage ?? 1 };
        if (points > this.limits.wholeAnswer || !reservation.take(points))
          return { ...start, gathered: null };
        const gathered = await gathering.gather(state, Array.from(places));
        return gathered && { ...start, gathered };
      },
      () => gathering.progress,
    );
  }

  /** The series of a long answer, batch by batch, each in the state that is the newest when its turn comes. */
  private async *batches(
    { catalogue, places }: Start,
    window: PointWindow,
    shape: PriceShape,
    reservation: Reservation,
    gone: AbortSignal,
  ): AsyncGenerator<Gathered> {
    for (let from = 0; from < places.length;) {
      reservation.end();
      const most = Math.min(this.limits.batch, this.room.share);
      let to = from;
      let points = 0;
      // One series at least, however little room there is.
      do points += expectedOf(catalogue, places[to++]!, window);
      while (to < places.length && to - from < SERIES_AT_ONCE && points < most);
      reservation.take(points);
      const batch = Array.from(places.subarray(from, to));
      const gathering = this.gathering.begin(window, shape, gone);
      yield await this.gathering.consistently(
        gone,
        (state) => gathering.gather(state, placesNow(state.catalogue, catalogue, batch)),
        () => gathering.progress,
      );
      from = to;
    }
  }
}

/** The series of an answer in the state that it begins with. */
interface Start extends PriceListStart {
  catalogue: CatalogueSnapshot;
  places: Uint32Array;
  /** Their prices; null where they are too many to be gathered at once. */
  gathered: Gathered | null;
}

/** The points that answers in work may hold in memory together. Readers are slow at times, so answers hold them long. */
class Room {
  held = 0;

  constructor(private readonly limits: PriceLimits) {}

  get left(): number {
    return this.limits.room - this.held;
  }

  /** What one batch may take: the less, the less is left, so that there is some for everyone. */
  get share(): number {
    return this.left / SHARES;
  }

  reservation(): Reservation {
    return new Reservation(this);
  }
}

/** What one answer has taken of the room. */
class Reservation {
  private points = 0;

  constructor(private readonly room: Room) {}

  /** @returns false where there is not so much left; nothing is taken then */
  take(points: number): boolean {
    this.end();
    if (points > this.room.left) return false;
    this.room.held += points;
    this.points = points;
    return true;
  }

  end(): void {
    this.room.held -= this.points;
    this.points = 0;
  }
}

/** Puts short pieces together to parts of a length that is worth a write; long ones are parts as they are. */
class Joiner {
  private pieces: Buffer[] = [];
  private length = 0;

  constructor(private readonly part: number) {}

  *add(piece: Buffer): Iterable<Buffer> {
    if (piece.length >= this.part / 4) {
      yield* this.rest();
      yield piece;
      return;
    }
    this.pieces.push(piece);
    this.length += piece.length;
    if (this.length >= this.part) yield* this.rest();
  }

  *rest(): Iterable<Buffer> {
    if (this.length > 0) yield Buffer.concat(this.pieces, this.length);
    this.pieces = [];
    this.length = 0;
  }
}

/** About how many points a series holds of a window, from above. */
function expectedOf(catalogue: CatalogueSnapshot, place: number, window: PointWindow): number {
  const items = catalogue.itemsAt(place);
  const range = window.narrowed(items).stored(items);
  if (range === null) return 0;
  return Math.min(expectedPoints(items, range), window.latest * window.items(items).length);
}

/** About how many points some series hold of a window; counting ends where it is too many to matter. */
async function pointsExpected(
  catalogue: CatalogueSnapshot,
  places: Uint32Array,
  window: PointWindow,
  most: number,
  pace: TimeSlice,
): Promise<number> {
  let points = 0;
  for (let index = 0; index < places.length && points <= most; index++) {
    points += expectedOf(catalogue, places[index]!, window);
    if (index % SERIES_AT_ONCE === 0) await pace.yield();
  }
  return points;
}

/** The places that series of an earlier state have now; those that are gone are left out. */
function placesNow(now: CatalogueSnapshot, before: CatalogueSnapshot, places: number[]): number[] {
  if (now === before) return places;
  return places.map((place) => now.find(before.uuidAt(place))).filter((place) => place !== null);
}
