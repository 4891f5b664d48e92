import { mkdirSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { createTestDatabase } from '../support/test-database.js';
import { launch, openContext } from './chromium.js';
import { publicPages } from './public-pages.js';
import { startService } from './service.js';
import { signIn } from './tasks.js';

/*
 *   npm run screenshots -- [--service ORIGIN] [FOLDER]
 *
 * Takes pictures of every page, light, dark and 360 pixels wide, of the sample or of a running
 * service, into a folder outside the repository, by default a new one, which is printed. The desk
 * is in them where the service is the one that this command starts.
 */

const VIEWS: Record<string, BrowserContextOptions> = {
  light: { viewport: { width: 1280, height: 800 } },
  dark: { viewport: { width: 1280, height: 800 }, colorScheme: 'dark' },
  360: { viewport: { width: 360, height: 740 }, deviceScaleFactor: 2 },
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

const take = async (page: Page, name: string, address: string, view: string) => {
  await page.goto(address, { waitUntil: 'networkidle' });
  await page.screenshot({ path: join(folder, `${name}-${view}.png`), fullPage: true });
};

/** Signs in, and takes every page that the navigation of the desk leads to. */
async function takeDesk(page: Page, view: string): Promise<void> {
  await take(page, 'desk-login', '/desk/login', view);
  await signIn(page);
  const links = await page
    .locator('header nav a')
    .evaluateAll((all) => all.map((each) => each.getAttribute('href')!));
  for (const address of new Set(['/desk/', ...links]))
    await take(page, `desk-${address.split('/').filter(Boolean)[1] ?? 'home'}`, address, view);
}

async function takeAll(browser: Browser, origin: string): Promise<void> {
  const pages = await publicPages(origin);
  for (const [view, options] of Object.entries(VIEWS)) {
    const { context, page } = await openContext(browser, origin, options);
    for (const { name, address } of pages) await take(page, name, address, view);
    if (values.service === undefined) await takeDesk(page, view);
    await context.close();
  }
}

const database = values.service === undefined ? await createTestDatabase() : null;
const service = database === null ? null : await startService(database.url);
const browser = await launch();
try {
  await takeAll(browser, values.service ?? service!.origin);
  console.log(folder);
} finally {
  await browser.close();
  await service?.stop();
  await database?.drop();
}
