import type { FoundFinding, SeriesMember } from '../../src/ledger/findings/finding.js';
import { saveFindings } from '../../src/ledger/findings/finding-store.js';
import { dayFromIso } from '../../src/lib/dates/calendar-date.js';
import { RULES } from '../../src/quality/rules/rule-table.js';
import { testChange } from '../support/change-set.js';
import { expectProblem, queryViolation } from '../support/problems.js';
import { storeSeries } from '../support/price-fixture.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

const KENYA = '11111111-0000-4000-8000-000000000001';
const TOGO = '22222222-0000-4000-8000-000000000002';
const RENAMED = '33333333-0000-4000-8000-000000000003';
const MONTHS = ['01', '02', '03', '04', '05', '06', '07'].map((month) => `2024-${month}-01`);

interface Finding {
  rule: string;
  state: string;
  date: string | null;
  uuid: string | null;
}

describe('lists of findings', () => {
  let service: TestApp;
  let admin: { Authorization: string };
  let ids: Map<string, number>;

  const member = (uuid: string, date: string): SeriesMember => ({
    serieId: ids.get(uuid)!,
    uuid,
    day: dayFromIso(date)!,
    value: 10,
  });
  const found = (values: Partial<FoundFinding>): FoundFinding => ({
    rule: 'batch',
    severity: 'error',
    scope: 'group',
    subject: 'test it',
    about: '',
    country: null,
    period: 3,
    day: dayFromIso('2024-03-01'),
    value: null,
    expected: null,
    ratio: null,
    series: [],
    detail: 'A sentence.',
    ...values,
  });

  beforeAll(async () => {
    service = await startTestApp();
    admin = await service.authHeader();
    const points = { monthly: MONTHS.map((date) => [date, date === '2024-04-01' ? 1400 : 360] as const) };
    ids = await storeSeries(service.unitOfWork, [
      { uuid: KENYA, points },
      {
        uuid: TOGO,
        market: { name: 'Lomé', iso3_country_code: 'TGO', country_name: 'Togo' },
        currency: 'XOF',
        commodity: { name: 'Ignames' },
        points: { monthly: MONTHS.map((date) => [date, date === '2024-02-01' ? 100 : 20]) },
      },
      { uuid: RENAMED, market: { name: 'Nairobi (Wakulima)' }, points: { monthly: [['2023-01-01', 350]] } },
    ]);
    await service.unitOfWork.change(testChange, (transaction) =>
      saveFindings(transaction, [
        {
          subjects: ['test it'],
          isCorrected: undefined,
          found: [
            found({ country: 'KEN', series: [member(KENYA, '2024-03-01'), member(RENAMED, '2024-03-01')] }),
            found({ rule: 'index_break', severity: 'look', scope: 'index', country: 'KEN', value: 120 }),
            found({ rule: 'rate_step', severity: 'look', scope: 'rate', day: null, period: null }),
            found({
              rule: 'near_duplicate',
              severity: 'look',
              country: 'TGO',
              day: null,
              period: null,
              records: [
                { table: 'Market', id: 1, name: 'Lomé' },
                { table: 'Market', id: 2, name: 'Lome' },
              ],
            }),
          ],
        },
      ]),
    );
  });
  afterAll(() => service?.close());

  const get = (query: string, path = 'Finding') => service.http().get(`/api/v1/${path}/?${query}`);
  const rulesOf = async (query: string) => {
    const { body } = await get(query).expect(200);
    return (body as { results: Finding[] }).results.map(({ rule }) => rule);
  };

  it.each([
    ['', ['near_duplicate', 'rate_step', 'index_break', 'batch', 'spike', 'spike_possible']],
    ['rule=spike,batch', ['batch', 'spike']],
    ['severity=look', ['near_duplicate', 'rate_step', 'index_break', 'spike_possible']],
    ['state=dismissed,gone', []],
    ['from=2024-03-01', ['index_break', 'batch', 'spike_possible']],
    ['to=2024-03-01', ['index_break', 'batch', 'spike']],
    ['from=2024-03-01&to=2024-03-01', ['index_break', 'batch']],
    ['change_set_id=999', []],
    ['iso3_country_codes=KEN', ['index_break', 'batch', 'spike_possible']],
    ['iso3_country_codes=ken,TGO', ['near_duplicate', 'index_break', 'batch', 'spike', 'spike_possible']],
    ['iso3_country_codes=UGA', []],
    ['iso3_country_codes=KEN&currencies=KES', ['batch', 'spike_possible']],
    ['iso3_country_codes_ne=KEN', ['spike']],
    ['currencies=XOF', ['spike']],
    [`uuids=${KENYA}`, ['batch', 'spike_possible']],
    [`uuid__in=${RENAMED}`, ['batch']],
    ['search=lome', ['spike']],
    ['search=nowhere', []],
  ])('?%s', async (query, expected) => {
    expect(await rulesOf(query)).toEqual(expected);
  });

  it('are paged, and reject values that are not valid', async () => {
    const { body } = await get('rule=batch,spike&page_size=1&page=2').expect(200);
    expect(body).toMatchObject({ count: 2, next: null, results: [{ rule: 'spike' }] });
    expectProblem(await get('page=2'), { status: 404, code: 'not_found', extra: { last_page: 1 } });
    expectProblem(
      await get('rule=spikes&severity=bad&state=closed&from=2024-02-02&to=2024-02-01&page=0&x='),
      {
        status: 400,
        code: 'invalid',
        errors: [
          queryViolation('rule', 'invalid_choice'),
          queryViolation('severity', 'invalid_choice'),
          queryViolation('state', 'invalid_choice'),
          queryViolation('from', 'reversed_range'),
          queryViolation('to', 'reversed_range'),
          queryViolation('page', 'invalid_integer'),
          queryViolation('x', 'unknown_parameter'),
        ],
      },
    );
  });

  it('are CSV and NDJSON', async () => {
    const csv = await get('rule=batch,rate_step&format=csv').expect(200);
    const [, rate, batch] = csv.text.split('\r\n');
    expect(csv.text.split('\r\n')[0]).toBe(
      'id,rule,severity,state,scope,uuid,iso3_country_code,periodicity,date,value,expected,ratio,members,detail,change_set_id,reason',
    );
    expect(rate).toMatch(/^\d+,rate_step,look,open,rate,,,,,,,,,A sentence\.,\d+,$/);
    expect(batch).toContain(
      `"[{""uuid"":""${KENYA}"",""date"":""2024-03-01"",""value"":10},{""uuid"":""${RENAMED}""`,
    );
    const lines = (await get('rule=batch,rate_step&format=ndjson').expect(200)).text.trim().split('\n');
    expect(lines.map((line) => (JSON.parse(line) as Finding).rule)).toEqual(['rate_step', 'batch']);
  });

  it('are counted by country, rule and state', async () => {
    const { body, headers } = await get('', 'FindingSummary').expect(200);
    const count = (iso3_country_code: string | null, rule: string, state = 'open') => ({
      iso3_country_code,
      rule,
      state,
      count: 1,
    });
    const results = [
      count(null, 'rate_step'),
      count('KEN', 'batch'),
      count('KEN', 'index_break'),
      count('KEN', 'spike_possible'),
      count('TGO', 'near_duplicate'),
      count('TGO', 'spike'),
    ];
    expect(body).toEqual({ count: 6, next: null, previous: null, results });
    expect(headers['data-revision']).toBe(String(service.revision.current()!.all));
    const tag = headers.etag!;
    await get('', 'FindingSummary').set('If-None-Match', tag).expect(304);
    const csv = await get('format=csv&iso3_country_codes=TGO', 'FindingSummary').expect(200);
    expect(csv.text).toBe(
      'iso3_country_code,rule,state,count\r\nTGO,near_duplicate,open,1\r\nTGO,spike,open,1\r\n',
    );
    const paged = await get('page_size=5&page=2', 'FindingSummary').expect(200);
    expect((paged.body as { results: unknown[] }).results).toEqual(results.slice(5));
    expectProblem(await get('page=2', 'FindingSummary'), {
      status: 404,
      code: 'not_found',
      extra: { last_page: 1 },
    });
  });

  it('have a table of the rules', async () => {
    const { body } = await get('', 'FindingRule').expect(200);
    const rules = Object.entries(RULES).map(([rule, values]) => ({ rule, ...values }));
    expect(body).toEqual({ count: rules.length, next: null, previous: null, results: rules });
    const csv = await get('format=csv&page_size=3', 'FindingRule').expect(200);
    expect(csv.text).toContain('\r\ndecimal_slip,error,point,');
    expect(csv.text).toContain('"{""tolerance"":0.15}"');
    expectProblem(await get('rule=spike', 'FindingRule'), {
      status: 400,
      code: 'invalid',
      errors: [queryViolation('rule', 'unknown_parameter')],
    });
  });

  it('change with the next answer, also where they were cached', async () => {
    const read = async (path: string) => (await get('rule=spike_possible', path).expect(200)).body as unknown;
    for (let times = 0; times < 3; times++) {
      await read('Finding');
      await read('FindingSummary');
    }
    const { results } = (await read('Finding')) as { results: { id: number }[] };
    const address = `/api/v1/Finding/${results[0]!.id}/`;
    const set = (body: object) => service.http().patch(address).set(admin).send(body).expect(200);
    await set({ state: 'dismissed', reason: 'A true price.' });
    expect(await read('Finding')).toMatchObject({ results: [{ state: 'dismissed' }] });
    expect(await read('FindingSummary')).toMatchObject({ results: [{ state: 'dismissed', count: 1 }] });
    await set({ state: 'open' });
    expect(await read('FindingSummary')).toMatchObject({ results: [{ state: 'open', count: 1 }] });
  });

  it('are those of series that were joined, too', async () => {
    await service
      .http()
      .post(`/api/v1/PriceSerie/${KENYA}/merge/`)
      .set(admin)
      .send({ into: RENAMED })
      .expect(200);
    const { body } = await get(`rule=spike_possible,batch&uuids=${RENAMED}`).expect(200);
    expect(
      (body as { results: Finding[] }).results.map(({ rule, state, uuid }) => [rule, state, uuid]),
    ).toEqual([
      ['spike_possible', 'open', RENAMED],
      ['batch', 'open', null],
      ['spike_possible', 'gone', KENYA],
    ]);
    expect(await rulesOf(`rule=spike_possible,batch&uuids=${KENYA}`)).toEqual([
      'spike_possible',
      'batch',
      'spike_possible',
    ]);
  });
});
