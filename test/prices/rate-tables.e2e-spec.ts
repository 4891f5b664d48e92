import { dayFromIso, monthOf } from '../../src/lib/dates/calendar-date.js';
import { Environment } from '../../src/config/environment.js';
import { TimeSlice } from '../../src/lib/scheduling/time-slice.js';
import { RateTables } from '../../src/prices/derive/rate-tables.js';
import { openDatabase } from '../support/open-database.js';
import { storeIndices, storeRates } from '../support/price-fixture.js';
import { statementsOf } from '../support/statements.js';

const january = monthOf(dayFromIso('2024-01-01')!);

describe('rate tables', () => {
  let opened: Awaited<ReturnType<typeof openDatabase>>;
  let tables: RateTables;
  beforeEach(async () => {
    opened = await openDatabase();
    tables = new RateTables(opened.database, new Environment({}));
    await storeRates(opened.unitOfWork, [
      ['KES', '2024-01-01', 150],
      ['UGX', '2024-01-10', 3700, 'daily'],
      ['UGX', '2024-01-20', 3800, 'daily'],
    ]);
    await storeIndices(opened.unitOfWork, [['KEN', '2024-01-01', 125]]);
  });
  afterEach(() => opened.close());
  const revision = async () => (await opened.revision.refresh()).rates;
  const at = (requested: number, currencies: string[], countries: string[]) =>
    tables.atRevision(requested, currencies, countries, new TimeSlice());

  it('return the requested rates and indices by month', async () => {
    const rates = (await at(await revision(), ['KES', 'UGX', 'USD', 'XXX'], ['KEN', 'IPS']))!;
    expect(['KES', 'UGX', 'USD', 'XXX'].map((currency) => rates.ratesOf(currency).at(january))).toEqual([
      150,
      3750,
      1,
      NaN,
    ]);
    expect(['KEN', 'IPS'].map((country) => rates.indicesOf(country).at(january))).toEqual([125, NaN]);
    expect(() => rates.ratesOf('AFN')).toThrow('AFN was not loaded.');
  });

  it('read each currency and country once, a few at a time', async () => {
    const names = ['AAA', 'BBB', 'CCC', 'DDD', 'EEE', 'FFF', 'KES'];
    const now = await revision();
    expect(await statementsOf(opened.database, () => at(now, names, ['KEN', 'KEN']))).toHaveLength(3);
    expect(await statementsOf(opened.database, () => at(now, [...names, 'USD'], ['KEN']))).toEqual([]);
    expect(await statementsOf(opened.database, () => at(now, [...names, 'UGX'], []))).toHaveLength(1);
  });

  it('are of the requested revision, or null', async () => {
    const before = await revision();
    const old = (await at(before, ['KES'], ['KEN']))!;
    await storeRates(opened.unitOfWork, [['KES', '2024-02-01', 160]]);
    const now = await revision();
    // What was loaded at the previous revision remains usable.
    expect((await at(before, ['KES'], []))!.ratesOf('KES').at(january + 1)).toBeNaN();
    expect(await at(before, ['UGX'], [])).toBeNull();
    expect(await at(before, [], ['UGA'])).toBeNull();
    expect((await at(now, ['KES'], []))!.ratesOf('KES').at(january + 1)).toBe(160);
    expect(old.ratesOf('KES').at(january + 1)).toBeNaN();
    // Only the newest revision is cached; an older one would be read, but the database is past it.
    expect(await at(before, ['KES'], [])).toBeNull();
    expect(await at(now + 1, ['KES'], [])).toBeNull();
  });
});
