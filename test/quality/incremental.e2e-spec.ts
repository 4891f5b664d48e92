import fc from 'fast-check';
import { randomUUID } from 'node:crypto';
import type { Transaction } from '../../src/ledger/unit-of-work.js';
import { ImportService } from '../../src/import/import.service.js';
import { createInput } from '../../src/import/pipeline/input.js';
import { isoFromDay } from '../../src/lib/dates/calendar-date.js';
import { PERIOD_NAMES, type Period } from '../../src/price-series/periodicity.js';
import { correctionsOfSeries, endCorrections } from '../../src/ledger/corrections/correction-store.js';
import { removeSeries } from '../../src/price-series/series-versions.js';
import { mergeWithCorrections } from '../../src/prices/store/correction-merging.js';
import { ObservationStore } from '../../src/prices/store/observation-store.js';
import { pointId } from '../../src/prices/store/point-id.js';
import { RepeatedPoints } from '../../src/prices/store/repeated-points.js';
import { checks } from '../../src/quality/checks/index.js';
import { subjectText } from '../../src/quality/checks/check.js';
import { checkEverything } from '../support/check-everything.js';
import { testChange } from '../support/change-set.js';
import { createRecords, Factory } from '../support/factories.js';
import { chunksOf } from '../support/import-input.js';
import { assertProperty } from '../support/property.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

/** Changes that are made; set `FINDING_CHANGES` for a longer run by hand. */
const CHANGES = Number(process.env.FINDING_CHANGES) || 40;
/** Changes of one database. */
const CHANGES_OF_RUN = 20;

const COUNTRIES = ['KEN', 'UGA'];
const COMMODITIES = ['Rice', 'Maize', 'Tomatoes'];
const CATEGORIES = ['cereals', 'Vegetables and fruits'];
const CURRENCIES = ['KES', 'UGX', 'USD'];
/** Few values, of which many stand apart from each other. */
const VALUES = [10, 10, 11, 12, 30, 36, 100, 110, 1000];
const MONTHS = 16;

type Step =
  | { kind: 'create'; commodity: number; market: number; currency: number; values: number[] }
  | { kind: 'write'; series: number; month: number; values: number[]; period: Period; future: boolean }
  | { kind: 'import'; commodity: number; market: number; month: number; values: number[] }
  | { kind: 'remove'; series: number; month: number; months: number }
  | { kind: 'removeSeries'; series: number }
  | { kind: 'correct'; point: number; value: number | null }
  | { kind: 'correction'; point: number; value: number }
  | { kind: 'merge'; table: 'Market' | 'Commodity'; from: number; into: number }
  | { kind: 'join'; from: number; into: number; factor: number; prefer: 'into' | 'from' }
  | { kind: 'category'; commodity: number; category: number }
  | { kind: 'name'; table: 'Market' | 'Commodity'; record: number }
  | { kind: 'country'; market: number; country: number }
  | { kind: 'unit'; unit: number; factor: number }
  | { kind: 'rate'; month: number; value: number | null }
  | { kind: 'index'; month: number; value: number | null }
  | { kind: 'group'; commodity: number; market: number; series: number; month: number; swapped: boolean }
  | { kind: 'revert'; age: number };

const nat = (max: number) => fc.nat({ max });
const value = fc.constantFrom(...VALUES);
/** Prices of one level, of which some stand apart. */
const values = (minLength: number, maxLength: number) =>
  fc.array(fc.oneof({ weight: 4, arbitrary: fc.constant(10) }, { weight: 1, arbitrary: value }), {
    minLength,
    maxLength,
  });
