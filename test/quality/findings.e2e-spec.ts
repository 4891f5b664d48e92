import { storeSeries } from '../support/price-fixture.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

const UUID = '11111111-0000-4000-8000-000000000001';
const MONTHS = ['01', '02', '03', '04', '05', '06', '07'].map((month) => `2024-${month}-01`);

interface Finding {
  id: number;
  rule: string;
  state: string;
  date: string;
  [field: string]: unknown;
}

describe('findings', () => {
  let service: TestApp;
  let admin: { Authorization: string };
  beforeEach(async () => {
    service = await startTestApp();
    admin = await service.authHeader();
    await storeSeries(service.unitOfWork, [
      {
        uuid: UUID,
        points: { monthly: MONTHS.map((date) => [date, date === '2024-04-01' ? 3600 : 360]) },
      },
    ]);
  });
  afterEach(() => service?.close());

  const list = async (query = '') => {
    const { body } = await service.http().get(`/api/v1/Finding/${query}`).expect(200);
    return (body as { results: Finding[] }).results;
  };
  const brief = (findings: Finding[]) =>
    findings.map(({ id, rule, state, date }) => `${id} ${rule} ${state} ${date}`);
  const correct = (price: number) =>
    service
      .http()
      .post('/api/v1/Correction/')
      .set(admin)
      .send([{ uuid: UUID, periodicity: 'monthly', date: '2024-04-01', price_value: price }])
      .expect(200);

  it('tell what a price is compared with, and what would fit', async () => {
    expect(await list('?rule=decimal_slip')).toEqual([
      {
        id: 2,
        rule: 'decimal_slip',
        severity: 'error',
        state: 'open',
        scope: 'point',
        uuid: UUID,
        iso3_country_code: 'KEN',
        periodicity: 'monthly',
        date: '2024-04-01',
        value: 3600,
        expected: 360,
        ratio: 10,
        members: null,
        detail:
          '3600 is 10 times the median 360 of the 6 prices around it; 360 would fit: the decimal point may have slipped by 1.',
        change_set_id: expect.any(Number),
        reason: '',
      },
    ]);
  });

  it('end with a correction, and open again with their ids when it is withdrawn', async () => {
    expect(brief(await list())).toEqual(['2 decimal_slip open 2024-04-01', '1 spike open 2024-04-01']);
    await correct(360);
    expect(brief(await list())).toEqual([
      '2 decimal_slip corrected 2024-04-01',
      '1 spike corrected 2024-04-01',
    ]);
    await correct(3600);
    expect(brief(await list())).toEqual(['2 decimal_slip open 2024-04-01', '1 spike open 2024-04-01']);
  });

  it('are gone once the source has confirmed the correction, and corrected when that is reverted', async () => {
    const upload = async () => {
      const { text } = await service.http().get(`/api/v1/PriceSeriePrice/${UUID}/?format=csv`).expect(200);
      const { body } = await service
        .http()
        .post('/api/v1/Import/?format=prices')
        .set({ ...admin, 'Content-Type': 'text/csv' })
        .send(text)
        .expect(200);
      return body as { change_set_id: number; corrections_confirmed: number };
    };
    // Later imports check only what has changed since.
    await upload();
    await correct(360);
    const report = await upload();
    expect(report).toMatchObject({ corrections_confirmed: 1 });
    expect(brief(await list())).toEqual(['2 decimal_slip gone 2024-04-01', '1 spike gone 2024-04-01']);
    await service.http().post(`/api/v1/ChangeSet/${report.change_set_id}/revert/`).set(admin).expect(200);
    expect(brief(await list())).toEqual([
      '2 decimal_slip corrected 2024-04-01',
      '1 spike corrected 2024-04-01',
    ]);
  });
});
