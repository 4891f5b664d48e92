import { randomUUID } from 'node:crypto';
import { saveFindings } from '../../src/ledger/findings/finding-store.js';
import { dayFromIso } from '../../src/lib/dates/calendar-date.js';
import { testChange } from '../support/change-set.js';
import { storeIndices, storeRates, storeSeries } from '../support/price-fixture.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { expectSafe, open, page, tableRows } from './pages.js';

const HOSTILE = '</script><script>alert(1)</script>"\'&';
const LONG = 'م'.repeat(200);
const UUIDS = { maize: randomUUID(), daily: randomUUID(), long: randomUUID(), tiny: randomUUID() };

let service: TestApp;
let ids: Map<string, number>;
beforeAll(async () => {
  service = await startTestApp();
  ids = await storeSeries(service.unitOfWork, [
    {
      uuid: UUIDS.maize,
      commodity: { name: 'Maize (white)' },
      unit: { name: '90 kg', dimension: 'mass', conversion_factor: 1 / 90 },
      points: {
        monthly: [
          ['2024-05-01', 40],
          ['2024-06-01', 420],
          ['2024-07-01', 44],
          ['2024-09-01', 45],
        ],
      },
    },
    {
      uuid: UUIDS.daily,
      commodity: { name: 'Rice' },
      points: {
        daily: [
          ['2024-07-01', 1],
          ['2024-07-02', 2],
          ['2024-07-20', 6],
        ],
      },
    },
    {
      uuid: UUIDS.long,
      commodity: { name: HOSTILE },
      market: { name: LONG, iso3_country_code: 'YEM', country_name: 'اليمن' },
      source: { name: HOSTILE },
      points: { monthly: [['2024-01-01', 1e12, HOSTILE]] },
    },
    {
      uuid: UUIDS.tiny,
      commodity: { name: 'Salt' },
      status: 'forecast',
      points: { weekly: [['2024-07-05', 1e-9]] },
    },
  ]);
  await storeRates(service.unitOfWork, [
    ['KES', '2024-07-01', 129.3],
    ['KES', '2024-09-30', 128, 'daily'],
  ]);
  await storeIndices(service.unitOfWork, [['KEN', '2024-07-01', 187.5]]);
});
afterAll(() => service.close());

const pointPath = (uuid: string, periodicity: string, date: string) =>
  `/series/${uuid}/points/${periodicity}/${date}`;

/** The text of a page between two headings, without its markup. */
const textOf = (html: string, from: string, to: string) =>
  html
    .slice(html.indexOf(from), html.indexOf(to, html.indexOf(from)))
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();