const times = (count: number, price: number) => Array.from({ length: count }, () => price);
/** Prices of a new series. */
const history: fc.Arbitrary<number[]> = fc.oneof(
  { weight: 4, arbitrary: values(4, MONTHS) },
  { weight: 1, arbitrary: fc.constant<number[]>(times(26, 12)) },
  { weight: 1, arbitrary: fc.constant<number[]>([...times(6, 10), ...times(6, 30)]) },
  { weight: 1, arbitrary: fc.constant<number[]>([...times(8, 10), 36]) },
);
const of = <K extends Step['kind']>(
  kind: K,
  fields: {
    [F in keyof Omit<Extract<Step, { kind: K }>, 'kind'>]: fc.Arbitrary<Extract<Step, { kind: K }>[F]>;
  },
) => fc.record({ kind: fc.constant(kind), ...fields }) as unknown as fc.Arbitrary<Step>;

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: of('create', {
      commodity: nat(9),
      market: nat(9),
      currency: nat(2),
      values: history,
    }),
  },
  {
    weight: 3,
    arbitrary: of('group', {
      commodity: nat(9),
      market: nat(9),
      series: fc.integer({ min: 2, max: 6 }),
      month: fc.integer({ min: 3, max: 8 }),
      swapped: fc.boolean(),
    }),
  },
  {
    weight: 6,
    arbitrary: of('write', {
      series: nat(20),
      month: nat(MONTHS),
      values: values(1, 6),
      period: fc.constantFrom<Period>(3, 3, 3, 2, 1),
      future: fc.boolean(),
    }),
  },
  {
    weight: 3,
    arbitrary: of('import', { commodity: nat(9), market: nat(9), month: nat(MONTHS), values: values(1, 12) }),
  },
  { weight: 2, arbitrary: of('remove', { series: nat(20), month: nat(MONTHS), months: nat(6) }) },
  { weight: 1, arbitrary: of('removeSeries', { series: nat(20) }) },
  { weight: 4, arbitrary: of('correct', { point: fc.nat(), value: fc.option(value) }) },
  { weight: 3, arbitrary: of('correction', { point: fc.nat(), value }) },
  {
    weight: 1,
    arbitrary: of('merge', {
      table: fc.constantFrom('Market' as const, 'Commodity' as const),
      from: nat(9),
      into: nat(9),
    }),
  },
  {
    weight: 2,
    arbitrary: of('join', {
      from: nat(20),
      into: nat(20),
      factor: fc.constantFrom(1, 10),
      prefer: fc.constantFrom('into' as const, 'from' as const),
    }),
  },
  { weight: 1, arbitrary: of('category', { commodity: nat(9), category: nat(1) }) },
  {
    weight: 1,
    arbitrary: of('name', {
      table: fc.constantFrom('Market' as const, 'Commodity' as const),
      record: nat(9),
    }),
  },
  { weight: 2, arbitrary: of('country', { market: nat(9), country: nat(1) }) },
  { weight: 1, arbitrary: of('unit', { unit: nat(9), factor: fc.constantFrom(1, 0.5, 1000) }) },
  {
    weight: 1,
    arbitrary: of('rate', { month: nat(MONTHS), value: fc.option(value) }),
  },
  { weight: 1, arbitrary: of('index', { month: nat(MONTHS), value: fc.option(value) }) },
  { weight: 4, arbitrary: of('revert', { age: nat(4) }) },
);

/** Of the first month, 2024-01. */
const monthDate = (month: number) =>
  `${2024 + Math.floor(month / 12)}-${String((month % 12) + 1).padStart(2, '0')}-01`;
/** 2024-01-01, and the first day after the running month of the tests' clock. */
const FIRST_DAY = 738_886;
const FUTURE_DAY = 739_951;

/** Tables of what checks compare, and how their rows are ordered. */
const KEPT = [
  ['series_outlier', 'serie_id, day'],
  ['series_step', 'serie_id, day'],
  ['series_digest', 'serie_id'],
  ['series_group', 'serie_id'],
] as const;

class Undo extends Error {}

