import fc from 'fast-check';
import { randomUUID } from 'node:crypto';
import { insertChangeSet, type ChangeSetRow } from '../../src/ledger/changes/change-set.js';
import type { Transaction } from '../../src/ledger/unit-of-work.js';
import { isoFromDay } from '../../src/lib/dates/calendar-date.js';
import { PERIOD_NAMES, PERIODS, type Period } from '../../src/price-series/periodicity.js';
import { addSeriesAliases } from '../../src/price-series/series-aliases.js';
import { removeSeries } from '../../src/price-series/series-versions.js';
import { MirrorSource } from '../../src/mirror/mirror-source.js';
import { mergeWithCorrections } from '../../src/prices/store/correction-merging.js';
import { ObservationStore } from '../../src/prices/store/observation-store.js';
import { pointId } from '../../src/prices/store/point-id.js';
import { RepeatedPoints } from '../../src/prices/store/repeated-points.js';
import { testChange } from '../support/change-set.js';
import { createRecords, Factory } from '../support/factories.js';
import { addressOf, differentExports, runMirror } from '../support/mirrors.js';
import { assertProperty } from '../support/property.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

/** Histories that are made; set `HISTORIES` for a longer run by hand. */
const HISTORIES = Number(process.env.HISTORIES) || 50;
/**
 * The suite repeats the same histories, so that a run says something about the change that it
 * tests; runs by hand make new ones.
 */
const SEED = process.env.HISTORIES || process.env.PROPERTY_SEED ? {} : { seed: 1_097_166_541 };
/** 2024-01-01, and the days of points after it. */
const FIRST_DAY = 738_886;
const DAYS = 45;
const SERIES = 3;

interface Written {
  kind: 'write';
  series: number;
  points: { period: Period; offset: number; value: number; calculated: boolean; comment: string | null }[];
}
interface Joining {
  kind: 'join';
  series: number;
  into: number;
  factor: number;
  prefer: 'into' | 'from';
  start: number | null;
}
type Step =
  | Written
  | { kind: 'remove'; series: number; offset: number; days: number }
  | { kind: 'removeSeries'; series: number }
  | { kind: 'again' }
  | { kind: 'rate' | 'index'; month: number; value: number | null }
  | { kind: 'correct'; point: number; value: number | null }
  | { kind: 'add'; series: number; period: Period; offset: number; value: number }
  | { kind: 'merge'; market: number }
  | { kind: 'alias'; series: number }
  | Joining
  | { kind: 'revert'; age: number; undone: boolean }
  | { kind: 'revertSeveral'; ages: number[]; reversed: boolean };

const series = fc.nat({ max: SERIES - 1 });
/** Few values, and more of the first days, so that steps meet what others have written. */
const value = fc.integer({ min: 1, max: 8 });
const offset = fc.oneof(fc.nat({ max: DAYS }), fc.nat({ max: 3 }));
const write: fc.Arbitrary<Written> = fc.record({
  kind: fc.constant('write' as const),
  series,
  points: fc.array(
    fc.record({
      period: fc.constantFrom(...PERIODS),
      offset,
      value,
      calculated: fc.boolean(),
      comment: fc.constantFrom(null, 'checked'),
    }),
    { minLength: 1, maxLength: 12 },
  ),
});
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: write },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('remove' as const),
      series,
      offset,
      days: fc.integer({ min: 1, max: 20 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('removeSeries' as const), series }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('again' as const) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constantFrom('rate' as const, 'index' as const),
      month: fc.integer({ min: 1, max: 3 }),
      value: fc.option(value),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('correct' as const), point: fc.nat(), value: fc.option(value) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('add' as const),
      series,
      period: fc.constantFrom(...PERIODS),
      offset,
      value,
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('merge' as const), market: fc.nat({ max: 1 }) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('alias' as const), series }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('join' as const),
      series,
      into: series,
      factor: fc.constantFrom(1, 2),
      prefer: fc.constantFrom('into' as const, 'from' as const),
      start: fc.option(offset),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('revert' as const),
      age: fc.nat({ max: 3 }),
      undone: fc.boolean(),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('revertSeveral' as const),
      ages: fc.uniqueArray(fc.nat({ max: 4 }), { minLength: 2, maxLength: 3 }),
      reversed: fc.boolean(),
    }),
  },
);