describe('the page of a price', () => {
  it('says what the price is, what it was made of, and what stands around it', async () => {
    const html = await page(service, pointPath(UUIDS.maize, 'monthly', '2024-07-01'));
    expect(textOf(html, '<h1>', '<h2>Versions')).toBe(
      'Price of July 2024: Maize (white) , Nairobi , Kenya (retail) KES 44 per 90 kg in July 2024 (retail, Nairobi). It stands for the whole month. ' +
        'As published 44 KES per 90 kg Per kilogram 0.488889 KES per kilogram ' +
        'In real terms 23.4667 KES per 90 kg, 2015 = 100 In US dollars 0.340294 US$ per 90 kg ' +
        'How this was calculated The price is as Ministry has published it. ' +
        'In US dollars KES 44 ÷ 129.3 = US$ 0.340294. ' +
        'KES 129.3 per US dollar is the rate of July 2024, a monthly rate (source: not known). ' +
        'In real terms KES 44 × 100 ÷ 187.5 = KES 23.4667. ' +
        '187.5 is the general consumer price index of Kenya of July 2024 (2015 = 100; source: not known). ' +
        'Rates and indices are those of its own month: none is carried on from another month. ' +
        'What looks wrong with it Rules have found nothing that looks wrong with this price.',
    );
    expect(html).toContain(`href="${pointPath(UUIDS.maize, 'monthly', '2024-06-01')}" rel="nofollow">Before`);
    expect(html).toContain(`href="${pointPath(UUIDS.maize, 'monthly', '2024-09-01')}" rel="nofollow">After`);
  });

  it('has the numbers that the API explains, and leads to them', async () => {
    const html = await page(service, pointPath(UUIDS.maize, 'monthly', '2024-07-01'));
    const address = /href="(\/api\/[^"]*explain=true)"/.exec(html)![1]!;
    const { body } = await service.http().get(address).expect(200);
    const point = body as Record<'price_value' | 'price_value_real' | 'price_value_dollar', number>;
    for (const value of [point.price_value, point.price_value_real, point.price_value_dollar])
      expect(html).toContain(`<data value="${value}">`);
  });

  it('lists the prices that a mean was made of, each with its page', async () => {
    const html = await page(service, pointPath(UUIDS.daily, 'monthly', '2024-07-01'));
    expect(html).toContain('KES 3 per Kg in July 2024 (retail, Nairobi).');
    expect(html).toContain('It is the mean of 3 daily prices.');
    expect(tableRows(html, 'How this was calculated')).toEqual([
      ['2024-07-01', '1'],
      ['2024-07-02', '2'],
      ['2024-07-20', '6'],
    ]);
    expect(html).toContain(`href="${pointPath(UUIDS.daily, 'daily', '2024-07-20')}"`);
    expect(html).toContain('it has no versions itself');
    expect(html).toContain('Rules look at the prices that it was made of, see their pages.');
    const one = await page(service, pointPath(UUIDS.daily, 'daily', '2024-07-20'));
    expect(one).toContain('KES 6 per Kg on 2024-07-20 (retail, Nairobi). It stands for that day.');
    const week = await page(service, pointPath(UUIDS.daily, 'weekly', '2024-07-05'));
    expect(week).toContain('It stands for the week from Saturday 2024-06-29 to Friday 2024-07-05.');
    expect(tableRows(week, 'How this was calculated')).toEqual([
      ['2024-07-01', '1'],
      ['2024-07-02', '2'],
    ]);
  });

  it('says why there are no dollars and no real prices', async () => {
    const html = await page(service, pointPath(UUIDS.maize, 'monthly', '2024-05-01'));
    expect(html).toContain('There is no exchange rate of KES of May 2024.');
    const september = await page(service, pointPath(UUIDS.maize, 'monthly', '2024-09-01'));
    expect(september).toContain(
      'KES 128 per US dollar is the rate of September 2024, the one daily rate that there is of it',
    );
    expect(html).toContain('There is no consumer price index of Kenya of May 2024.');
  });

  it('tells corrections in words, with versions, also of prices that were removed', async () => {
    const path = pointPath(UUIDS.maize, 'monthly', '2024-06-01');
    const before = await page(service, path);
    const correct = async (price: number | null, reason: string) =>
      service
        .http()
        .post(`/api/v1/Correction/?reason=${reason}`)
        .set(await service.authHeader())
        .send([{ uuid: UUIDS.maize, periodicity: 'monthly', date: '2024-06-01', price_value: price }])
        .expect(200);
    await correct(42, 'Bulletin%205');
    const corrected = await page(service, path);
    expect(textOf(corrected, '<h2>How', '<h3>')).toBe(
      'How this was calculated The price is that of a correction, see below.',
    );
    expect(textOf(corrected, '<h2>Corrections', '<h2>Versions').replace(/\d{4}-\S+ \d\d:\d\d/, 'TIME')).toBe(
      'Corrections TIME A maintainer has corrected the 420 of the source to 42. “Bulletin 5” It holds.',
    );
    const versions = (html: string) =>
      tableRows(html, '<h2>Versions').map(([, until, price, operation]) => [
        until === 'now',
        price,
        operation,
      ]);
    expect(versions(corrected)).toEqual([
      [true, '42', 'correction by a maintainer: Bulletin 5'],
      [false, '420', 'change of the data: Test'],
    ]);
    await correct(null, 'Nobody%20saw%20it');
    const removed = await page(service, path);
    expect(textOf(removed, '<h1>', '<h2>')).toBe(
      'Price of June 2024: Maize (white) , Nairobi , Kenya (retail) There is no price of this date now: it was removed.',
    );
    expect(versions(removed)[0]).toEqual([true, 'no price', 'correction by a maintainer: Nobody saw it']);
    const cite = /href="[^"]*(\/series\/[^"]*as_of=r\d+)"/.exec(before)![1]!;
    const past = await page(service, cite);
    expect(past).toContain('KES 420 per 90 kg in June 2024');
    expect(versions(past)).toEqual([[false, '420', 'change of the data: Test']]);
  });

  it('explains what rules have found, of it alone or of a group that it is in', async () => {
    const shared = { subject: 'test it', country: 'KEN', value: null, expected: null, ratio: null };
    const member = (date: string) => ({
      serieId: ids.get(UUIDS.maize)!,
      uuid: UUIDS.maize,
      day: dayFromIso(date)!,
      value: 45,
    });
    await service.unitOfWork.change(testChange, (transaction) =>
      saveFindings(transaction, [
        {
          subjects: ['test it'],
          isCorrected: undefined,
          found: [
            {
              ...shared,
              rule: 'decimal_slip',
              severity: 'error',
              scope: 'point',
              about: 'point',
              period: 3,
              day: dayFromIso('2024-09-01'),
              series: [member('2024-09-01')],
              detail: '45 is ten times 4.5.',
            },
            {
              ...shared,
              rule: 'batch',
              severity: 'error',
              scope: 'group',
              about: 'group',
              period: null,
              day: null,
              series: [member('2024-07-01'), member('2024-09-01')],
              detail: 'Two prices.',
            },
          ],
        },
      ]),
    );
    const found = async (date: string) =>
      textOf(await page(service, pointPath(UUIDS.maize, 'monthly', date)), '<h2>What looks', '<h2>Versions');
    const batch =
      'The price of this commodity is unlikely in several markets of the month. Two prices. batch, open';
    expect(await found('2024-09-01')).toBe(
      `What looks wrong with it Rules have found this in the data. It may still be true. ${batch} ` +
        'The decimal point may have slipped: ten times more or less would fit. 45 is ten times 4.5. decimal_slip, open',
    );
    expect(await found('2024-07-01')).toBe(
      `What looks wrong with it Rules have found this in the data. It may still be true. ${batch}`,
    );
  });

  it('names the nearest dates where the series has no price of one', async () => {
    const { status, text } = await open(service, pointPath(UUIDS.maize, 'monthly', '2024-08-01'));
    expect(status).toBe(404);
    expectSafe(text);
    expect(text).toContain('The series has no monthly price of 2024-08-01.');
    expect([...text.matchAll(/<li><a href="([^"]*)"[^>]*>([^<]*)/g)].map(([, ...link]) => link)).toEqual([
      [pointPath(UUIDS.maize, 'monthly', '2024-07-01'), 'The price of 2024-07-01'],
      [pointPath(UUIDS.maize, 'monthly', '2024-09-01'), 'The price of 2024-09-01'],
      [`/series/${UUIDS.maize}`, 'The series with all its prices'],
    ]);
    for (const path of [
      pointPath(UUIDS.maize, 'yearly', '2024-07-01'),
      pointPath(UUIDS.maize, 'monthly', '2024-13-01'),
      pointPath(randomUUID(), 'monthly', '2024-07-01'),
      pointPath(UUIDS.maize, 'daily', '2024-07-01'),
    ])
      expect([path, (await open(service, path)).status]).toEqual([path, 404]);
    expect(
      (await open(service, `${pointPath(UUIDS.maize, 'monthly', '2024-07-01')}?as_of=r9999`)).status,
    ).toBe(400);
  });

  it.each([
    ['monthly/2024-7', '2024-07-01'],
    ['monthly/2024-07', '2024-07-01'],
    ['yearly/2024-07-01', '2024-07-01'],
    ['monthly/2024-13-01', null],
    ['monthly/july', null],
  ])('names the price of a month where the address is %s', async (part, date) => {
    const { status, text } = await open(service, `/series/${UUIDS.maize}/points/${part}`);
    expect(status).toBe(404);
    expectSafe(text);
    expect([...text.matchAll(/<li><a href="([^"]*)"[^>]*>([^<]*)/g)].map(([, ...link]) => link)).toEqual([
      ...(date === null ? [] : [[pointPath(UUIDS.maize, 'monthly', date), `The price of ${date}`]]),
      [`/series/${UUIDS.maize}`, 'The series with all its prices'],
    ]);
  });

  it('says of a state before the prices that they may not have been stored, and leads to the newest', async () => {
    for (const path of [`/series/${UUIDS.maize}`, pointPath(UUIDS.maize, 'monthly', '2024-07-01')]) {
      const { status, text } = await open(service, `${path}?as_of=2001-01-01`);
      expect([path, status]).toEqual([path, 404]);
      expect(text.replace(/\s+/g, ' ').replaceAll(' rel="nofollow"', '')).toContain(
        `As known on: 2001-01-01. It may not have been stored by then. <a href="${path}">Show the newest data</a>`,
      );
    }
    expect((await open(service, `/series/${randomUUID()}`)).text).not.toContain('stored by then');
    expect(await page(service, '/?as_of=2001-01-01')).toContain('This page shows the newest data alone');
    expect(await page(service, '/')).not.toContain('newest data alone');
  });

  it('holds names of every kind, and the smallest and greatest prices', async () => {
    const html = await page(service, pointPath(UUIDS.long, 'monthly', '2024-01-01'));
    expect(html).toContain('KES 1,000,000,000,000 per Kg');
    expect(html).not.toMatch(/alert\(1\)<\/script>|NaN|undefined/);
    const tiny = await page(service, pointPath(UUIDS.tiny, 'weekly', '2024-07-05'));
    expect(tiny).toContain('KES 0.000000001 per Kg in the week of 2024-07-05');
    expect(tiny).toContain('It is a forecast of the source, not an observed price.');
  });

  it('is where the dates of the page of the series lead', async () => {
    const html = await page(service, `/series/${UUIDS.maize}`);
    expect(html).toContain(`href="${pointPath(UUIDS.maize, 'monthly', '2024-09-01')}"`);
  });
});