describe('findings', () => {
  const store = new ObservationStore();
  let service: TestApp;
  let admin: { Authorization: string };
  let shared: { source_id: number; measure_unit_id: number };
  beforeAll(async () => {
    service = await startTestApp();
    admin = await service.authHeader();
    shared = await createRecords(service.unitOfWork, async (factory) => ({
      source_id: await factory.source(),
      measure_unit_id: await factory.measureUnit({ name: 'KG', dimension: 'mass', conversion_factor: 1 }),
    }));
  });
  afterAll(() => service?.close());

  const ids = async (sql: string) => (await service.database.rows<{ id: number }>(sql)).map(({ id }) => id);
  const pick = <T>(items: readonly T[], index: number): T | undefined =>
    items.length === 0 ? undefined : items[index % items.length];
  /** Replies by address and status: that requests do change something. */
  const replies = new Map<string, number>();
  const send = async (method: 'post' | 'patch' | 'put' | 'delete', path: string, body: object = {}) => {
    const { status } = await service.http()[method](`/api/v1/${path}`).set(admin).send(body);
    const kind = `${method} ${path.replace(/\/$/, '').replace(/[0-9a-f-]{36}|[0-9]+/g, '*')} ${status}`;
    replies.set(kind, (replies.get(kind) ?? 0) + 1);
    expect(status).toBeLessThan(500);
  };
  const allSeries = () =>
    service.database.rows<{ id: number; uuid: string }>('SELECT id, uuid FROM price_serie ORDER BY id');

  async function record(table: 'market' | 'commodity', index: number): Promise<number> {
    const existing = await ids(`SELECT id FROM ${table} ORDER BY id`);
    if (existing.length > 0 && (existing.length > 4 || index % 2 === 0)) return pick(existing, index)!;
    return createRecords(service.unitOfWork, (factory) =>
      table === 'market'
        ? factory.market({
            name: `Market ${randomUUID()}`,
            iso3_country_code: COUNTRIES[index % 2]!,
          })
        : factory.commodity({
            name: `${COMMODITIES[index % 3]} ${randomUUID()}`,
            category: CATEGORIES[index % 2]!,
          }),
    );
  }

  async function write(
    transaction: Transaction,
    serieId: number,
    days: number[],
    period: Period,
    step: number[],
  ) {
    const points = step.map((value, index) => ({
      serieId,
      period,
      day: days[index]!,
      value,
      calculated: false,
      comment: null,
    }));
    const repeated = new RepeatedPoints();
    const merged = await mergeWithCorrections(transaction, points, 'merge', repeated);
    await store.write(transaction, merged.points, null, { repeated });
    await repeated.save(transaction);
  }

  const monthDays = (month: number, count: number) => {
    const rows: number[] = [];
    for (let index = 0; index < count; index++) {
      const date = new Date(`${monthDate(month + index)}T00:00:00Z`);
      rows.push(FIRST_DAY + Math.round((date.getTime() - Date.UTC(2024, 0, 1)) / 86_400_000));
    }
    return rows;
  };

  /** The number of the step, for texts that differ. */
  let made = 0;

  async function apply(step: Step): Promise<void> {
    made++;
    switch (step.kind) {
      case 'create': {
        const [commodity_id, market_id] = [
          await record('commodity', step.commodity),
          await record('market', step.market),
        ];
        const days = monthDays(0, step.values.length);
        await service.unitOfWork.change(testChange, async (transaction) => {
          const currency = CURRENCIES[step.currency]!;
          const fields = { ...shared, uuid: randomUUID(), commodity_id, market_id, currency };
          const id = await new Factory(transaction).series(fields);
          transaction.markSeriesModified([id], { action: 'created' });
          await write(transaction, id, days, 3, step.values);
        });
        return;
      }
      case 'group': {
        const [commodity, other] = [
          await record('commodity', step.commodity),
          await record('commodity', step.commodity + 1),
        ];
        const market_id = await record('market', step.market);
        const days = monthDays(0, 12);
        await service.unitOfWork.change(testChange, async (transaction) => {
          for (let index = 0; index < step.series; index++) {
            const isOther = step.swapped && index % 2 === 1;
            const [level, apart] = isOther ? [100, 11] : [12, 95];
            const commodity_id = isOther ? other : commodity;
            const fields = { ...shared, uuid: randomUUID(), commodity_id, market_id, currency: 'KES' };
            const id = await new Factory(transaction).series(fields);
            transaction.markSeriesModified([id], { action: 'created' });
            const prices = days.map((_, month) => (month === step.month ? apart : level));
            await write(transaction, id, days, 3, prices);
          }
        });
        return;
      }
      case 'write': {
        const series = pick(await allSeries(), step.series);
        if (series === undefined) return;
        const days = monthDays(step.month, step.values.length);
        const { period, future } = step;
        const first = future ? FUTURE_DAY : days[0]!;
        const placed =
          period === 3 && !future ? days : days.map((_, index) => first + (period === 1 ? 1 : 7) * index);
        await service.unitOfWork.change(testChange, (transaction) =>
          write(transaction, series.id, placed, period, step.values),
        );
        return;
      }
      case 'import': {
        const lines = step.values.map(
          (value, index) =>
            `${COUNTRIES[step.market % 2]},${monthDate(step.month + index)},,,Imported ${step.market % 4},,,cereals,` +
            `Imported ${step.commodity % 2},KG,actual,Retail,KES,${value},1`,
        );
        const header =
          'countryiso3,date,admin1,admin2,market,latitude,longitude,category,commodity,unit,priceflag,pricetype,currency,price,usdprice';
        const text = `${[header, ...lines].join('\n')}\n`;
        const request = { format: 'wfp', options: {}, dryRun: false, caller: null, requestId: null };
        await service.app.get(ImportService).import(request, createInput(chunksOf(text), '', null));
        return;
      }
      case 'remove': {
        const series = pick(await allSeries(), step.series);
        if (series === undefined) return;
        // Nothing but its withdrawal removes what a correction stands on.
        const corrected = await service.database.rows<{ day: number }>(
          "SELECT day FROM correction WHERE state = 'standing' AND period = 3 AND serie_id = ?",
          [series.id],
        );
        const kept = new Set(corrected.map(({ day }) => day));
        const days = monthDays(step.month, step.months + 1).filter((day) => !kept.has(day));
        await service.unitOfWork.change(testChange, (transaction) =>
          store.remove(
            transaction,
            days.map((day) => ({ serieId: series.id, period: 3, day })),
          ),
        );
        return;
      }
      case 'removeSeries': {
        const series = pick(await allSeries(), step.series);
        if (series === undefined) return;
        await service.unitOfWork.change(testChange, async (transaction) => {
          // As the service does: no correction stands for a series that is gone.
          const corrections = await correctionsOfSeries(transaction, series.id, series.id);
          const ids = corrections.map(({ id }) => id);
          await endCorrections(transaction, ids, 'withdrawn');
          await store.removeAll(transaction, [series.id]);
          await removeSeries(transaction, [series.id]);
        });
        return;
      }
      case 'correct':
      case 'correction': {
        const points = await service.database.rows<{ id: number; uuid: string; period: Period; day: number }>(
          'SELECT o.serie_id AS id, s.uuid, o.period, o.day FROM observation o JOIN price_serie s ON s.id = o.serie_id' +
            ' WHERE o.calculated = 0 ORDER BY o.serie_id, o.period, o.day',
        );
        const point = pick(points, step.point);
        if (point === undefined) return;
        const { id, uuid, period, day } = point;
        if (step.kind === 'correction') {
          const date = isoFromDay(day);
          await send('post', 'Correction/', [
            { uuid, periodicity: PERIOD_NAMES[period], date, price_value: step.value },
          ]);
          return;
        }
        const path = `PriceSeriePrice/${uuid}/${pointId(id, period, day)}/`;
        if (step.value === null) await send('delete', path);
        else await send('patch', path, { price_value: step.value });
        return;
      }
      case 'merge': {
        const records = await ids(`SELECT id FROM ${step.table.toLowerCase()} ORDER BY id`);
        const [from, into] = [pick(records, step.from), pick(records, step.into)];
        if (from !== into) await send('post', `${step.table}/${from}/merge/`, { into });
        return;
      }
      case 'join': {
        const series = await allSeries();
        const [from, into] = [pick(series, step.from), pick(series, step.into)];
        if (from === into) return;
        const { factor, prefer } = step;
        await send('post', `PriceSerie/${from!.uuid}/merge/`, {
          into: into!.uuid,
          factor,
          prefer,
          relabel: true,
        });
        return;
      }
      case 'category':
      case 'name':
      case 'country':
      case 'unit': {
        const [table, fields] =
          step.kind === 'category'
            ? ['Commodity', { category: CATEGORIES[step.category] }]
            : step.kind === 'name'
              ? [step.table, { name: `Renamed ${made}` }]
              : step.kind === 'country'
                ? ['Market', { iso3_country_code: COUNTRIES[step.country] }]
                : ['MeasureUnit', { conversion_factor: step.factor }];
        const index =
          step.kind === 'category'
            ? step.commodity
            : step.kind === 'name'
              ? step.record
              : step.kind === 'country'
                ? step.market
                : step.unit;
        const name = table === 'MeasureUnit' ? 'measure_unit' : table.toLowerCase();
        const id = pick(await ids(`SELECT id FROM ${name} ORDER BY id`), index);
        if (id !== undefined) await send('patch', `${table}/${id}/`, fields);
        return;
      }
      case 'rate':
      case 'index': {
        const date = monthDate(step.month);
        const [path, table, fields] =
          step.kind === 'rate'
            ? ['FxRate', 'fx_rate', { currency: 'KES', date, rate: step.value }]
            : ['Cpi', 'cpi', { iso3_country_code: 'KEN', date, value: step.value, base_period: '2019' }];
        const [id] = await ids(`SELECT id FROM ${table} WHERE date = '${date}'`);
        if (step.value === null) {
          if (id !== undefined) await send('delete', `${path}/${id}/`);
        } else if (id === undefined) await send('post', `${path}/`, fields);
        else await send('put', `${path}/${id}/`, fields);
        return;
      }
      case 'revert': {
        const sets = await ids(
          "SELECT id FROM change_set WHERE reverted_by IS NULL AND kind <> 'record' ORDER BY id DESC",
        );
        const id = sets[step.age];
        if (id !== undefined) await send('post', `ChangeSet/${id}/revert/`);
      }
    }
  }

  /**
   * What is open, by check, and what has become of the others: of those the last values stay. And
   * what is kept of series.
   */
  async function findings(transaction: Transaction): Promise<Record<string, unknown[]>> {
    const open = await transaction.rows<{ subject: string }>(
      'SELECT subject, finding_key, rule, severity, scope, serie_id, iso3_country_code, period, day, value, expected,' +
        " ratio, members, detail FROM finding WHERE state IN ('open', 'dismissed') ORDER BY subject, finding_key",
    );
    const ended = await transaction.rows<{ subject: string }>(
      "SELECT subject, finding_key, rule, state FROM finding WHERE state IN ('corrected', 'gone')" +
        ' ORDER BY subject, finding_key',
    );
    const kept = KEPT.map(async ([table, order]) => [
      table,
      await transaction.rows(`SELECT * FROM ${table} ORDER BY ${order}`),
    ]);
    const rows = [...open, ...ended];
    const byCheck = checks.map((check) => [
      check.name,
      rows.filter(({ subject }) => subject.startsWith(subjectText(check, ''))),
    ]);
    return Object.fromEntries([...byCheck, ...(await Promise.all(kept))]) as Record<string, unknown[]>;
  }

  /** What is open, and what would be if all was computed anew. */
  async function compared() {
    let kept: Record<string, unknown[]> = {};
    let anew: Record<string, unknown[]> = {};
    const comparing = service.unitOfWork.change(testChange, async (transaction) => {
      kept = await findings(transaction);
      await checkEverything(transaction);
      anew = await findings(transaction);
      throw new Undo();
    });
    await expect(comparing).rejects.toThrow(Undo);
    return { kept, anew };
  }

  it(
    'are the same after any changes as if all were computed anew',
    async () => {
      const rules = new Map<string, number>();
      await assertProperty(
        'findings follow changes',
        fc.asyncProperty(
          fc.array(step, { minLength: CHANGES_OF_RUN, maxLength: CHANGES_OF_RUN }),
          async (steps) => {
            for (const [index, each] of steps.entries()) {
              await apply(each);
              const { kept, anew } = await compared();
              expect({ step: each, of: steps.slice(0, index), found: kept }).toEqual({
                step: each,
                of: steps.slice(0, index),
                found: anew,
              });
              for (const { rule } of checks.flatMap(({ name }) => kept[name]!) as { rule: string }[])
                rules.set(rule, (rules.get(rule) ?? 0) + 1);
            }
          },
        ),
        { numRuns: Math.ceil(CHANGES / CHANGES_OF_RUN), endOnFailure: true },
      );
      if (process.env.FINDING_CHANGES)
        process.stdout.write(`${JSON.stringify([[...rules], [...replies]], null, 1)}\n`);
    },
    CHANGES * 10_000,
  );
});
