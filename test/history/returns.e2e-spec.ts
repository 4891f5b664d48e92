import fc from 'fast-check';
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

type Operation =
  | { kind: 'import'; rows: { series: number; month: number; price: number }[] }
  | { kind: 'merge'; from: number; into: number }
  | { kind: 'revert'; age: number };

const operation = (withMerges: boolean): fc.Arbitrary<Operation> =>
  fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({
        kind: fc.constant('import' as const),
        rows: fc.uniqueArray(
          fc.record({
            series: fc.nat({ max: SERIES.length - 1 }),
            month: fc.integer({ min: 1, max: 2 }),
            price: fc.integer({ min: 1, max: 3 }),
          }),
          { minLength: 1, maxLength: 4, selector: ({ series, month }) => `${series} ${month}` },
        ),
      }),
    },
    {
      weight: withMerges ? 1 : 0,
      arbitrary: fc.record({
        kind: fc.constant('merge' as const),
        from: fc.nat({ max: NAMES.length - 1 }),
        into: fc.nat({ max: NAMES.length - 1 }),
      }),
    },
    { weight: 5, arbitrary: fc.record({ kind: fc.constant('revert' as const), age: fc.nat({ max: 6 }) }) },
  );

/** An act, as the model has it: what it gave, and whether it counts. */
interface Act {
  readonly id: number;
  readonly gave: ReadonlyMap<string, number>;
  readonly merged: readonly [from: string, into: string] | null;
  /** Of a revert: what it takes back. */
  readonly reverts: Act | null;
}

/** What there is, by the acts that count: the last that each gave. */
class Model {
  readonly acts: Act[] = [];

  /** An act counts unless a revert that counts takes it back. */
  counts(act: Act): boolean {
    return !this.acts.some((other) => other.reverts === act && this.counts(other));
  }

  prices(): Map<string, number> {
    const found = new Map<string, number>();
    for (const act of this.acts)
      if (this.counts(act)) for (const [point, price] of act.gave) found.set(point, price);
    return found;
  }

  /** The market that another one has become. */
  became(market: string): string {
    const merge = this.acts.find((act) => act.merged?.[0] === market && this.counts(act));
    return merge === undefined ? market : this.became(merge.merged![1]);
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

  const apply = async (model: Model, one: Operation): Promise<void> => {
    if (one.kind === 'import') {
      const before = model.prices();
      const given = one.rows.map(({ series, month, price }) => [`${series} ${month}`, price] as const);
      const { change_set_id: id } = await client.prices(
        ...one.rows.map(({ series, month, price }) => row(`2024-0${month}-15`, price, SERIES[series])),
      );
      const gave = new Map(given.filter(([point, price]) => before.get(point) !== price));
      model.acts.push({ id, gave, merged: null, reverts: null });
    } else if (one.kind === 'merge') {
      const there = await markets();
      const [from, into] = [one.from, one.into].map((index) =>
        there.find(({ name }) => name === NAMES[index]),
      );
      if (from === undefined || into === undefined || from === into) return;
      await client.send('post', `Market/${from.id}/merge/`, { into: into.id }).expect(200);
      const merged = [from.name, into.name] as const;
      model.acts.push({ id: await client.newest(), gave: new Map(), merged, reverts: null });
    } else {
      const possible = model.acts.filter((act) => model.counts(act)).reverse();
      const reverts = possible[one.age];
      if (reverts === undefined) return;
      const id = await client.takeBack(reverts.id);
      model.acts.push({ id, gave: new Map(), merged: null, reverts });
    }
  };

  it.each([
    ['imports and reverts', false],
    ['imports, merges and reverts', true],
  ])(
    'are those of the acts that count: %s',
    async (_, withMerges) => {
      await assertProperty(
        'returns',
        fc
          .asyncProperty(
            fc.array(operation(withMerges), { minLength: OPERATIONS_OF_RUN, maxLength: OPERATIONS_OF_RUN }),
            async (operations) => {
              service = await startTestApp();
              client = await RevertClient.of(service);
              const model = new Model();
              for (const one of operations) {
                await apply(model, one);
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
