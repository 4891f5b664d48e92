import fc from 'fast-check';
import { pointId } from '../../src/prices/store/point-id.js';
import { assertProperty } from '../support/property.js';
import { RevertClient, wfpRow as row } from '../support/reverts.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

/** Operations that are made; set `RETURNS` for a longer run by hand. */
const OPERATIONS = Number(process.env.RETURNS) || 60;
/** Operations of one database. */
const OPERATIONS_OF_RUN = 20;
/** The suite repeats the same operations; runs by hand make new ones. */
const SEED = process.env.RETURNS || process.env.PROPERTY_SEED ? {} : { seed: 811_204_377 };

/** Each market has commodities of its own, so that no series gets the prices of two. */
const MARKETS = { Mombasa: ['Maize', 'Beans'], Kisumu: ['Rice', 'Millet'], Lamu: ['Sorghum'] };
const SERIES = Object.entries(MARKETS).flatMap(([market, all]) =>
  all.map((commodity) => ({ market, commodity })),
);
type MarketName = keyof typeof MARKETS;
const NAMES = Object.keys(MARKETS) as MarketName[];

interface Row {
  series: number;
  month: number;
  price: number;
}

type Operation =
  | { kind: 'import'; rows: Row[] }
  | { kind: 'merge'; from: number; into: number }
  | { kind: 'correct'; row: Row }
  | { kind: 'withdraw'; row: Row }
  | { kind: 'revert'; age: number };

/** What is done besides imports and reverts. */
type Mode = 'nothing else' | 'merges' | 'corrections';

const ANY_ROW = { series: fc.nat({ max: SERIES.length - 1 }), month: fc.integer({ min: 1, max: 2 }) };

const operation = (mode: Mode): fc.Arbitrary<Operation> =>
  fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({
        kind: fc.constant('import' as const),
        rows: fc.uniqueArray(fc.record({ ...ANY_ROW, price: fc.integer({ min: 1, max: 3 }) }), {
          minLength: 1,
          maxLength: 4,
          selector: ({ series, month }) => `${series} ${month}`,
        }),
      }),
    },
    {
      weight: mode === 'merges' ? 1 : 0,
      arbitrary: fc.record({
        kind: fc.constant('merge' as const),
        from: fc.nat({ max: NAMES.length - 1 }),
        into: fc.nat({ max: NAMES.length - 1 }),
      }),
    },
    {
      weight: mode === 'corrections' ? 4 : 0,
      arbitrary: fc.record({
        kind: fc.constantFrom('correct' as const, 'correct' as const, 'withdraw' as const),
        row: fc.record({ ...ANY_ROW, price: fc.integer({ min: 2, max: 4 }) }),
      }),
    },
    { weight: 5, arbitrary: fc.record({ kind: fc.constant('revert' as const), age: fc.nat({ max: 6 }) }) },
  );

/** An operation, as the model has it: what it gave, and whether it counts. */
interface ModelOperation {
  readonly id: number;
  readonly gave: ReadonlyMap<string, number>;
  readonly merged?: readonly [from: string, into: string];
  /** The point that it corrects; null as the price where it withdraws the correction. */
  readonly corrected?: readonly [point: string, price: number | null];
  /** Of a revert: what it reverts. */
  readonly reverts?: ModelOperation;
}

/** What sources have given of a point, and the correction that stands. */
interface ModelPoint {
  source: number | null;
  correction: number | null;
}

/** What there is, by the operations that count: the last that each gave. */
class Model {
  readonly operations: ModelOperation[] = [];

  /** An operation counts unless a revert that counts reverts it. */
  counts(operation: ModelOperation): boolean {
    return !this.operations.some((other) => other.reverts === operation && this.counts(other));
  }

