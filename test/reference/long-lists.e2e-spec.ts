import { startTestApp, type TestApp } from '../support/test-app.js';
import { driverStatements } from '../support/driver-statements.js';
import { testChange } from '../support/change-set.js';

const ROWS_PER_STATEMENT = 500;
/** More rows than one statement reads, and not a multiple of it. */
const COUNT = 1300;

interface Rate {
  id: number;
  currency: string;
  date: string;
  period: string;
  rate: number;
  rate_type: string;
  source: string;
}

describe('a long table', () => {
  let service: TestApp;
  let all: Rate[];
  beforeAll(async () => {
    service = await startTestApp();
    await service.unitOfWork.change(testChange, async (transaction) => {
      for (let n = 0; n < COUNT; n++) {
        const date = new Date(Date.UTC(2010, 0, 1 + n)).toISOString().slice(0, 10);
        await transaction.execute('INSERT INTO fx_rate (currency, date, period, rate) VALUES (?, ?, ?, ?)', [
          n % 3 === 0 ? 'KES' : 'UGX',
          date,
          'daily',
          n + 0.5,
        ]);
      }
      // Ids with gaps.
      await transaction.execute('DELETE FROM fx_rate WHERE rate > 1000 AND rate < 1010');
      transaction.markModified('rates');
    });
    all = await service.database.rows<Rate>(
      'SELECT id, currency, date, period, rate, rate_type, source FROM fx_rate ORDER BY id',
    );
  });
  afterAll(() => service?.close());

  const get = (query: string) => service.http().get(`/api/v1/FxRate/${query}`);

  it('is returned whole, in each format, read in batches', async () => {
    const statements = await driverStatements(service.database, async () => {
      expect((await get('')).body).toEqual(all);
    });
    expect(statements).toHaveLength(Math.ceil(all.length / ROWS_PER_STATEMENT));
    const csv = await get('?format=csv').buffer(true);
    const lines = all.map((rate) => Object.values(rate).join(','));
    expect(csv.text).toBe([Object.keys(all[0]!).join(','), ...lines, ''].join('\r\n'));
    const ndjson = await get('?format=ndjson').buffer(true).responseType('text');
    expect(String(ndjson.body)).toBe(all.map((rate) => `${JSON.stringify(rate)}\n`).join(''));
  });

  it('is filtered', async () => {
    const kenyan = all.filter(({ currency }) => currency === 'KES');
    expect((await get('?currency=KES')).body).toEqual(kenyan);
    expect((await get('?search=kes')).body).toEqual(kenyan);
    expect((await get('?search=zzz')).body).toEqual([]);
    expect((await get('?date=2010-01-04,2011-01-04&search=kes')).body).toEqual(
      kenyan.filter(({ date }) => ['2010-01-04', '2011-01-04'].includes(date)),
    );
  });

  it.each(['?currency=KES', '?search=kes'])(
    'W11: has pages of %s that agree with their count',
    async (query) => {
      const kenyan = all.filter(({ currency }) => currency === 'KES');
      const walked: Rate[] = [];
      for (let page = 1; walked.length < kenyan.length; page++) {
        const { body } = await get(`${query}&page_size=300&page=${page}`).expect(200);
        expect((body as { count: number }).count).toBe(kenyan.length);
        walked.push(...(body as { results: Rate[] }).results);
      }
      expect(walked).toEqual(kenyan);
    },
  );

  it('is returned in one page of the maximum size, read in batches', async () => {
    const statements = await driverStatements(service.database, async () => {
      const { body } = await get('?page_size=10000');
      expect(body).toEqual({ count: all.length, next: null, previous: null, results: all });
    });
    expect(statements).toHaveLength(Math.ceil(all.length / ROWS_PER_STATEMENT));
  });

  it.each([ROWS_PER_STATEMENT, ROWS_PER_STATEMENT + 1, 600])('has pages of %d that go on', async (size) => {
    const walked: Rate[][] = [];
    for (let page = 1; page <= Math.ceil(all.length / size); page++) {
      const { body } = await get(`?page_size=${size}&page=${page}`).expect(200);
      expect((body as { count: number }).count).toBe(all.length);
      walked.push((body as { results: Rate[] }).results);
    }
    expect(walked).toEqual(walked.map((_, index) => all.slice(index * size, (index + 1) * size)));
  });

  it('is revalidated by its ETag', async () => {
    const { headers } = await get('?format=csv');
    const again = await get('?format=csv').set('If-None-Match', headers.etag!);
    expect(again.status).toBe(304);
    await service.unitOfWork.change(testChange, async (transaction) => {
      await transaction.execute('UPDATE fx_rate SET rate = 1, version = version + 1 WHERE id = ?', [
        all[0]!.id,
      ]);
      transaction.markModified('rates');
    });
    expect((await get('?format=csv').set('If-None-Match', headers.etag!)).status).toBe(200);
  });
});
