import { randomUUID } from 'node:crypto';
import readExcelFile from 'read-excel-file/node';
import { PARTLY_SAMPLE_NOTICE, SAMPLE_NOTICE } from '../../src/price-series/sample-source.js';
import { SampleData } from '../../src/sample/sample-data.js';
import { getFile } from '../formats/files.js';
import { storeSeries } from '../support/price-fixture.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { open, page } from './pages.js';

const REAL = randomUUID();
const FOOTER = 'Food prices as published by their sources.';

let service: TestApp;
let sample: string;
beforeAll(async () => {
  service = await startTestApp();
  await storeSeries(service.unitOfWork, [
    {
      uuid: REAL,
      market: { name: 'Nairobi', iso3_country_code: 'KEN', country_name: 'Kenya' },
      points: { monthly: [['2024-01-01', 5]] },
    },
  ]);
});
afterAll(() => service.close());

/** Pages and embedded charts, by addresses that both states have. */
const PAGES = [
  '/',
  '/browse',
  '/warnings',
  '/data',
  '/compare',
  '/countries/KEN',
  `/series/${REAL}`,
  `/embed/series/${REAL}`,
];
const PICTURES = ['/map.svg', '/warnings.svg', `/series/${REAL}.svg`, '/countries/KEN.svg'];

/** Other prices are stored beside the sample. */
const count = (text: string) => text.split(PARTLY_SAMPLE_NOTICE).length - 1;
const textOf = async (address: string) =>
  ((await service.http().get(address).expect(200)).body as Buffer).toString();
const notesOf = async (list: string) => {
  const { bytes } = await getFile(service, `/api/v1/${list}/?format=xlsx`);
  const sheets = await readExcelFile(Buffer.from(bytes));
  return JSON.stringify(sheets.find(({ sheet }) => sheet === 'Notes')!.data);
};

/** What every place says: pages, pictures and the notes of workbooks. */
async function said(): Promise<Record<string, boolean>> {
  const places: [string, boolean][] = [];
  for (const address of PAGES) places.push([address, count((await open(service, address)).text) > 0]);
  for (const address of PICTURES) places.push([address, count(await textOf(address)) > 0]);
  for (const list of ['PriceSerie', 'Commodity']) places.push([list, count(await notesOf(list)) > 0]);
  return Object.fromEntries(places);
}

const everywhere = (value: boolean) =>
  Object.fromEntries([...PAGES, ...PICTURES, 'PriceSerie', 'Commodity'].map((place) => [place, value]));

describe('while the sample is stored', () => {
  it('nothing says that prices are invented before it is', async () => {
    expect(await said()).toEqual(everywhere(false));
    expect(await page(service, '/')).toContain(FOOTER);
    sample = await csv();
  });

  it('every page, picture and workbook does, and no reply for programs', async () => {
    await service.app.get(SampleData).load();
    expect(await said()).toEqual(everywhere(true));
    expect(await page(service, '/')).not.toContain(FOOTER);
    expect((await open(service, '/nowhere')).text).toContain('does not exist');
    expect(await csv()).toBe(sample);
    for (const format of ['json', 'csv', 'ndjson'])
      expect(count(await textOfList(`PriceSerie/?format=${format}`))).toBe(0);
  });

  it('citations do, too', async () => {
    const [, cited] = /<span class="citation"[^>]*>([\s\S]*?)<\/span>/.exec(
      await page(service, `/series/${REAL}`),
    )!;
    expect(count(cited!)).toBe(1);
  });

  it('all are called invented where no others are stored', async () => {
    const alone = await startTestApp();
    try {
      await alone.app.get(SampleData).load();
      const start = await page(alone, '/');
      expect(start).toContain(SAMPLE_NOTICE);
      expect(start).not.toContain(PARTLY_SAMPLE_NOTICE);
    } finally {
      await alone.close();
    }
  });

  it('and none does once it is removed', async () => {
    await service.app.get(SampleData).remove();
    expect(await said()).toEqual(everywhere(false));
  });
});

const textOfList = async (list: string) => (await service.http().get(`/api/v1/${list}`).buffer(true)).text;
const csv = () => textOfList('PriceSeriePrice/?iso3_country_codes=KEN&format=csv');
