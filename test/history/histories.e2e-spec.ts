import fc from 'fast-check';
import { randomUUID } from 'node:crypto';
import { isoFromDay } from '../../src/lib/dates/calendar-date.js';
import { PERIOD_NAMES, PERIODS, type Period } from '../../src/price-series/periodicity.js';
import { removeSeries } from '../../src/price-series/series-versions.js';
import { ObservationStore } from '../../src/prices/store/observation-store.js';
import { pointId } from '../../src/prices/store/point-id.js';
import { testChange } from '../support/change-set.js';
import { storeSeries } from '../support/price-fixture.js';
import { assertProperty } from '../support/property.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

/** Histories that are made; set `HISTORIES` for a longer run by hand. */
const HISTORIES = Number(process.env.HISTORIES) || 50;
/** 2024-01-01, and the days of points after it. */
const FIRST_DAY = 738_886;
const DAYS = 45;
const SERIES = 3;

interface Written {
  kind: 'write';
  series: number;
  points: { period: Period; offset: number; value: number; calculated: boolean; comment: string | null }[];
}
type Step =
  | Written
  | { kind: 'remove'; series: number; offset: number; days: number }
  | { kind: 'removeSeries'; series: number }
  | { kind: 'again' }
  | { kind: 'rate' | 'index'; month: number; value: number | null };

const series = fc.nat({ max: SERIES - 1 });
const value = fc.integer({ min: 1, max: 20 });
const write: fc.Arbitrary<Written> = fc.record({
  kind: fc.constant('write' as const),
  series,
  points: fc.array(
    fc.record({
      period: fc.constantFrom(...PERIODS),
      offset: fc.nat({ max: DAYS }),
      value,
      calculated: fc.boolean(),
      comment: fc.constantFrom(null, 'checked', 'Forecast'),
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
      offset: fc.nat({ max: DAYS }),
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
);

interface StoredPoint {
  serieId: number;
  uuid: string;
  period: Period;
  day: number;
  value: number;
  comment: string;
}

/** A state of the data: its revision, what reads answered, and the stored points by id. */
interface State {
  revision: number;
  texts: string[];
  points: Map<number, StoredPoint>;
}

describe('any history', () => {
  const store = new ObservationStore();
  let service: TestApp;
  let admin: { Authorization: string };
  beforeAll(async () => {
    service = await startTestApp();
    admin = await service.authHeader();
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

  class History {
    readonly code = nextCode();
    readonly uuids = Array.from({ length: SERIES }, () => randomUUID());
    readonly ids: (number | null)[] = this.uuids.map(() => null);
    readonly first = new Map<number, number>();
    readonly states: State[] = [];
    lastWrite: Written | null = null;

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
        default:
          return this.setValue(step.kind, step.month, step.value);
      }
    }

    private async write(step: Written): Promise<void> {
      this.lastWrite = step;
      const uuid = this.uuids[step.series]!;
      if (this.ids[step.series] === null) {
        const market = { iso3_country_code: this.code, name: this.code };
        const stored = await storeSeries(service.unitOfWork, [{ uuid, market, currency: this.code }]);
        this.ids[step.series] = stored.get(uuid)!;
      }
      const serieId = this.ids[step.series]!;
      await service.unitOfWork.change(testChange, (transaction) =>
        store.write(
          transaction,
          step.points.map(({ offset, comment, ...point }) => ({
            ...point,
            serieId,
            day: FIRST_DAY + offset,
            comment,
            forecast: comment === 'Forecast',
          })),
        ),
      );
    }

    private async remove(index: number, offset: number, days: number): Promise<void> {
      const serieId = this.ids[index] ?? null;
      if (serieId === null) return;
      const keys = PERIODS.flatMap((period) =>
        Array.from({ length: days }, (_, day) => ({ serieId, period, day: FIRST_DAY + offset + day })),
      );
      await service.unitOfWork.change(testChange, (transaction) => store.remove(transaction, keys));
    }

    private async removeSeries(index: number): Promise<void> {
      const id = this.ids[index] ?? null;
      if (id === null) return;
      await service.unitOfWork.change(testChange, async (transaction) => {
        await store.removeAll(transaction, [id]);
        await removeSeries(transaction, [id]);
      });
      this.ids[index] = null;
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

    /** Keeps what the reads answer now. */
    async keep(): Promise<void> {
      const texts: string[] = [];
      let revision = 0;
      for (const path of pathsOf(this.code)) {
        const reply = await get(path);
        texts.push(reply.text);
        revision = Number(reply.headers['data-revision']);
      }
      const points = new Map<number, StoredPoint>();
      for (const [index, serieId] of this.ids.entries()) {
        if (serieId === null) continue;
        const rows = await service.database.rows<{
          period: Period;
          day: number;
          value: number;
          comment: string | null;
        }>('SELECT period, day, value, comment FROM observation WHERE serie_id = ?', [serieId]);
        for (const { period, day, value, comment } of rows) {
          const id = pointId(serieId, period, day);
          points.set(id, { serieId, uuid: this.uuids[index]!, period, day, value, comment: comment ?? '' });
          if (!this.first.has(id)) this.first.set(id, value);
        }
      }
      this.states.push({ revision, texts, points });
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
      const { results } = body as {
        results: { datapoints: { id: number; price_value: number; calculated?: true }[] }[];
      };
      for (const { id, price_value, calculated } of results.flatMap(({ datapoints }) => datapoints))
        if (calculated !== true) expect([id, price_value]).toEqual([id, this.first.get(id)]);
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
        for (const { revision, points } of this.states) {
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
        fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 7 }), async (steps) => {
          const history = new History();
          await history.keep();
          for (const each of steps) {
            await history.apply(each);
            await history.keep();
          }
          await history.check();
        }),
        { numRuns: HISTORIES, endOnFailure: true },
      );
    },
    HISTORIES * 20_000,
  );
});

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
