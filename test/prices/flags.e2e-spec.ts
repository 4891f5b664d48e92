import { dayFromIso } from '../../src/lib/dates/calendar-date.js';
import { saveFindings } from '../../src/ledger/findings/finding-store.js';
import { testChange } from '../support/change-set.js';
import { expectProblem, queryViolation } from '../support/problems.js';
import { storeSeries } from '../support/price-fixture.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

const MONTHLY = '11111111-0000-4000-8000-000000000001';
const DAILY = '22222222-0000-4000-8000-000000000002';
const JOINED = '33333333-0000-4000-8000-000000000003';
const MONTHS = ['01', '02', '03', '04', '05', '06', '07'].map((month) => `2024-${month}-01`);

interface Point {
  date: string;
  periodicity: string;
  flags?: string[];
}

interface Prices {
  uuid: string;
  datapoints: Point[];
}

describe('flags of prices', () => {
  let service: TestApp;
  let admin: { Authorization: string };
  let ids: Map<string, number>;

  beforeEach(async () => {
    service = await startTestApp();
    admin = await service.authHeader();
    ids = await storeSeries(service.unitOfWork, [
      {
        uuid: MONTHLY,
        points: { monthly: MONTHS.map((date) => [date, date === '2024-04-01' ? 3600 : 360]) },
      },
      {
        uuid: DAILY,
        commodity: { name: 'Maize' },
        points: {
          daily: [
            ['2024-03-01', 10],
            ['2024-03-02', 12],
          ],
        },
      },
      { uuid: JOINED, market: { name: 'Old Nairobi' }, points: { monthly: [['2023-12-01', 355]] } },
    ]);
    const member = (uuid: string, date: string) => ({
      serieId: ids.get(uuid)!,
      uuid,
      day: dayFromIso(date)!,
      value: 10,
    });
    await service.unitOfWork.change(testChange, (transaction) =>
      saveFindings(transaction, [
        {
          subjects: ['test it'],
          isCorrected: undefined,
          found: [
            {
              rule: 'batch',
              severity: 'error',
              scope: 'group',
              subject: 'test it',
              about: '',
              country: 'KEN',
              period: null,
              day: null,
              value: null,
              expected: null,
              ratio: null,
              series: [
                member(MONTHLY, '2024-04-01'),
                member(DAILY, '2024-03-01'),
                { ...member(JOINED, '2023-12-01'), day: null, value: null },
              ],
              detail: 'A sentence.',
            },
          ],
        },
      ]),
    );
  });
  afterEach(() => service?.close());

  const get = (path: string) => service.http().get(`/api/v1/PriceSeriePrice/${path}`);
  const flagged = ({ datapoints }: Prices) =>
    datapoints
      .filter(({ flags }) => flags !== undefined)
      .map(({ date, periodicity, flags }) => `${periodicity} ${date} ${flags!.join(',')}`);
  const flagsOf = async (path = `${MONTHLY}/?flags=true`) =>
    flagged((await get(path).expect(200)).body as Prices);
  const SPIKE = ['monthly 2024-04-01 batch,decimal_slip,spike'];
  const DAY = ['daily 2024-03-01 batch'];

  it('name the rules with open findings, after the other fields of points that have some', async () => {
    const { text } = await get(`${MONTHLY}/?flags=true&start_date=2024-03-01&end_date=2024-04-01`).expect(
      200,
    );
    expect(text.slice(text.indexOf('"datapoints"'))).toMatch(
      /^"datapoints":\[\{[^{}]*"comment":"","flags":\["batch","decimal_slip","spike"\]\},\{[^{}]*"comment":""\}\]\}$/,
    );
  });

  it('are left out unless they are asked for', async () => {
    const plain = await get(`${MONTHLY}/`).expect(200);
    expect(plain.text).not.toContain('flags');
    expect((await get(`${MONTHLY}/?flags=false`).expect(200)).text).toBe(plain.text);
    const flags = await get(`${MONTHLY}/?flags=true`).expect(200);
    expect(flags.text.replace(/,"flags":\[.*?\]/, '')).toBe(plain.text);
    // The cached text of the series is neither used nor replaced.
    expect((await get(`${MONTHLY}/`).expect(200)).text).toBe(plain.text);
    const csv = await get(`${MONTHLY}/?format=csv`).expect(200);
    expect(csv.text.split('\r\n')[0]).toMatch(/,price_value_dollar,partial$/);
  });

  it('are in lists, and not of points that are calculated', async () => {
    for (const query of ['', `&uuid__in=${MONTHLY},${DAILY},${JOINED}`]) {
      const { body } = await get(`?flags=true${query}`).expect(200);
      const found = (body as { results: Prices[] }).results.map((one) => [one.uuid, flagged(one)]);
      expect(found).toEqual([
        [MONTHLY, SPIKE],
        [DAILY, DAY],
        [JOINED, []],
      ]);
    }
    const lines = (await get('?flags=true&format=ndjson').expect(200)).text.trim().split('\n');
    expect(lines.map((line) => flagged(JSON.parse(line) as Prices))).toEqual([SPIKE, DAY, []]);
  });

  it('are the last column of CSV, which an import ignores', async () => {
    const { text } = await get('?flags=true&format=csv').expect(200);
    const [header, ...lines] = text.trim().split('\r\n');
    expect(header).toMatch(/,price_value_dollar,partial,flags$/);
    expect(lines.filter((line) => line.includes(',2024-04-01,monthly,'))).toEqual([
      expect.stringMatching(/,3600,,false,,,false,batch decimal_slip spike$/),
    ]);
    expect(lines.filter((line) => line.includes(',2024-05-01,monthly,'))).toEqual([
      expect.stringMatching(/,360,,false,,,false,$/),
    ]);
    const before = await get('?format=csv').expect(200);
    const { body } = await service
      .http()
      .post('/api/v1/Import/?format=prices&input=flags.csv')
      .set({ ...admin, 'Content-Type': 'text/csv' })
      .send(text);
    expect(body).toMatchObject({ error: null, new: 0, changed: 0, unchanged: 10, rejected: 0 });
    expect((await get('?format=csv').expect(200)).text).toBe(before.text);
  });

  it('are before rate_basis', async () => {
    const query = 'flags=true&rate_basis=true&start_date=2024-04-01&end_date=2024-04-01';
    const { text } = await get(`${MONTHLY}/?${query}`).expect(200);
    expect(text).toContain('"comment":"","flags":["batch","decimal_slip","spike"],"rate_basis":null}]}');
    const csv = await get(`${MONTHLY}/?${query}&format=csv`).expect(200);
    expect(csv.text).toMatch(/,price_value_dollar,partial,flags,rate_basis\r\n/);
    expect(csv.text).toMatch(/,,false,batch decimal_slip spike,\r\n$/);
  });

  it('follow findings in the next answer, also where it was cached', async () => {
    for (let times = 0; times < 3; times++) expect(await flagsOf()).toEqual(SPIKE);
    const { body } = await service.http().get('/api/v1/Finding/?rule=spike').expect(200);
    const { id } = (body as { results: { id: number }[] }).results[0]!;
    const patch = (state: object) =>
      service.http().patch(`/api/v1/Finding/${id}/`).set(admin).send(state).expect(200);
    await patch({ state: 'dismissed', reason: 'A true price.' });
    expect(await flagsOf()).toEqual(['monthly 2024-04-01 batch,decimal_slip']);
    await patch({ state: 'open' });
    expect(await flagsOf()).toEqual(SPIKE);
    await service
      .http()
      .post('/api/v1/Correction/')
      .set(admin)
      .send([{ uuid: MONTHLY, periodicity: 'monthly', date: '2024-04-01', price_value: 361 }])
      .expect(200);
    expect(await flagsOf()).toEqual(['monthly 2024-04-01 batch']);
  });

  it('are those of the series that shows points of a joined one', async () => {
    await service
      .http()
      .post(`/api/v1/PriceSerie/${MONTHLY}/merge/`)
      .set(admin)
      .send({ into: JOINED })
      .expect(200);
    expect(await flagsOf(`${MONTHLY}/?flags=true`)).toEqual(['monthly 2024-04-01 decimal_slip,spike']);
  });

  it('are those of today: not with an earlier state, and not at the addresses of FPMA', async () => {
    for (const [query, other] of [
      ['as_of=2026-11-21', 'as_of'],
      ['first_published=true', 'first_published'],
    ] as const) {
      for (const path of [`${MONTHLY}/`, '']) {
        expectProblem(await get(`${path}?flags=true&${query}`), {
          status: 400,
          code: 'invalid',
          errors: [queryViolation('flags', 'contradiction'), queryViolation(other, 'contradiction')],
        });
      }
    }
    expectProblem(await get(`${MONTHLY}/?flags=yes`), {
      status: 400,
      code: 'invalid',
      errors: [queryViolation('flags', 'invalid_boolean')],
    });
    const { text } = await service
      .http()
      .get(`/giews/v4/price_module/api/v1/FpmaSeriePrice/?uuid__in=${MONTHLY}&flags=true`)
      .expect(200);
    expect(text).not.toContain('"flags"');
  });
});
