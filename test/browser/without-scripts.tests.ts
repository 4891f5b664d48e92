import type { Page } from 'playwright-core';
import { openContext } from './chromium.js';
import type { InBrowser } from './in-browser.js';
import { publicPages, seriesOf } from './public-pages.js';

/** Milliseconds between two looks at a page whose medium has changed, and how many there are. */
const FRAME_MS = 50;
const MAX_FRAMES = 100;

/** What nobody needs scripts for. */
export function testsWithoutScripts(shared: InBrowser): void {
  const open = () => openContext(shared.browser, shared.origin, { javaScriptEnabled: false });

  it('show heading, chart, table and links', async () => {
    const { context, page, complaints } = await open();
    for (const { name, address, hasChart, hasTable } of await publicPages(shared.origin)) {
      await page.goto(address);
      const shown = {
        name,
        heading: await page.locator('h1').isVisible(),
        chart: await page.locator('figure svg.chart:visible path.line').first().isVisible(),
        table: await page.locator('table tbody tr').first().isVisible(),
        links: (await page.locator('main a[href]:not(.term):visible').count()) > 0,
        slider: await page.getByRole('slider').count(),
      };
      expect(shown).toEqual({
        name,
        heading: true,
        chart: hasChart === true,
        table: hasTable === true,
        links: true,
        slider: 0,
      });
    }
    expect(complaints.filter((complaint) => !complaint.includes('/nowhere'))).toEqual([]);
    await context.close();
  });

  it('search from the start page, narrow the search, and order the table', async () => {
    const { context, page } = await open();
    await page.goto('/');
    await page.getByRole('searchbox').fill('maize white');
    await page.getByRole('searchbox').press('Enter');
    await page.waitForURL('**/browse?**');
    const count = async () => (await page.locator('table tbody tr').count()) > 0;
    expect([await valueOf(page, 'search'), await count()]).toEqual(['maize white', true]);
    await chooseSecond(page, 'price_types_ids');
    const chosen = await valueOf(page, 'price_types_ids');
    await page.getByRole('button', { name: 'Show' }).click();
    expect([await valueOf(page, 'price_types_ids'), await valueOf(page, 'search'), await count()]).toEqual([
      chosen,
      'maize white',
      true,
    ]);
    await page.locator('thead').getByRole('link', { name: 'Market' }).click();
    expect(new URL(page.url()).searchParams.get('order')).toBe('market');
    expect(await valueOf(page, 'search')).toBe('maize white');
    await context.close();
  });

  it('change what the page of a series shows', async () => {
    const { context, page } = await open();
    const [entry] = await seriesOf(shared.origin, 'search=maize');
    await page.goto(`/series/${entry!.uuid}`);
    const before = await page.locator('svg.chart:visible').first().textContent();
    await page.locator('select[name=measure]').selectOption('usd');
    await page.locator('input[name=start_date]').fill('2025-01-01');
    await page.getByRole('button', { name: 'Show' }).click();
    expect([await valueOf(page, 'measure'), await valueOf(page, 'start_date')]).toEqual([
      'usd',
      '2025-01-01',
    ]);
    const after = await page.locator('svg.chart:visible').first().textContent();
    expect(after).not.toBe(before);
    expect(after).toContain('US$');
    await context.close();
  });

  it('open what the page of a series has folded, and print all of it', async () => {
    const { context, page } = await open();
    const [entry] = await seriesOf(shared.origin, 'search=maize%20white&periodicity=monthly');
    await page.goto(`/series/${entry!.uuid}`);
    const tables = page.locator('details table');
    const seen = () =>
      tables.evaluateAll(
        (all) => all.filter((each) => each.checkVisibility({ contentVisibilityAuto: true })).length,
      );
    /** A renderer may follow a change of the medium only in its next frame. */
    const seenOnce = async (expected: number) => {
      for (let frame = 0; frame < MAX_FRAMES && (await seen()) !== expected; frame++)
        await page.waitForTimeout(FRAME_MS);
      return seen();
    };
    const count = await tables.count();
    expect(count).toBeGreaterThan(1);
    expect(await seen()).toBe(0);
    await page.emulateMedia({ media: 'print' });
    expect(await seenOnce(count)).toBe(count);
    await page.emulateMedia({ media: 'screen' });
    expect(await seenOnce(0)).toBe(0);
    await page.getByText('By month of the year').first().click();
    expect(await seenOnce(1)).toBe(1);
    await context.close();
  });

  it('add a series to a comparison, and take it away', async () => {
    const { context, page } = await open();
    const [one, other] = await seriesOf(shared.origin, 'search=maize');
    await page.goto(`/series/${one!.uuid}`);
    await page.getByRole('link', { name: 'Compare with…' }).click();
    const words = page.getByRole('searchbox', { name: /^Add a series/ });
    await words.fill(`${shared.origin}/series/${other!.uuid}`);
    await words.press('Enter');
    await expectUuids(page, [one!.uuid, other!.uuid]);
    await page.getByRole('link', { name: 'remove' }).first().click();
    await expectUuids(page, [other!.uuid]);
    await context.close();
  });

  it('compare what is ticked in a search', async () => {
    const { context, page } = await open();
    await page.goto('/browse?search=maize');
    const boxes = page.locator('tbody button[name=tick]');
    const uuids: string[] = [];
    for (const index of [0, 1, 2]) {
      uuids.push((await boxes.nth(index).getAttribute('value'))!);
      await boxes.nth(index).click();
      expect(await boxes.nth(index).getAttribute('aria-pressed')).toBe('true');
    }
    // What is ticked survives another order, and the next search.
    await page.locator('thead').getByRole('link', { name: 'Market' }).click();
    await page.getByRole('searchbox').fill('rice');
    await page.getByRole('searchbox').press('Enter');
    await page.getByRole('button', { name: 'Compare (3)' }).click();
    await page.waitForURL(/\/compare\?/);
    await expectUuids(page, uuids);
    await context.close();
  });

  it('group warnings', async () => {
    const { context, page } = await open();
    await page.goto('/warnings');
    await page.locator('select[name=by]').selectOption('country,commodity');
    await page.locator('main form').getByRole('button').first().click();
    expect(new URL(page.url()).searchParams.get('by')).toBe('country,commodity');
    expect(await page.locator('thead th').nth(1).textContent()).toContain('Commodity');
    // The choice of months stands beside the slider, which needs scripts.
    expect(await page.locator('input[type=range]').isVisible()).toBe(false);
    expect(await page.locator('select[name=month]').isVisible()).toBe(true);
    await context.close();
  });
}

const valueOf = (page: Page, name: string) => page.locator(`main [name=${name}]`).first().inputValue();

const chooseSecond = (page: Page, name: string) =>
  page.locator(`select[name=${name}]`).selectOption({ index: 1 });

/** The series of a comparison, by the links of its list. */
async function expectUuids(page: Page, uuids: string[]): Promise<void> {
  const links = await page
    .locator('main a[href*="/series/"]')
    .evaluateAll((all) => all.map((each) => each.getAttribute('href')!.split('/')[2]!.slice(0, 36)));
  // Series that are offered besides come after those of the comparison.
  expect([...new Set(links)].slice(0, uuids.length)).toEqual(uuids);
}
