import { Injectable } from '@nestjs/common';
import { NotFound } from '../common/errors/api-error.js';
import { Pace } from '../common/scheduling/pace.js';
import { pageBounds, type PageRequest } from '../common/pagination/page.js';
import type { CatalogueSnapshot } from '../price-series/catalogue-snapshot.js';
import type { Criteria } from '../price-series/criteria.js';
import { select } from '../price-series/selection.js';
import { PointPresence } from './point-presence.js';
import type { PointKey } from './point-id.js';
import { PointWindow, expectedPoints } from './point-window.js';
import { PriceGathering, type Gathered } from './price-gathering.js';
import { pricePoints, type PriceShape } from './price-shape.js';

/** Points of an answer that is gathered whole before its first byte, so that all of it is of one state of the data. */
const WHOLE_ANSWER = 400_000;
/** Points that all answers in work may have gathered; where less is left, an answer is gathered batch by batch. */
const ROOM = 1_500_000;
/** Points of one batch of a longer answer. */
const BATCH = 40_000;
/** Bytes of one part of an answer: some tenths of a millisecond of writing. */
const PART = 128 * 1024;
/** Series that are counted between two turns of others. */
const SERIES_AT_ONCE = 500;

/** Which prices are asked for: of which series, and which points of each. */
export interface PriceQuery {
  criteria: Criteria;
  window: PointWindow;
  /** Null for all series. */
  page: PageRequest | null;
}

/** What stands around the price objects of an answer. */
export interface PriceFrame {
  /** @param count series with a point that is asked for; only told of a paged list */
  head(count: number, lastPage: number): string;
  separator: string;
  tail: string;
}

/** The prices of series. Derived points, dollars and real terms are reckoned as they are asked for. */
@Injectable()
export class PricesService {
  private room = ROOM;

  constructor(
    private readonly gathering: PriceGathering,
    private readonly presence: PointPresence,
  ) {}

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
    return Buffer.concat(gathered.text(0));
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
    return gathered.places.length > 0 && gathered.hasPoints(0) ? Buffer.concat(gathered.text(0)) : null;
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
    const joiner = new Joiner();
    const pace = new Pace();
    let reserved = 0;
    try {
      const gathering = this.gathering.begin(window, shape, gone);
      const start = await this.gathering.consistently(
        gone,
        async (state) => {
          const { catalogue } = state;
          const present = await this.presence.among(select(catalogue, criteria), window, pace, gone);
          if (present === null) return null;
          const bounds = page && pageBounds(page, present.length);
          const places = bounds ? present.subarray(bounds.offset, bounds.offset + bounds.limit) : present;
          const points = await pointsExpected(catalogue, places, window, pace);
          this.room += reserved;
          const whole = points <= Math.min(WHOLE_ANSWER, this.room);
          this.room -= reserved = whole ? points : 0;
          const gathered = whole ? await gathering.gather(state, Array.from(places)) : undefined;
          if (gathered === null) return null;
          return { catalogue, places, gathered, count: present.length, lastPage: bounds?.lastPage ?? 1 };
        },
        () => gathering.progress,
      );
      yield* joiner.add(Buffer.from(frame.head(start.count, start.lastPage)));
      let separator = '';
      for await (const gathered of start.gathered
        ? [start.gathered]
        : this.batches(start, window, shape, gone)) {
        for (let index = 0; index < gathered.places.length; index++) {
          if (!gathered.hasPoints(index)) continue;
          yield* joiner.add(Buffer.from(separator), ...gathered.text(index));
          ({ separator } = frame);
        }
      }
      yield* joiner.add(Buffer.from(frame.tail));
      yield* joiner.rest();
    } finally {
      this.room += reserved;
    }
  }

  /** The series of a long answer, batch by batch, each in the state that is the newest when its turn comes. */
  private async *batches(
    { catalogue, places }: { catalogue: CatalogueSnapshot; places: Uint32Array },
    window: PointWindow,
    shape: PriceShape,
    gone: AbortSignal,
  ): AsyncGenerator<Gathered> {
    for (let from = 0; from < places.length;) {
      let to = from;
      for (let points = 0; to < places.length && to - from < SERIES_AT_ONCE && points < BATCH; to++) {
        points += expectedOf(catalogue, places[to]!, window);
      }
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

/** Puts short pieces together to parts of a length that is worth a write. */
class Joiner {
  private pieces: Buffer[] = [];
  private length = 0;

  *add(...pieces: Buffer[]): Iterable<Buffer> {
    for (const piece of pieces) {
      this.pieces.push(piece);
      this.length += piece.length;
    }
    if (this.length >= PART) yield* this.rest();
  }

  *rest(): Iterable<Buffer> {
    yield Buffer.concat(this.pieces, this.length);
    this.pieces = [];
    this.length = 0;
  }
}

function expectedOf(catalogue: CatalogueSnapshot, place: number, window: PointWindow): number {
  const items = catalogue.itemsAt(place);
  const range = window.narrowed(items).stored(items);
  return range === null ? 0 : expectedPoints(items, range);
}

/** About how many points some series hold of a window; counting ends where it is too many to matter. */
async function pointsExpected(
  catalogue: CatalogueSnapshot,
  places: Uint32Array,
  window: PointWindow,
  pace: Pace,
): Promise<number> {
  let points = 0;
  for (let index = 0; index < places.length && points <= WHOLE_ANSWER; index++) {
    points += expectedOf(catalogue, places[index]!, window);
    if (index % SERIES_AT_ONCE === 0) await pace.rest();
  }
  return points;
}

/** The places that series of an earlier state have now; those that are gone are left out. */
function placesNow(now: CatalogueSnapshot, before: CatalogueSnapshot, places: number[]): number[] {
  if (now === before) return places;
  return places.map((place) => now.find(before.uuidAt(place))).filter((place) => place !== null);
}