  points(): Map<string, ModelPoint> {
    const found = new Map<string, ModelPoint>();
    for (const operation of this.operations.filter((one) => this.counts(one))) {
      // A correction stands until a source gives another price.
      for (const [point, source] of operation.gave) found.set(point, { source, correction: null });
      if (operation.corrected === undefined) continue;
      const [point, correction] = operation.corrected;
      found.set(point, { source: found.get(point)?.source ?? null, correction });
    }
    return found;
  }

  prices(): Map<string, number> {
    const prices = [...this.points()].map(
      ([point, { source, correction }]) => [point, correction ?? source] as const,
    );
    return new Map(prices.filter((each): each is [string, number] => each[1] !== null));
  }

  /**
   * The market that another one has become by the merges that count. Of two of one market the newer
   * one leads; so does the newer one of two that lead in a circle.
   */
  became(market: string): string {
    const leads = new Map<string, string>();
    const endOf = (name: string): string => (leads.has(name) ? endOf(leads.get(name)!) : name);
    for (const operation of this.operations.filter((one) => this.counts(one)).reverse()) {
      if (operation.merged === undefined) continue;
      const [from, into] = operation.merged;
      if (!leads.has(from) && endOf(into) !== from) leads.set(from, into);
    }
    return endOf(market);
  }

  /** Each price with its market, as reads have it. */
  published(): string[] {
    return [...this.prices()]
      .map(([point, price]) => {
        const { market, commodity } = SERIES[Number(point.split(' ')[0])]!;
        return `${this.became(market)} ${commodity} 2024-0${point.split(' ')[1]} ${price}`;
      })
      .sort();
  }
}