/** A series is joined, its import reverted, and then the join, with which the series goes. */
const PARTED: Step[] = [
  {
    kind: 'write',
    series: 2,
    points: [{ period: 1, offset: 0, value: 1, calculated: false, comment: null }],
  },
  {
    kind: 'write',
    series: 1,
    points: [{ period: 1, offset: 0, value: 7, calculated: false, comment: null }],
  },
  { kind: 'join', series: 1, into: 2, factor: 1, prefer: 'into', start: null },
  { kind: 'revert', age: 1, undone: false },
  { kind: 'revert', age: 1, undone: false },
];

/** A corrected series whose import is reverted goes with the correction, and returns with it. */
const RETURNED: Step[] = [
  {
    kind: 'write',
    series: 2,
    points: [{ period: 3, offset: 0, value: 1, calculated: false, comment: null }],
  },
  { kind: 'index', month: 1, value: 1 },
  { kind: 'correct', point: 0, value: 7 },
  {
    kind: 'write',
    series: 0,
    points: [{ period: 1, offset: 0, value: 1, calculated: false, comment: null }],
  },
  { kind: 'revert', age: 3, undone: false },
  { kind: 'revert', age: 2, undone: true },
];

/** A correction is reverted after the import that it corrects, and stands again after it. */
const REBASED: Step[] = [
  {
    kind: 'write',
    series: 2,
    points: [{ period: 3, offset: 1, value: 7, calculated: false, comment: null }],
  },
  { kind: 'correct', point: 0, value: 5 },
  { kind: 'revertSeveral', ages: [1, 0], reversed: false },
];

/** Of two joined series the first is parted and joined again: it is still shown first. */
const JOINED_AGAIN: Step[] = [
  ...[0, 1, 2].map((series): Step => ({
    kind: 'write',
    series,
    points: [
      { period: 1, offset: series === 2 ? 5 : 0, value: series + 1, calculated: false, comment: null },
    ],
  })),
  { kind: 'join', series: 0, into: 2, factor: 1, prefer: 'into', start: null },
  { kind: 'join', series: 1, into: 2, factor: 1, prefer: 'into', start: null },
  { kind: 'revert', age: 1, undone: true },
];

/** A series goes with its correction, and its other uuid with it; its import brings both back. */
const RENAMED: Step[] = [
  {
    kind: 'write',
    series: 0,
    points: [{ period: 3, offset: 0, value: 1, calculated: false, comment: null }],
  },
  { kind: 'alias', series: 0 },
  { kind: 'correct', point: 0, value: 7 },
  { kind: 'revert', age: 2, undone: false },
  { kind: 'revert', age: 1, undone: false },
  { kind: 'revert', age: 1, undone: false },
];

const SOME_IMPORT: ChangeSetRow = {
  kind: 'import',
  state: 'done',
  startedAt: '2026-11-21T12:00:00Z',
  endedAt: '2026-11-21T12:00:00Z',
  reason: 'Test',
};

interface Reverted {
  change_set: number;
  counts: unknown;
}

/** A join in force, as it is stored. */
interface Join {
  from_id: number;
  into_id: number;
  into_uuid: string;
  factor: number;
  prefer: string;
  start_day: number | null;
}

interface StoredPoint {
  serieId: number;
  uuid: string;
  period: Period;
  day: number;
  value: number;
  comment: string;
  calculated: boolean;
}

/** A state of the data: its revision, what reads answered, and the stored points by id. */
interface State {
  revision: number;
  /** The newest change set. */
  changeSet: number;
  texts: string[];
  /** The corrections that stand. */
  corrections: unknown[];
  points: Map<number, StoredPoint>;
  /** The ids of the series that are shown by others. */
  joined: Set<number>;
}

