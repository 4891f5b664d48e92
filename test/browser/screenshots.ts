import { mkdirSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { openDatabase } from '../support/open-database.js';
import { launch, openContext } from './chromium.js';
import { publicPages, seriesOf } from './public-pages.js';
import { authorization, startService } from './service.js';
import { slippedUpload, storeTaskData } from './task-data.js';
import { signIn } from './desk-tasks.js';

/*
 *   npm run screenshots -- [--service ORIGIN] [FOLDER]
 *
 * Takes pictures of every page, light, dark, 360 pixels wide, printed and as those of
 * docs/pictures are, of the sample or of a
 * running service, into a folder outside the repository, by default a new one, which is printed.
 * The desk, and pages with names that are written from right to left, are in them where the service
 * is the one that this command starts.
 */

interface View extends BrowserContextOptions {
  isPrint?: true;
  /** What is in view alone, as the pictures of docs/pictures are. */
  isCut?: true;
}

/** Pixels that Chromium draws in one picture; of higher pages, what is in view is taken. */
const MAX_HEIGHT = 16_384;

const VIEWS: Record<string, View> = {
  light: { viewport: { width: 1280, height: 800 } },
  dark: { viewport: { width: 1280, height: 800 }, colorScheme: 'dark' },
  360: { viewport: { width: 360, height: 740 }, deviceScaleFactor: 2 },
  picture: { viewport: { width: 960, height: 620 }, isCut: true },
  // A4 with margins.
  print: { viewport: { width: 718, height: 1047 }, colorScheme: 'dark', isPrint: true },
};

const { values, positionals } = parseArgs({
  options: { service: { type: 'string' } },
  allowPositionals: true,
});
const folder = resolve(positionals[0] ?? mkdtempSync(join(tmpdir(), 'pds-screenshots-')));
if (!relative(process.cwd(), folder).startsWith('..')) {
  console.error('The folder of the pictures must be outside the repository.');
  process.exit(2);
}
mkdirSync(folder, { recursive: true });

/** Takes the page as it is. Only the picture is printed: forms have to be there before. */
async function takeOpen(page: Page, name: string, view: string): Promise<void> {
  const { isPrint, isCut, deviceScaleFactor = 1 } = VIEWS[view]!;
  await page.emulateMedia({ media: isPrint ? 'print' : null });
  const height = await page.evaluate(() => document.documentElement.scrollHeight);
  const fullPage = isCut === undefined && height * deviceScaleFactor <= MAX_HEIGHT;
  await page.screenshot({ path: join(folder, `${name}-${view}.png`), fullPage });
  await page.emulateMedia({ media: null });
}

async function take(page: Page, name: string, address: string, view: string): Promise<void> {
  await page.goto(address, { waitUntil: 'networkidle' });
  await takeOpen(page, name, view);
}

/** Pages of the desk, each reached by the first link with this in its address. */
const DESK_PATHS: Record<string, [address: string, link: string, then?: string]> = {
  'desk-finding': ['/desk/findings', 'tbody a[href*="/desk/findings/"]'],
  'desk-table': ['/desk/tables', 'tbody a[href*="/Market"]'],
  'desk-record': ['/desk/tables/Market', 'tbody a'],
  'desk-merge': ['/desk/tables/Source', 'tbody a', '/merge'],
  'desk-series-page': ['/desk/series', 'tbody a'],
  'desk-join': ['/desk/series', 'tbody a', '/join'],
  'desk-change-set': ['/desk/change-sets', 'tbody a'],
  'desk-account': ['/desk/accounts', 'tbody a'],
};

/** Signs in, and takes the pages of the desk. */
async function takeDesk(page: Page, view: string): Promise<void> {
  await take(page, 'desk-login', '/desk/login', view);
  await signIn(page);
  const links = await page
    .locator('header nav a')
    .evaluateAll((all) => all.map((each) => each.getAttribute('href')!));
  for (const address of new Set(['/desk/', ...links]))
    await take(page, `desk-${address.split('/').filter(Boolean)[1] ?? 'home'}`, address, view);
  for (const [name, [address, link, then = '']] of Object.entries(DESK_PATHS)) {
    await page.goto(address);
    const target = await page.locator(link).first().getAttribute('href');
    await take(page, name, target! + then, view);
  }
  await page.goto('/desk/upload');
  const form = page.locator('form[enctype="multipart/form-data"]');
  await form.evaluate((element) => element.classList.add('dropping'));
  await takeOpen(page, 'desk-drop', view);
  const { name, content } = slippedUpload();
  const file = { name, mimeType: 'text/csv', buffer: Buffer.from(content) };
  await page.locator('input[type=file]').setInputFiles(file);
  await page.getByRole('button', { name: 'Upload and check' }).click();
  await page.getByRole('button', { name: 'Import', exact: true }).waitFor();
  await takeOpen(page, 'desk-check', view);
  await page.getByRole('button', { name: 'Remove the file' }).click();
}

/** Stores a series whose names are written from right to left. @returns its page, and a search */
async function storeArabic(origin: string): Promise<Record<string, string>> {
  const rows = Array.from({ length: 60 }, (_, index) => {
    const date = `${2020 + Math.floor(index / 12)}-${String((index % 12) + 1).padStart(2, '0')}-15`;
    return `${date},صنعاء,أمانة العاصمة,سوق الملح (صنعاء),,,حبوب,أرز أبيض,KG,actual,Retail,YER,${900 + index * 7},`;
  });
  const header =
    'date,admin1,admin2,market,latitude,longitude,category,commodity,unit,priceflag,pricetype,currency,price,usdprice';
  await fetch(`${origin}/api/v1/Import/?format=wfp&country=YEM`, {
    method: 'POST',
    headers: { 'Content-Type': 'text/csv', ...(await authorization(origin)) },
    body: [header, ...rows, ''].join('\n'),
  });
  const [entry] = await seriesOf(origin, 'iso3_country_codes=YEM');
  return {
    'rtl-series': `/series/${entry!.uuid}`,
    'rtl-browse': '/browse?iso3_country_codes=YEM',
    'rtl-country': '/countries/YEM',
  };
}

async function takeAll(browser: Browser, origin: string): Promise<void> {
  const pages = await publicPages(origin);
  if (values.service === undefined)
    for (const [name, address] of Object.entries(await storeArabic(origin))) pages.push({ name, address });
  for (const [view, options] of Object.entries(VIEWS)) {
    const { context, page } = await openContext(browser, origin, options);
    for (const { name, address } of pages) await take(page, name, address, view);
    if (values.service === undefined) await takeDesk(page, view);
    await context.close();
  }
}

const database = values.service === undefined ? await openDatabase() : null;
await database?.database.close();
const service = database === null ? null : await startService(database.url);
const browser = await launch();
try {
  if (service !== null) await storeTaskData(service.origin);
  await takeAll(browser, values.service ?? service!.origin);
  console.log(folder);
} finally {
  await browser.close();
  await service?.stop();
  await database?.drop();
}
