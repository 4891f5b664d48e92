import { languages } from './languages.js';
import { type ClientService, startClientService } from './client-service.js';
import { onSqlite } from '../support/engines.js';
import { describeWith, run } from './run-client.js';

const series = {
  uuid: 'b1fa157e-92f7-5eb6-9940-559441f7a3fc',
  iso3_country_code: 'XAA',
  country: 'Aldoria',
  admin_unit: '',
  market: 'National Average',
  commodity: 'Maize (white)',
  price_type: 'RETAIL',
  source: 'Synthetic sample',
  currency: 'USD',
  unit: 'kg',
};

onSqlite.describe('clients', () => {
  let service: ClientService;
  beforeAll(async () => (service = await startClientService()));
  afterAll(() => service?.close());
  beforeEach(() => void service.requests.splice(0));

  for (const { runtime, agent, prices, errors, sources } of languages)
    describeWith(runtime, `the client for ${runtime.name}`, () => {
      const print = (code: string) =>
        run(runtime, [agent.includes('python') ? '-c' : '-e', code], {
          PRICEDATA_URL: service.url,
          // No cache: a folder that cannot be made.
          XDG_CACHE_HOME: '/dev/null',
        });

      it('makes a tidy table of prices, by names, with what is needed to cite it', async () => {
        const [rows, about] = JSON.parse(await print(prices)) as [{ value: number }[], object];
        expect(rows).toEqual([
          { date: '2026-09-01', value: expect.closeTo(0.396551724137931, 14), ...series },
          { date: '2026-10-01', value: expect.closeTo(0.418181818181818, 14), ...series },
        ]);
        expect(about).toEqual({
          data_revision: 5,
          measure: 'usd',
          per: 'base',
          sources: [{ id: 1, name: 'Synthetic sample', url: '', license: 'Invented data, free for any use' }],
        });
      });

      it('sends its name with each request', async () => {
        await print(sources);
        expect(service.requests.length).toBeGreaterThan(0);
        for (const { headers } of service.requests)
          expect(headers['user-agent']).toMatch(new RegExp(`^${agent}\\d+\\.\\d+\\.\\d+$`));
      });

      it('names what is wrong', async () => {
        expect(JSON.parse(await print(errors))).toEqual([
          expect.stringMatching(/^There is no country 'Aldorea'\. Did you mean Aldoria\?$/),
          expect.stringMatching(/^There is no commodity 'Maze'\. Did you mean Maize \(white\)/),
          '400 invalid: There is no parameter mesure. Did you mean measure?',
          '400 invalid: month must be a month written YYYY-MM, or a date in it; got "x". ' +
            'page_size must be a positive integer; got "0".',
          '404 not_found: There is nothing at this address.',
          '404 not_found: There is no price series with this uuid.',
        ]);
      });

      it('comes back when a reply that is 429 or 503 says so, and not before', async () => {
        service.prepared.push(
          { status: 429, headers: { 'Retry-After': '1' } },
          { status: 503, headers: { 'Retry-After': '0' } },
        );
        const started = performance.now();
        expect(await print(sources)).toMatch(/^1\s*$/);
        expect(performance.now() - started).toBeGreaterThanOrEqual(1000);
        expect(service.requests.map(({ status }) => status)).toEqual([429, 503, 200]);
      });

      it('gives up where it would have to wait too long', async () => {
        service.prepared.push({ status: 429, headers: { 'Retry-After': '3600' }, body: '{}' });
        expect(await print(errorOf(sources, agent))).toContain('429');
        expect(service.requests.map(({ status }) => status)).toEqual([429]);
      });
    });
});

/** The message of the error of a block. */
const errorOf = (code: string, agent: string): string =>
  agent.includes('python')
    ? `try:\n${code.replace(/^/gm, '    ')}\nexcept Exception as error: print(error)`
    : `cat(tryCatch({ ${code} }, error = conditionMessage))`;