describe('H2, H5: any history', () => {
  const store = new ObservationStore();
  let service: TestApp;
  let admin: { Authorization: string };
  let shared: { commodity_id: number; source_id: number; measure_unit_id: number };
  beforeAll(async () => {
    service = await startTestApp();
    admin = await service.authHeader();
    shared = await createRecords(service.unitOfWork, async (factory) => {
      const commodity_id = await factory.commodity({ name: 'Rice', hs_code: '100630' });
      const source_id = await factory.source();
      const unit = { name: 'Kg', dimension: 'mass', conversion_factor: 1 } as const;
      const measure_unit_id = await factory.measureUnit(unit);
      factory.transaction.markRecordModified('commodity', commodity_id, 'created');
      factory.transaction.markRecordModified('source', source_id, 'created');
      factory.transaction.markRecordModified('measure_unit', measure_unit_id, 'created');
      return { commodity_id, source_id, measure_unit_id };
    });
  });
  afterAll(() => service?.close());

  let histories = 0;
  /** Each history has a country and a currency of its own, which its reads select. */
  const nextCode = () => {
    const number = histories++;
    return [number / 676, number / 26, number]
      .map((each) => String.fromCharCode(65 + (Math.floor(each) % 26)))
      .join('');
  };
  const get = (path: string) => service.http().get(`/api/v1/${path}`).expect(200);
  const pathsOf = (code: string) => [
    `PriceSerie/?iso3_country_codes=${code}`,
    `PriceSeriePrice/?iso3_country_codes=${code}`,
    `PriceSeriePrice/?iso3_country_codes=${code}&format=csv`,
    `PriceSeriePrice/?iso3_country_codes=${code}&start_date=2024-01-10&end_date=2024-01-12`,
    `PriceSeriePrice/?iso3_country_codes=${code}&periodicity=weekly,monthly&latest=2`,
    `FpmaSeriePrice/?iso3_country_code=${code}`,
    `FxRate/?currency=${code}`,
    `Cpi/?iso3_country_code=${code}`,
  ];

  /** @returns the change set */
  const changeByImport = async (work: (transaction: Transaction) => Promise<void>) => {
    const changeSet = await service.unitOfWork.run((transaction) =>
      insertChangeSet(transaction, SOME_IMPORT),
    );
    await service.unitOfWork.change(changeSet, work);
    return changeSet;
  };

  class History {
    readonly code = nextCode();
    readonly uuids = Array.from({ length: SERIES }, () => randomUUID());
    readonly first = new Map<number, StoredPoint>();
    readonly states: State[] = [];
    /** Other uuids of series, and the imports that made them. */
    readonly aliases: { uuid: string; serieId: number; changeSet: number }[] = [];
    lastWrite: Written | null = null;
    /** Whether records were merged or series joined. */
    hasMerged = false;

    /** Makes the two markets of the series. */
    async begin(): Promise<void> {
      await createRecords(service.unitOfWork, async (factory) => {
        for (const name of ['North', 'South']) {
          const id = await factory.market({ name, iso3_country_code: this.code });
          factory.transaction.markRecordModified('market', id, 'created');
        }
      });
      await this.keep();
    }

    async apply(step: Step): Promise<void> {
      switch (step.kind) {
        case 'write':
          return this.write(step);
        case 'again':
          return this.lastWrite === null ? undefined : this.write(this.lastWrite);
        case 'remove':
          return this.remove(step.series, step.offset, step.days);
        case 'removeSeries':
          return this.removeSeries(step.series);
        case 'correct':
          return this.correct(step.point, step.value);
        case 'add':
          return this.add(step);
        case 'merge':
          this.hasMerged = true;
          return this.merge(step.market);
        case 'alias':
          return this.alias(step.series);
        case 'join':
          this.hasMerged = true;
          return this.join(step);
        case 'revert':
          return this.revert(step.age, step.undone);
        case 'revertSeveral':
          return this.revertSeveral(step.ages, step.reversed);
        default:
          return this.setValue(step.kind, step.month, step.value);
      }
    }

    private async write(step: Written): Promise<void> {
      this.lastWrite = step;
      await changeByImport(async (transaction) => {
        const serieId =
          (await this.serieId(step.series)) ?? (await this.createSeries(transaction, step.series));
        const points = step.points.map(({ offset, comment, ...point }) => ({
          ...point,
          serieId,
          day: FIRST_DAY + offset,
          comment,
        }));
        const repeated = new RepeatedPoints();
        const merged = await mergeWithCorrections(transaction, points, 'merge', repeated);
        await store.write(transaction, merged.points, null, { repeated });
        await repeated.save(transaction);
      });
    }

    private async createSeries(transaction: Transaction, index: number): Promise<number> {
      const markets = await this.markets();
      const id = await new Factory(transaction).series({
        ...shared,
        uuid: this.uuids[index]!,
        market_id: markets[index % markets.length]!,
        currency: this.code,
      });
      transaction.markSeriesModified([id], { action: 'created' });
      return id;
    }

    /** The id of one of the series; null while it is not there. */
    private async serieId(index: number): Promise<number | null> {
      const [row] = await service.database.rows<{ id: number }>('SELECT id FROM price_serie WHERE uuid = ?', [
        this.uuids[index]!,
      ]);
      return row?.id ?? null;
    }

    private async markets(): Promise<number[]> {
      const rows = await service.database.rows<{ id: number }>(
        'SELECT id FROM market WHERE iso3_country_code = ? ORDER BY id',
        [this.code],
      );
      return rows.map(({ id }) => id);
    }

    private async remove(index: number, offset: number, days: number): Promise<void> {
      const serieId = await this.serieId(index);
      if (serieId === null) return;
      const corrected = await this.corrected(serieId);
      const keys = PERIODS.flatMap((period) =>
        Array.from({ length: days }, (_, day) => ({ serieId, period, day: FIRST_DAY + offset + day })),
      ).filter(({ period, day }) => !corrected.some((one) => one.period === period && one.day === day));
      await service.unitOfWork.change(testChange, (transaction) => store.remove(transaction, keys));
    }

    /** The points of a series with a correction: only corrections remove these. */
    private corrected(serieId: number): Promise<{ period: Period; day: number }[]> {
      return service.database.rows(
        "SELECT period, day FROM correction WHERE state = 'standing' AND serie_id = ?",
        [serieId],
      );
    }

    private async removeSeries(index: number): Promise<void> {
      const id = await this.serieId(index);
      // Series that show others, or are shown by others, cannot be removed.
      if (id === null || (await this.joins()).some(({ from_id, into_id }) => [from_id, into_id].includes(id)))
        return;
      if ((await this.corrected(id)).length > 0) return;
      await service.unitOfWork.change(testChange, async (transaction) => {
        await store.removeAll(transaction, [id]);
        await removeSeries(transaction, [id]);
      });
      // Another series may be made later; its uuid is new.
      this.uuids[index] = randomUUID();
    }

    private async setValue(kind: 'rate' | 'index', month: number, value: number | null): Promise<void> {
      const date = `2024-0${month}-01`;
      const [table, key, fields] =
        kind === 'rate'
          ? ['FxRate', `currency=${this.code}`, { currency: this.code, date, rate: value }]
          : [
              'Cpi',
              `iso3_country_code=${this.code}`,
              { iso3_country_code: this.code, date, value, base_period: '2019' },
            ];
      const { body } = await get(`${table}/?${key}&date=${date}`);
      const [existing] = body as { id: number }[];
      const path = `/api/v1/${table}/`;
      if (value === null) {
        if (existing) await service.http().delete(`${path}${existing.id}/`).set(admin).expect(204);
      } else if (existing)
        await service.http().put(`${path}${existing.id}/`).set(admin).send(fields).expect(200);
      else await service.http().post(path).set(admin).send(fields).expect(201);
    }

    private async correct(index: number, price_value: number | null): Promise<void> {
      const points = (await this.storedPoints()).filter(({ calculated }) => !calculated);
      if (points.length === 0) return;
      const { uuid, serieId, period, day } = points[index % points.length]!;
      if ((await this.joins()).length > 0) {
        const correction = { uuid, periodicity: PERIOD_NAMES[period], date: isoFromDay(day), price_value };
        const { status } = await service.http().post('/api/v1/Correction/').set(admin).send([correction]);
        // It is no day of a weekly or monthly price, or the point of another series is shown.
        expect([200, 400, 409]).toContain(status);
        return;
      }
      const path = `/api/v1/PriceSeriePrice/${uuid}/${pointId(serieId, period, day)}/`;
      if (price_value === null) await service.http().delete(path).set(admin).expect(204);
      else await service.http().patch(path).set(admin).send({ price_value }).expect(200);
    }

    private async add({ series, period, offset, value }: Step & { kind: 'add' }): Promise<void> {
      if ((await this.serieId(series)) === null) return;
      const date = isoFromDay(FIRST_DAY + offset);
      const reply = await service
        .http()
        .post(`/api/v1/PriceSeriePrice/${this.uuids[series]!}/`)
        .set(admin)
        .send({ date, periodicity: PERIOD_NAMES[period], price_value: value });
      // There is one, or it is derived from others, or no day of a weekly or monthly price.
      expect([201, 400, 409]).toContain(reply.status);
    }

    private async merge(index: number): Promise<void> {
      const [from, into] = await this.markets();
      if (into === undefined) return;
      const [one, other] = index === 0 ? [from!, into] : [into, from!];
      const path = `/api/v1/Market/${one}/merge/`;
      await service.http().post(path).set(admin).send({ into: other }).expect(200);
    }

    /** An import continues a series under another uuid. */
    private async alias(index: number): Promise<void> {
      const serieId = await this.serieId(index);
      if (serieId === null) return;
      const uuid = randomUUID();
      const changeSet = await changeByImport((transaction) =>
        addSeriesAliases(transaction, [{ uuid, serieId }]),
      );
      this.aliases.push({ uuid, serieId, changeSet });
    }

    /** Expects that other uuids are there as long as their imports stand and their series are. */
    private async checkAliases(): Promise<void> {
      for (const { uuid, serieId, changeSet } of this.aliases) {
        const [found] = await service.database.rows<{ by: number | null; series: number; stored: number }>(
          'SELECT reverted_by AS `by`, (SELECT COUNT(*) FROM price_serie WHERE id = ?) AS series,' +
            ' (SELECT COUNT(*) FROM series_alias WHERE uuid = ? AND serie_id = ?) AS stored' +
            ' FROM change_set WHERE id = ?',
          [serieId, uuid, serieId, changeSet],
        );
        const { by, series, stored } = found!;
        expect([found, Number(stored)]).toEqual([found, by === null ? Number(series) : 0]);
      }
    }

    private async join({ series, into, factor, prefer, start }: Joining): Promise<void> {
      if ((await this.serieId(series)) === null || (await this.serieId(into)) === null) return;
      const body = {
        into: this.uuids[into],
        factor,
        prefer,
        ...(start === null ? {} : { start_date: isoFromDay(FIRST_DAY + start) }),
      };
      const path = `/api/v1/PriceSerie/${this.uuids[series]!}/merge/`;
      const reply = await service.http().post(path).set(admin).send(body);
      // It is the same series, or has become it.
      if (reply.status !== 400) expect([reply.status, reply.body]).toEqual([200, expect.anything()]);
      else expect(reply.body).toMatchObject({ errors: [{ code: 'same_record' }] });
    }

    private joins(): Promise<Join[]> {
      return service.database.rows<Join>(
        'SELECT j.from_id, j.into_id, s.uuid AS into_uuid, j.factor, j.prefer, j.start_day FROM series_join j' +
          ' JOIN price_serie s ON s.id = j.into_id JOIN market m ON m.id = s.market_id' +
          ' WHERE j.until IS NULL AND m.iso3_country_code = ? ORDER BY j.change_set_id, j.id',
        [this.code],
      );
    }

    /** The change sets of this history that can be reverted, newest first. */
    private revertible(): Promise<{ id: number; kind: string }[]> {
      return service.database.rows(
        "SELECT id, kind FROM change_set WHERE id > ? AND reverted_by IS NULL AND kind <> 'record' ORDER BY id DESC",
        [this.states[0]!.changeSet],
      );
    }

    /** Reverts a change set of this history, by its age; if it is undone, the revert as well. */
    private async revert(age: number, undone: boolean): Promise<void> {
      const target = (await this.revertible())[age];
      if (target === undefined) return;
      const last = this.states.at(-1)!;
      const by = await this.revertChecked(target.id);
      // Without the newest change set, everything is as it was before.
      const before = this.states.findLast(({ changeSet }) => changeSet < target.id)!;
      if (target.id === last.changeSet) await this.expectState(before, target);
      if (!undone) return;
      await this.keep();
      await this.revertChecked(by);
      await this.expectState(last, target);
    }

    /**
     * Reverts change sets of this history, by their ages, and then the reverts: in the reversed
     * order, or in the same one where no merges and joins stand in each other's way.
     */
    private async revertSeveral(ages: number[], reversed: boolean): Promise<void> {
      // Whether one change set stands may depend on another only where one of them is a revert.
      const revertible = (await this.revertible()).filter(({ kind }) => kind !== 'revert');
      const targets = ages.flatMap((age) => revertible[age] ?? []);
      const last = this.states.at(-1)!;
      const reverts: number[] = [];
      for (const { id } of targets) {
        reverts.push(await this.revertChecked(id));
        await this.keep();
      }
      if (reversed || this.hasMerged) reverts.reverse();
      for (const id of reverts) {
        await this.revertChecked(id);
        await this.keep();
      }
      await this.expectState(last, targets);
    }

    /** @returns the change set of the revert, whose counts are those of the dry run */
    private async revertChecked(id: number): Promise<number> {
      const path = `/api/v1/ChangeSet/${id}/revert/`;
      const dryRun = await service.http().post(`${path}?dry_run=true`).set(admin).expect(200);
      const done = await service.http().post(path).set(admin).expect(200);
      const { change_set, counts } = done.body as Reverted;
      expect(counts).toEqual((dryRun.body as Reverted).counts);
      return change_set;
    }

    /** Expects that reads answer as in a former state, and the same corrections stand. */
    private async expectState(former: State, reverted: object): Promise<void> {
      const { texts, corrections } = await this.read();
      expect({ reverted, texts, corrections }).toEqual({
        reverted,
        texts: former.texts,
        corrections: former.corrections,
      });
    }

    private async storedPoints(): Promise<StoredPoint[]> {
      const rows = await service.database.rows<StoredPoint & { comment: string | null }>(
        'SELECT o.serie_id AS serieId, s.uuid, o.period, o.day, o.value, o.comment, o.calculated' +
          ' FROM observation o JOIN price_serie s ON s.id = o.serie_id JOIN market m ON m.id = s.market_id' +
          ' WHERE m.iso3_country_code = ? ORDER BY o.serie_id, o.period, o.day',
        [this.code],
      );
      return rows.map((row) => ({ ...row, comment: row.comment ?? '', calculated: Boolean(row.calculated) }));
    }

    /** Keeps what the reads answer now. */
    async keep(): Promise<void> {
      for (const point of await this.storedPoints())
        if (!this.first.has(idOf(point))) this.first.set(idOf(point), point);
      this.states.push(await this.read());
      await this.checkAliases();
    }

    private async read(): Promise<State> {
      const texts: string[] = [];
      let revision = 0;
      for (const path of pathsOf(this.code)) {
        const reply = await get(path);
        texts.push(reply.text);
        revision = Number(reply.headers['data-revision']);
      }
      const joins = await this.joins();
      const points = shownPoints(await this.storedPoints(), joins);
      const joined = new Set(joins.map(({ from_id }) => from_id));
      const [newest] = await service.database.rows<{ id: number }>('SELECT MAX(id) AS id FROM change_set');
      const corrections = await service.database.rows(
        'SELECT id, serie_id, period, day, record_key, base_value, value FROM correction' +
          " WHERE state = 'standing' AND change_set_id > ? ORDER BY id",
        [this.states[0]?.changeSet ?? newest!.id],
      );
      return { revision, changeSet: newest!.id, texts, corrections, points, joined };
    }

    async check(): Promise<void> {
      for (const { revision, texts } of this.states) {
        for (const [index, path] of pathsOf(this.code).entries()) {
          const reply = await get(`${path}&as_of=r${revision}`);
          expect([path, revision, reply.text]).toEqual([path, revision, texts[index]]);
          expect(reply.headers['data-revision']).toBe(String(revision));
        }
      }
      await this.checkFirst();
      await this.checkDifferences();
      await this.checkVersions();
    }

    private async checkFirst(): Promise<void> {
      const { body } = await get(`PriceSeriePrice/?iso3_country_codes=${this.code}&first_published=true`);
      const stored = (await this.storedPoints()).map((point) => this.first.get(idOf(point))!);
      const shown = shownPoints(stored, await this.joins());
      const { results } = body as {
        results: { datapoints: { id: number; price_value: number; calculated?: true }[] }[];
      };
      for (const { id, price_value, calculated } of results.flatMap(({ datapoints }) => datapoints))
        if (calculated !== true) expect([id, price_value]).toEqual([id, shown.get(id)?.value]);
    }

    private async checkDifferences(): Promise<void> {
      for (let to = 1; to < this.states.length; to++) {
        for (const from of [to - 1, 0]) {
          const [one, other] = [this.states[from]!, this.states[to]!];
          const { body } = await get(
            `PriceSeriePrice/differences/?iso3_country_codes=${this.code}&from=r${one.revision}&to=r${other.revision}`,
          );
          const found = (body as { id: number }[]).sort((a, b) => a.id - b.id);
          expect(found).toEqual(differencesOf(one.points, other.points));
        }
      }
    }

    private async checkVersions(): Promise<void> {
      const last = this.states.at(-1)!;
      for (const { uuid, serieId, period, day } of [...last.points.values()].slice(0, 3)) {
        const id = pointId(serieId, period, day);
        const { body } = await get(`PriceSeriePrice/${uuid}/${id}/versions/`);
        const versions = body as {
          price_value: number | null;
          first_revision: number;
          last_revision: number | null;
        }[];
        for (const { revision, points, joined } of this.states) {
          // The price of a series was known while another one showed it.
          if (joined.has(serieId)) continue;
          const version = versions.find(
            ({ first_revision, last_revision }) =>
              first_revision <= revision && (last_revision ?? Infinity) >= revision,
          );
          expect([id, revision, version?.price_value ?? null]).toEqual([
            id,
            revision,
            points.get(id)?.value ?? null,
          ]);
        }
      }
    }
  }

  it(
    'reads at each of its revisions as it did then',
    async () => {
      await assertProperty(
        'histories',
        fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 10 }), async (steps) => {
          const history = new History();
          await history.begin();
          for (const each of steps) {
            await history.apply(each);
            await history.keep();
          }
          await history.check();
        }),
        {
          ...SEED,
          numRuns: HISTORIES,
          endOnFailure: true,
          examples: [[PARTED], [RETURNED], [REBASED], [JOINED_AGAIN], [RENAMED]],
        },
      );
    },
    HISTORIES * 20_000,
  );

  it(
    'H7: is the same in a mirror',
    async () => {
      const copy = await startTestApp();
      const { signal } = new AbortController();
      const source = new MirrorSource(addressOf(service), signal, () => undefined);
      await runMirror(copy, {
        source,
        signal,
        once: true,
        onCopied: () => undefined,
        onRejected: (problem) => {
          throw new Error(problem);
        },
      });
      const aliases = ({ database }: TestApp) =>
        database.rows('SELECT uuid, serie_id FROM series_alias ORDER BY uuid');
      expect(await differentExports(service, copy)).toEqual([]);
      expect(await aliases(copy)).toEqual(await aliases(service));
      await copy.close();
    },
    HISTORIES * 20_000,
  );
});

