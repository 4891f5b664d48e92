import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import type { Browser, Page } from 'playwright-core';
import { openDatabase } from '../support/open-database.js';
import { BROWSER_PATH, launch, openContext, violationsOf } from './chromium.js';
import { importPublished, missingFiles, publishedUpload } from './published-data.js';
import { publicPages } from './public-pages.js';
import { startService } from './service.js';
import { slippedUpload, storeTaskData } from './task-data.js';
import { correctSlip, MAX_DESK_STEPS } from './desk-tasks.js';
import { csvOfTowns, isDearer, MAX_READING_STEPS } from './reading-tasks.js';

/*
 *   npm run test:browser -- [--service ORIGIN | --published] [--dearer WORDS] [--towns WORDS]
 *
 * Measures in a browser what the tests do not assert, because machines are busy: when pages are
 * interactive with the processor slowed 4 times, what a first view weighs, and how many steps and
 * seconds tasks take. Of a running service, or of the built one on the sample; or only the tasks,
 * on published files of prices, rates and indices, which are imported first. Ends with 1 where a
 * limit is exceeded.
 */

/** Milliseconds until a page is interactive, with the processor slowed. */
const MAX_MILLISECONDS = 1000;
const SLOWED = 4;
/** Views of a page, of which the median counts. */
const VIEWS = 5;

const { values } = parseArgs({
  options: {
    service: { type: 'string' },
    published: { type: 'boolean', default: false },
    dearer: { type: 'string' },
    towns: { type: 'string' },
  },
});
// The published files have no prices of Kabul.
const { dearer: dearerWords = values.published ? 'rice karachi' : 'rice kabul' } = values;
const { towns: townsWords = 'maize kenya' } = values;
let failed = false;

function report(name: string, text: string, isWithin: boolean): void {
  failed ||= !isWithin;
  console.log(`${isWithin ? 'ok  ' : 'FAIL'} ${name.padEnd(16)} ${text}`);
}

/** Milliseconds from the request until the scripts have run; they run before this event. */
const interactiveAt = (page: Page) =>
  page.evaluate(
    () =>
      (performance.getEntriesByType('navigation')[0] as PerformanceNavigationTiming).domContentLoadedEventEnd,
  );

const bytes = (page: Page) =>
  page.evaluate(() =>
    ['navigation', 'resource']
      .flatMap((type) => performance.getEntriesByType(type) as PerformanceResourceTiming[])
      .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0),
  );

async function measurePages(browser: Browser, origin: string): Promise<void> {
  for (const { name, address } of await publicPages(origin)) {
    const times: number[] = [];
    let [weight, violations] = [0, 0];
    for (let view = 0; view < VIEWS; view++) {
      const { context, page } = await openContext(browser, origin);
      const session = await context.newCDPSession(page);
      await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWED });
      await page.goto(address, { waitUntil: 'load' });
      times.push(await interactiveAt(page));
      weight = await bytes(page);
      if (view === 0) violations = (await violationsOf(page)).length;
      await context.close();
    }
    const median = Math.round(times.sort((one, other) => one - other)[VIEWS >> 1]!);
    const text = `interactive after ${median} ms, ${(weight / 1000).toFixed(1)} kB, ${violations} findings of axe-core`;
    report(name, text, median <= MAX_MILLISECONDS && violations === 0);
  }
}

async function runTasks(browser: Browser, origin: string): Promise<void> {
  const { context, page } = await openContext(browser, origin);
  const dearer = await isDearer(page, dearerWords);
  console.log(`     ${dearer.title}: ${dearer.facts.join(' | ')}`);
  const describe = ({ count, seconds }: typeof dearer.steps, most: number) =>
    `${count} of ${most} steps, ${seconds.toFixed(1)} s`;
  const reading = ({ steps }: { steps: typeof dearer.steps }) =>
    [describe(steps, MAX_READING_STEPS), steps.count <= MAX_READING_STEPS] as const;
  report('dearer?', ...reading(dearer));
  const towns = await csvOfTowns(page, townsWords);
  console.log(
    `     ${towns.name}: ${towns.csv.split('\r\n').length - 2} rows, ${towns.csv.split('\r\n')[0]}`,
  );
  report('towns', ...reading(towns));
  // A running service is left as it is.
  if (values.service === undefined) {
    const upload = values.published ? publishedUpload('KEN', 'Maize') : slippedUpload();
    const { steps, stored, right } = await correctSlip(page, upload);
    const isRight = stored[0] === right && steps.count <= MAX_DESK_STEPS;
    report('decimal slip', describe(steps, MAX_DESK_STEPS), isRight);
  }
  await context.close();
}

if (!existsSync(BROWSER_PATH)) {
  console.error(`There is no browser at ${BROWSER_PATH}: BROWSER_PATH says where it is.`);
  process.exit(2);
}
if (values.published && missingFiles().length > 0) {
  console.log(`Skipped, published data files not available: ${missingFiles().join(', ')}`);
  process.exit(0);
}
const database = values.service === undefined ? await openDatabase() : null;
await database?.database.close();
if (values.published) importPublished(database!.url);
const settings: Record<string, string> = values.published ? { SAMPLE_DATA: 'off' } : {};
const service = database === null ? null : await startService(database.url, settings);
const browser = await launch();
try {
  const origin = values.service ?? service!.origin;
  if (!values.published) {
    if (service !== null) await storeTaskData(origin);
    await measurePages(browser, origin);
  }
  await runTasks(browser, origin);
} finally {
  await browser.close();
  await service?.stop();
  await database?.drop();
}
process.exit(failed ? 1 : 0);
