import { randomUUID } from 'node:crypto';
import { createReadStream, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { createGunzip } from 'node:zlib';
import { ImportService } from '../../src/import/import.service.js';
import { openInput } from '../../src/import/pipeline/input.js';
import { storeSeries } from '../support/price-fixture.js';
import { describeWithRealData, realData } from '../support/real-data.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { page, tableRows } from './pages.js';

const PRICES = 'wfp/large/wfp_food_prices_58countries_2023-08.csv.gz';
const kenya = { iso3_country_code: 'KEN', country_name: 'Kenya' };

let service: TestApp;
afterEach(() => service.close());

/** What is suggested for words of a food and a country. */
const suggested = async (words: string): Promise<string[]> => {
  const { body } = await service.http().get('/api/v1/Suggest/').query({ q: words, limit: 20 }).expect(200);
  const { country_commodities } = body as { country_commodities: { commodity: string }[] };
  return country_commodities.map(({ commodity }) => commodity);
};
const plain = (html: string) =>
  html
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
/** The heading of a page and what it says first. */
const beginning = async (address: string) =>
  plain(/<h1>[\s\S]*?<\/p>/.exec(await page(service, address))![0]);
/** The pages that a search leads to. */
const led = async (words: string): Promise<string[]> => {
  const html = await page(service, `/browse?search=${encodeURIComponent(words)}`);
  return [...(/<p>\s*Pages:([\s\S]*?)<\/p>/.exec(html)?.[1] ?? '').matchAll(/href="([^"]+)"/g)].map(
    ([, address]) => address!,
  );
};

describe('kinds of one food', () => {
  beforeEach(async () => {
    service = await startTestApp();
    const kinds: [name: string, markets: number, month: string][] = [
      // A few camps have the plain name, and most series of all were of it.
      ['Maize', 2, '2023-05-01'],
      ['Maize', 6, '2021-01-01'],
      ['Maize (white, dry)', 3, '2023-06-01'],
      ['Maize (white)', 5, '2020-12-01'],
      ['Maize flour', 9, '2023-06-01'],
      ['Beans', 1, '2023-06-01'],
    ];
    await storeSeries(
      service.unitOfWork,
      kinds.flatMap(([name, markets, month]) =>
        Array.from({ length: markets }, (_, index) => ({
          uuid: randomUUID(),
          commodity: { name, hs_code: null },
          market: { name: `${name} ${month} ${index}`, ...kenya },
          points: { monthly: [[month, 40 + index]] as [string, number][] },
        })),
      ),
    );
  });

  it('come before other foods of the name, the one that most markets have newest prices of first', async () => {
    for (const words of ['maize kenya', 'Kenya MAI', 'mais kenia'])
      expect([words, await suggested(words)]).toEqual([
        words,
        ['Maize (white, dry)', 'Maize', 'Maize (white)', 'Maize flour'],
      ]);
    expect(await suggested('maize flour kenya')).toEqual(['Maize flour']);
    expect(await suggested('white kenya')).toEqual(['Maize (white, dry)', 'Maize (white)']);
    const [first, second] = await led('How much has maize risen in Kenya?');
    expect(await beginning(first!)).toContain('Maize (white, dry) , Kenya Newest prices: June 2023');
    expect(await beginning(second!)).toContain('Maize , Kenya Newest prices: May 2023');
  });

  it('stand together on the page of the country, and lead to each other', async () => {
    const country = await page(service, '/countries/KEN');
    expect(tableRows(country, 'Two years').map(([name]) => name)).toEqual([
      'Beans',
      'Maize (white, dry)',
      'Maize',
      'Maize (white)',
      'Maize flour',
    ]);
    expect(plain(country)).toContain(
      'Of kinds of one food, the one that most markets have newest prices of comes first.',
    );
    const [, maize] = await led('maize kenya');
    expect(plain(/Also:[\s\S]*?<\/p>/.exec(await page(service, maize!))![0])).toBe(
      'Also: Maize (white, dry) , Maize (white) , Maize flour',
    );
  });
});

describeWithRealData('the published prices of Kenya', () => {
  beforeEach(async () => {
    service = await startTestApp();
    const lines: string[] = [];
    for await (const line of createInterface(
      createReadStream(realData(PRICES)).pipe(createGunzip()),
    ) as AsyncIterable<string>)
      if (lines.length === 0 || line.startsWith('KEN,')) lines.push(line);
    const request = { format: 'wfp', options: {}, dryRun: false, caller: null, requestId: null };
    const folder = mkdtempSync(join(tmpdir(), 'pds-kenya-'));
    const file = join(folder, 'kenya.csv');
    writeFileSync(file, `${lines.join('\n')}\n`);
    await service.app.get(ImportService).import(request, await openInput(file));
    rmSync(folder, { recursive: true });
  }, 120_000);

  it('answer how much maize has risen on the first page that the question leads to', async () => {
    const [first, ...others] = await led('How much has maize risen in Kenya');
    expect(await beginning(first!)).toContain(
      'KES 72.16 per kg, wholesale, in June 2023 (median of 10 markets), 22.2% more than a year before (the 8 with both prices).',
    );
    // What has the plain name is two camps, where nothing can be compared.
    expect(await beginning(others[0]!)).toContain(
      'KES 57.5 per kg, retail, in June 2023 (median of 2 markets), nothing can be compared with a year before.',
    );
    expect(await suggested('maize kenya')).toEqual([
      'Maize (white, dry)',
      'Maize',
      'Maize (white)',
      'Maize flour',
    ]);
  });
});