const idOf = ({ serieId, period, day }: StoredPoint) => pointId(serieId, period, day);

/**
 * What series show, by id: their own points and those of series that were joined into them. Of
 * these originals come before those marked calculated, and then those of the preferred series.
 */
function shownPoints(stored: readonly StoredPoint[], joins: readonly Join[]): Map<number, StoredPoint> {
  /** The points of a series, preferred ones first. */
  const candidates = (serieId: number): StoredPoint[] => {
    let found = stored.filter((point) => point.serieId === serieId);
    for (const { from_id, into_id, factor, prefer, start_day } of joins) {
      if (into_id !== serieId) continue;
      const joined = candidates(from_id)
        .filter(({ day }) => start_day === null || day >= start_day)
        .map((point) => ({ ...point, value: point.value * factor }));
      found = prefer === 'from' ? [...joined, ...found] : [...found, ...joined];
    }
    return found;
  };
  const place = ({ calculated }: StoredPoint) => Number(calculated);
  const shown = new Map<number, StoredPoint>();
  for (const serieId of new Set([...stored.map((point) => point.serieId), ...joins.map((j) => j.into_id)])) {
    if (joins.some(({ from_id }) => from_id === serieId)) continue;
    const into = joins.find(({ into_id }) => into_id === serieId);
    for (const point of candidates(serieId).sort((one, other) => place(one) - place(other))) {
      const id = pointId(serieId, point.period, point.day);
      if (!shown.has(id)) shown.set(id, { ...point, serieId, uuid: into?.into_uuid ?? point.uuid });
    }
  }
  return shown;
}

function differencesOf(before: ReadonlyMap<number, StoredPoint>, after: ReadonlyMap<number, StoredPoint>) {
  const ids = [...new Set([...before.keys(), ...after.keys()])].sort((one, other) => one - other);
  return ids.flatMap((id) => {
    const [one, other] = [before.get(id), after.get(id)];
    if (one?.value === other?.value && one?.comment === other?.comment) return [];
    const { uuid, period, day } = (one ?? other)!;
    return [
      {
        uuid,
        id,
        periodicity: PERIOD_NAMES[period],
        date: isoFromDay(day),
        action: one === undefined ? 'added' : other === undefined ? 'removed' : 'changed',
        before: one?.value ?? null,
        after: other?.value ?? null,
        comment_before: one?.comment ?? null,
        comment_after: other?.comment ?? null,
      },
    ];
  });
}
