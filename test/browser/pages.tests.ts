import type { Page } from 'playwright-core';
import { openContext, violationsOf } from './chromium.js';
import type { InBrowser } from './in-browser.js';
import { type PublicPage, publicPages } from './public-pages.js';

/** Bytes of a first view, as they are sent: scripts, and all of it without the map. */
const BUDGET = { scripts: 60_000, all: 100_000 };

/** How many times slower than the machine the processor is made. */
const SLOWED = 4;

/** Chromium says so of every page with the status 404, and so should it. */
const isExpected = (complaint: string) => /at \S+\/nowhere: Failed to load resource/.test(complaint);

/** What holds for every page. */
export function pageTests(shared: InBrowser): void {
  let pages: PublicPage[];
  beforeAll(async () => (pages = await publicPages(shared.origin)));

  it('have nothing for axe-core to find', async () => {
    const { context, page, complaints } = await openContext(shared.browser, shared.origin);
    const found: string[] = [];
    for (const { name, address } of pages) {
      await page.goto(address);
      found.push(...(await violationsOf(page)).map((violation) => `${name}: ${violation}`));
    }
    expect(found).toEqual([]);
    expect(complaints.filter((complaint) => !isExpected(complaint))).toEqual([]);
    await context.close();
  }, 180_000);

  it('ask no other server, stay within the budget, and do not move once they are seen', async () => {
    for (const { name, address } of pages) {
      const { context, page, complaints } = await openContext(shared.browser, shared.origin);
      // So that a page which is painted before it has been read to its end is caught at it.
      const session = await context.newCDPSession(page);
      await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWED });
      await page.goto(address, { waitUntil: 'networkidle' });
      const { scripts, all, shift } = await page.evaluate(measureView);
      expect({ name, complaints: complaints.filter((each) => !isExpected(each)), shift }).toEqual({
        name,
        complaints: [],
        shift: 0,
      });
      expect(scripts).toBeLessThanOrEqual(BUDGET.scripts);
      expect([name, all]).toEqual([name, Math.min(all, BUDGET.all)]);
      await context.close();
    }
  }, 180_000);

  it('are no wider than a telephone', async () => {
    const viewport = { width: 360, height: 740 };
    const { context, page } = await openContext(shared.browser, shared.origin, { viewport });
    for (const { name, address } of pages) {
      await page.goto(address);
      const width = await page.evaluate(() => document.documentElement.scrollWidth);
      expect({ name, width }).toEqual({ name, width: 360 });
    }
    await context.close();
  });

  it('can be walked through by keyboard, each with the focus in sight', async () => {
    const { context, page } = await openContext(shared.browser, shared.origin);
    for (const { name, address } of pages) {
      await page.goto(address);
      expect({ name, missed: await missedByTab(page) }).toEqual({ name, missed: [] });
    }
    await context.close();
  });
}

/** Bytes as they were sent, and how much of the page has moved. */
async function measureView() {
  const entries = [
    ...performance.getEntriesByType('navigation'),
    ...performance.getEntriesByType('resource'),
  ] as PerformanceResourceTiming[];
  const sum = (list: PerformanceResourceTiming[]) =>
    list.reduce((bytes, { encodedBodySize }) => bytes + encodedBodySize, 0);
  const shift = await new Promise<number>((resolve) => {
    new PerformanceObserver((list) => {
      const values = list.getEntries().map((entry) => (entry as unknown as { value: number }).value);
      resolve(values.reduce((total, value) => total + value, 0));
    }).observe({ type: 'layout-shift', buffered: true });
    setTimeout(() => resolve(0), 100);
  });
  return {
    scripts: sum(entries.filter(({ name }) => name.endsWith('.js'))),
    all: sum(entries),
    shift,
  };
}

/** Most steps of Tab on one page: long tables repeat themselves. */
const MAX_STEPS = 60;

/**
 * Elements that Tab does not reach in the order of the page, or that do not show that they have
 * the focus.
 */
async function missedByTab(page: Page): Promise<string[]> {
  const count = await page.evaluate((most) => {
    const all = [
      ...document.querySelectorAll<HTMLElement>(
        'a[href], button, input, select, textarea, summary, [tabindex="0"]',
      ),
    ].filter((element) => element.checkVisibility() && !element.matches('[type=hidden]'));
    const steps = all.slice(0, most);
    steps.forEach((element, index) => (element.dataset.step = String(index)));
    return steps.length;
  }, MAX_STEPS);
  const missed: string[] = [];
  for (let step = 0; step < count; step++) {
    await page.keyboard.press('Tab');
    const problem = await page.evaluate((expected) => {
      const active = document.activeElement as HTMLElement;
      // A field for a date has several parts, each with a step of its own.
      if (active.dataset.step === expected) {
        const style = getComputedStyle(active);
        return style.outlineStyle === 'none' ? `no outline: ${active.outerHTML.slice(0, 150)}` : null;
      }
      return `${expected} is not ${active.outerHTML.slice(0, 150)}`;
    }, String(step));
    if (problem === null) continue;
    const part = await page.evaluate(() => {
      const active = document.activeElement as HTMLInputElement;
      return ['date', 'month', 'datetime-local'].includes(active.type);
    });
    if (part) step--;
    else missed.push(problem);
    if (missed.length > 3) break;
  }
  return missed;
}