describe('H2: series and records that go and return', () => {
  let service: TestApp;
  let client: RevertClient;
  const close = () => service.close();

  const get = async (path: string) =>
    (await service.http().get(`/api/v1/${path}`).expect(200)).body as unknown;
  const markets = async () => (await get('Market/')) as { id: number; name: string }[];
  const published = async () => {
    const rows = await service.database.rows<{
      market: string;
      commodity: string;
      day: number;
      value: number;
    }>(
      'SELECT m.name AS market, c.name AS commodity, o.day, o.value FROM observation o' +
        ' JOIN price_serie s ON s.id = o.serie_id JOIN market m ON m.id = s.market_id' +
        ' JOIN commodity c ON c.id = s.commodity_id',
    );
    const month = (day: number) => (day < FEBRUARY ? '2024-01' : '2024-02');
    return rows
      .map(({ market, commodity, day, value }) => `${market} ${commodity} ${month(day)} ${value}`)
      .sort();
  };

  const importRows = async (model: Model, rows: readonly Row[]): Promise<void> => {
    const before = model.points();
    const { change_set_id: id } = await client.prices(
      ...rows.map(({ series, month, price }) => row(`2024-0${month}-15`, price, SERIES[series])),
    );
    // What a source repeats it gives no second time.
    const gave = rows
      .map(({ series, month, price }) => [`${series} ${month}`, price] as const)
      .filter(([point, price]) => before.get(point)?.source !== price);
    model.operations.push({ id, gave: new Map(gave) });
  };

  /** The point and the standing correction of a row, as the API has them. */
  const pointAt = async ({ series, month }: Row) => {
    const { market, commodity } = SERIES[series]!;
    const [found] = await service.database.rows<{ uuid: string; serie_id: number; day: number }>(
      'SELECT s.uuid, o.serie_id, o.day FROM observation o JOIN price_serie s ON s.id = o.serie_id' +
        ' JOIN market m ON m.id = s.market_id JOIN commodity c ON c.id = s.commodity_id' +
        ` WHERE m.name = ? AND c.name = ? AND o.day ${month === 1 ? '<' : '>='} ?`,
      [market, commodity, FEBRUARY],
    );
    const { uuid, serie_id, day } = found!;
    const [standing] = await service.database.rows<{ id: number }>(
      "SELECT id FROM correction WHERE state = 'standing' AND serie_id = ? AND day = ?",
      [serie_id, day],
    );
    return {
      path: `PriceSeriePrice/${uuid}/${pointId(serie_id, 3, day)}/`,
      correction: standing?.id ?? null,
    };
  };

  const correct = async (model: Model, changed: Row): Promise<void> => {
    const point = `${changed.series} ${changed.month}`;
    const { source, correction } = model.points().get(point)!;
    // The price that there is, or the source's, is no correction.
    if ([source, correction].includes(changed.price)) return;
    const { path } = await pointAt(changed);
    await client.send('patch', path, { price_value: changed.price }).expect(200);
    model.operations.push({ id: await client.newest(), gave: new Map(), corrected: [point, changed.price] });
  };

  const withdraw = async (model: Model, withdrawn: Row): Promise<void> => {
    const point = `${withdrawn.series} ${withdrawn.month}`;
    const { correction } = await pointAt(withdrawn);
    expect([point, correction === null]).toEqual([point, model.points().get(point)!.correction === null]);
    if (correction === null) return;
    await client.send('delete', `Correction/${correction}/`).expect(204);
    model.operations.push({ id: await client.newest(), gave: new Map(), corrected: [point, null] });
  };

  const merge = async (model: Model, one: { from: number; into: number }): Promise<void> => {
    const there = await markets();
    const [from, into] = [one.from, one.into].map((index) => there.find(({ name }) => name === NAMES[index]));
    if (from === undefined || into === undefined || from === into) return;
    await client.send('post', `Market/${from.id}/merge/`, { into: into.id }).expect(200);
    const merged = [from.name, into.name] as const;
    model.operations.push({ id: await client.newest(), gave: new Map(), merged });
  };

  /** @param kept the oldest operations, which are never reverted */
  const revert = async (model: Model, age: number, kept: number): Promise<void> => {
    const possible = model.operations.slice(kept).filter((operation) => model.counts(operation));
    const reverts = possible.reverse()[age];
    if (reverts === undefined) return;
    const id = await client.revertChecked(reverts.id);
    model.operations.push({ id, gave: new Map(), reverts });
  };

  const apply = (model: Model, one: Operation, kept: number): Promise<void> => {
    if (one.kind === 'import') return importRows(model, one.rows);
    if (one.kind === 'merge') return merge(model, one);
    if (one.kind === 'correct') return correct(model, one.row);
    return one.kind === 'withdraw' ? withdraw(model, one.row) : revert(model, one.age, kept);
  };

  /** A price of each point, so that each can be corrected. */
  const ALL_ROWS = SERIES.flatMap((_, series) => [1, 2].map((month) => ({ series, month, price: 1 })));

  it.each([
    ['imports and reverts', 'nothing else'],
    ['imports, merges and reverts', 'merges'],
    ['imports, corrections and reverts', 'corrections'],
  ] as const)(
    'are those of the operations that count: %s',
    async (_, mode) => {
      await assertProperty(
        'returns',
        fc
          .asyncProperty(
            fc.array(operation(mode), { minLength: OPERATIONS_OF_RUN, maxLength: OPERATIONS_OF_RUN }),
            async (operations) => {
              service = await startTestApp();
              client = await RevertClient.of(service);
              const model = new Model();
              if (mode === 'corrections') await importRows(model, ALL_ROWS);
              const kept = model.operations.length;
              for (const one of operations) {
                await apply(model, one, kept);
                const expected = model.published();
                expect([one, await published()]).toEqual([one, expected]);
                const used = [...new Set(expected.map((each) => each.split(' ')[0]!))].sort();
                expect([one, (await markets()).map(({ name }) => name).sort()]).toEqual([one, used]);
              }
            },
          )
          .afterEach(close),
        { ...SEED, numRuns: Math.ceil(OPERATIONS / OPERATIONS_OF_RUN), endOnFailure: true },
      );
    },
    OPERATIONS * 20_000,
  );
});

/** The day number of 2024-02-01. */
const FEBRUARY = 738_917;
