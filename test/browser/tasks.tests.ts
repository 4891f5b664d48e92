import type { Page } from 'playwright-core';
import { openContext, violationsOf, type WatchedContext } from './chromium.js';
import {
  acceptInvitation,
  bringIn,
  correctSlip,
  enterPrice,
  inviteColleague,
  MAX_DESK_STEPS,
  signIn,
} from './desk-tasks.js';
import type { InBrowser } from './in-browser.js';
import { seriesOf } from './public-pages.js';
import {
  csvOfComparison,
  csvOfTowns,
  foodInTown,
  howMuchRisen,
  isDearer,
  MAX_READING_STEPS,
  pricesForR,
  whereHigh,
} from './reading-tasks.js';
import { officeFile } from './task-data.js';

/** How slow a telephone and its line are. */
const SLOW = { latency: 400, downloadThroughput: 50_000, uploadThroughput: 20_000, offline: false };
/** Bytes of a first view. */
const MAX_BYTES = 100_000;
/** The first bytes of a PNG. */
const PNG = '89504e470d0a1a0a';

/** Questions of readers, each from the start page, in few steps. */
export function readingTests(shared: InBrowser): void {
  let watched: WatchedContext;
  let page: Page;
  beforeEach(async () => {
    watched = await openContext(shared.browser, shared.origin);
    ({ page } = watched);
  });
  afterEach(async () => {
    expect(watched.complaints).toEqual([]);
    await watched.context.close();
  });

  it('a journalist learns how much maize has risen, with a picture and a citation', async () => {
    const { steps, sentence, picture, cited } = await howMuchRisen(
      page,
      'How much has maize risen in Kenya?',
    );
    expect(sentence).toMatch(
      /^Newest prices: October 2026, .* KES [\d.]+ per kg, retail, in October 2026 \(median of 3 markets\), [\d.]+% more than a year before\./,
    );
    expect(picture.name).toMatch(/\.png$/);
    expect(picture.content.subarray(0, 8).toString('hex')).toBe(PNG);
    expect(steps.count).toBeLessThanOrEqual(MAX_READING_STEPS);
    expect(await page.locator('.citation').innerText()).toContain(cited);
    // Both stand on paper as they are.
    await page.emulateMedia({ media: 'print' });
    expect(await page.locator('svg.chart:visible').count()).toBeGreaterThan(0);
    expect(await page.locator('.citation').isVisible()).toBe(true);
    for (const notOnPaper of ['header nav', 'a[download]'])
      expect(await page.locator(notOnPaper).first().isVisible()).toBe(false);
  });

  it('an aide learns where prices are high now, and compared with when', async () => {
    const { steps, sentence, columns, cells, country } = await whereHigh(page);
    expect(sentence).toContain('is high in the newest month of each country than a year before');
    expect(columns.map((column) => column.trim().split('\n')[0])).toEqual(
      expect.arrayContaining(['Country', 'Month', 'A year before']),
    );
    expect(cells[0]).toBe(country);
    expect(steps.count).toBeLessThanOrEqual(MAX_READING_STEPS);
  });

  it('an analyst gets the prices of a country for R', async () => {
    const { steps, name, rows, call } = await pricesForR(page, 'kenya');
    expect(name).toMatch(/\.csv$/);
    const countries = new Set(rows.slice(1).map((row) => row.split(',').find((cell) => cell === 'KEN')));
    expect([rows.length > 100, [...countries]]).toEqual([true, ['KEN']]);
    expect(call).toContain('rows <- read.csv("');
    expect(steps.count).toBeLessThanOrEqual(MAX_READING_STEPS);
  });

  it('an officer learns what food costs in a town', async () => {
    const { steps, title, rows } = await foodInTown(page, 'kisumu');
    expect(title).toContain('Kisumu');
    expect(rows.map(([food]) => food!.trim())).toEqual(['Maize']);
    expect(rows[0]!.join(' ')).toMatch(/\+[\d.]+% .*KES per kg, retail.*2026-10/);
    expect(steps.count).toBeLessThanOrEqual(MAX_READING_STEPS);
  });

  it('anybody learns whether rice in Kabul is dearer than usual', async () => {
    const { steps, title, facts } = await isDearer(page, 'rice kabul');
    expect(title).toBe('Rice, Kabul, Afghanistan (retail)');
    expect(facts.filter((fact) => /^(Against 5-year mean|IFPA|ALPS) /.test(fact))).toHaveLength(3);
    expect(steps.count).toBeLessThanOrEqual(MAX_READING_STEPS);
  });

  it.each([
    ['the page of maize in Kenya', csvOfTowns, MAX_READING_STEPS],
    // Two of the five add the second and the third series.
    ['a comparison', csvOfComparison, 5],
  ] as const)('an analyst gets maize of three towns in dollars per kilogram by %s', async (_, task, most) => {
    const { steps, name, csv } = await task(page, 'maize kenya');
    expect(name).toMatch(/\.csv$/);
    const [header, newest] = csv.split('\r\n').map((line) => line.split(','));
    expect([header!.length, newest!.length]).toEqual([4, 4]);
    for (const town of ['Nairobi', 'Kisumu', 'Mombasa'])
      expect(header!.filter((column) => column.includes(town) && column.includes('USD/kg'))).toHaveLength(1);
    // All Kenyan prices of the newest month are between 0.30 and 0.60 dollars.
    expect(newest!.slice(1).filter((value) => Number(value) > 0.3 && Number(value) < 0.6)).toHaveLength(3);
    expect(steps.count).toBeLessThanOrEqual(most);
  });

  it.each([
    ['in French', 'prix du maïs au kenya'],
    ['in Spanish', 'precio del maíz en kenia'],
    ['with a slip', 'maiz kenyya'],
    ['as a question', 'what does maize cost in kenya'],
  ])('a search %s leads to what it means', async (_, words) => {
    await page.goto(`/browse?${String(new URLSearchParams({ search: words }))}`);
    await page.getByText(/^Understood as: /).waitFor();
    await page
      .locator('main p')
      .filter({ hasText: /^\s*Pages:/ })
      .getByRole('link')
      .first()
      .click();
    await page.waitForURL('**/countries/KEN/commodities/*');
  });

  it('a search that finds nothing leads on, and offers no data of nothing', async () => {
    await page.goto('/browse?search=unobtainium+kenya');
    await page.getByText('No series fits all of this.').waitFor();
    expect(await page.getByRole('link', { name: 'CSV' }).count()).toBe(0);
    expect(await page.locator('.citation').count()).toBe(0);
    await page.locator('main').getByRole('link', { name: 'Kenya', exact: true }).click();
    await page.waitForURL('**/countries/KEN');
  });

  it('a telephone on a slow line shows headline and chart before the choices', async () => {
    const viewport = { width: 360, height: 740 };
    const {
      context,
      page: phone,
      complaints,
    } = await openContext(shared.browser, shared.origin, {
      viewport,
      isMobile: true,
      hasTouch: true,
    });
    const session = await context.newCDPSession(phone);
    await session.send('Network.emulateNetworkConditions', SLOW);
    await session.send('Emulation.setCPUThrottlingRate', { rate: 4 });
    const [entry] = await seriesOf(shared.origin, 'search=kisumu');
    await phone.goto(`/series/${entry!.uuid}`, { waitUntil: 'networkidle' });
    const top = async (selector: string) => (await phone.locator(selector).first().boundingBox())!.y;
    const tops = [
      await top('h1'),
      await top('h1 + p'),
      await top('svg.chart:visible'),
      await top('main form select'),
    ];
    expect(tops).toEqual(tops.toSorted((one, other) => one - other));
    expect(tops[2]).toBeLessThan(viewport.height);
    const bytes = await phone.evaluate(() =>
      ['navigation', 'resource']
        .flatMap((type) => performance.getEntriesByType(type) as PerformanceResourceTiming[])
        .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0),
    );
    expect(bytes).toBeLessThanOrEqual(MAX_BYTES);
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('a keyboard alone opens a series, reads its chart and saves its prices', async () => {
    await page.goto('/');
    const { keyboard } = page;
    const focused = () => page.evaluate(() => document.activeElement?.textContent?.trim() ?? '');
    const tabTo = async (isThere: () => Promise<boolean>) => {
      for (let steps = 0; steps < 120; steps++) {
        await keyboard.press('Tab');
        if (await isThere()) return;
      }
      throw new Error('Tab does not lead there.');
    };
    const is = (selector: string) => () =>
      page.evaluate((wanted) => document.activeElement!.matches(wanted), selector);
    await tabTo(is('[role=combobox]'));
    await keyboard.type('rice kabul');
    const options = page.getByRole('option');
    await options.first().waitFor();
    while (
      !/\(retail\)|Kabul, Afghanistan/.test(
        (await page.locator('[aria-selected=true]').allTextContents()).join(),
      )
    )
      await keyboard.press('ArrowDown');
    await keyboard.press('Enter');
    await page.waitForURL(/\/series\/|\/countries\/AFG/);
    await tabTo(is('[role=slider]'));
    await keyboard.press('ArrowLeft');
    expect(await page.locator('.plot [aria-live]').first().textContent()).toMatch(/\d/);
    await tabTo(async () => (await focused()) === 'CSV');
    const saved = page.waitForEvent('download');
    await keyboard.press('Enter');
    expect((await saved).suggestedFilename()).toMatch(/\.csv$/);
  });

  it('a screen reader hears headings, charts and tables by name', async () => {
    const [entry] = await seriesOf(shared.origin, 'search=kisumu');
    for (const address of [
      `/countries/KEN/commodities/${entry!.commodity_id}`,
      `/series/${entry!.uuid}`,
      `/markets/${entry!.market_id}`,
      '/warnings',
    ]) {
      await page.goto(address);
      const { levels, unnamed, tables } = await page.evaluate(() => ({
        levels: [...document.querySelectorAll('h1, h2, h3, h4')]
          .filter((each) => each.checkVisibility())
          .map((each) => Number(each.tagName[1])),
        // Lines of two years have a label, charts a title and a sentence.
        unnamed: [...document.querySelectorAll('svg[role=img]:not([aria-label])')].filter(
          (each) => !each.querySelector('title')?.textContent || !each.querySelector('desc')?.textContent,
        ).length,
        tables: [...document.querySelectorAll('table')].filter(
          (each) => !each.caption?.textContent?.trim() || each.querySelector('th') === null,
        ).length,
      }));
      expect({ address, unnamed, tables }).toEqual({ address, unnamed: 0, tables: 0 });
      expect(levels[0]).toBe(1);
      // No level is left out on the way down.
      expect(levels.filter((level, index) => index > 0 && level > levels[index - 1]! + 1)).toEqual([]);
      const heard = await page.locator('main').ariaSnapshot();
      expect(heard).toMatch(/^ *- heading "[^"]+" \[level=1\]/m);
      expect(heard).toMatch(/- (img|slider|table) "/);
    }
  });

  it('nothing is told by colour alone', async () => {
    const maize = (await seriesOf(shared.origin, 'search=maize&iso3_country_codes=KEN')).map(
      ({ uuid }) => uuid,
    );
    await page.goto(`/compare?uuids=${maize.join()}&measure=usd&per=base`);
    const session = await watched.context.newCDPSession(page);
    await session.send('Emulation.setEmulatedVisionDeficiency', { type: 'achromatopsia' });
    // Each line has its name, at its end or in the legend.
    const chart = page.locator('svg.chart:visible').first();
    const texts = await chart.locator('text').allTextContents();
    expect(await chart.locator('path.line[d]').count()).toBe(maize.length);
    for (const town of ['Nairobi', 'Kisumu', 'Mombasa'])
      expect(texts.filter((text) => text.includes(town))).not.toEqual([]);
    // What is high says so in words or numbers.
    await page.goto('/warnings');
    const rows = await page.locator('main table').first().locator('tbody tr').allInnerTexts();
    expect(rows.filter((row) => !/\d+%|none of|too few can be rated|old prices/.test(row))).toEqual([]);
  });

  it('pages zoomed to 400% are read without scrolling to the side, and printed whole', async () => {
    const [entry] = await seriesOf(shared.origin, 'search=kisumu');
    const viewport = { width: 320, height: 256 };
    const { context, page: zoomed } = await openContext(shared.browser, shared.origin, { viewport });
    for (const address of [
      '/',
      '/countries/KEN',
      `/countries/KEN/commodities/${entry!.commodity_id}`,
      `/series/${entry!.uuid}`,
      `/markets/${entry!.market_id}`,
      '/warnings',
    ]) {
      await zoomed.goto(address);
      const width = await zoomed.evaluate(() => document.documentElement.scrollWidth);
      expect({ address, width }).toEqual({ address, width: viewport.width });
      await zoomed.emulateMedia({ media: 'print' });
      const hidden = await zoomed.evaluate(
        () => [...document.querySelectorAll('main table')].filter((each) => !each.checkVisibility()).length,
      );
      expect({ address, hidden, search: await zoomed.locator('main form:visible').count() }).toEqual({
        address,
        hidden: 0,
        search: 0,
      });
      await zoomed.emulateMedia({ media: 'screen' });
    }
    await context.close();
  });
}

/** What maintainers and admins have to do at the desk, in few steps. */
export function deskTaskTests(shared: InBrowser): void {
  let watched: WatchedContext;
  beforeEach(async () => (watched = await openContext(shared.browser, shared.origin)));
  afterEach(() => watched.context.close());

  it('correct the decimal slip that an upload brings', async () => {
    const { steps, stored, right } = await correctSlip(watched.page);
    expect(stored).toEqual([right]);
    expect(steps.count).toBeLessThanOrEqual(MAX_DESK_STEPS);
  });

  it('bring in the file of an office, in French and with its own signs', async () => {
    const { steps, country, firstRows } = await bringIn(watched.page, officeFile);
    expect(country).toBe('KEN');
    expect(firstRows).toMatch(/Garissa, Kenya\s+Sorgho, retail\s+kg\s+KES 1,250\.5\s/);
    expect(steps.count).toBeLessThanOrEqual(MAX_DESK_STEPS);
    const [entry] = await seriesOf(shared.origin, 'search=garissa');
    expect(entry).toMatchObject({ iso3_country_code: 'KEN' });
  });

  it('enter a price as it is typed, and say which number it is', async () => {
    const { steps, offered, stored } = await enterPrice(
      watched.page,
      'maize mombasa',
      '6,220',
      '6.220, with decimals',
    );
    expect(offered).toEqual(['6220, a whole number', '6.220, with decimals']);
    expect(stored).toBe('6.22');
    expect(steps.count).toBeLessThanOrEqual(MAX_DESK_STEPS);
  });

  it('invite a colleague, who sets a password without scripts and signs in', async () => {
    const { page } = watched;
    const colleague = { username: 'grace.hopper', password: 'nine slow rivers to the coast' };
    const { steps, address } = await inviteColleague(page, colleague.username);
    expect(await violationsOf(page)).toEqual([]);
    expect(steps.count).toBeLessThanOrEqual(MAX_DESK_STEPS);
    await page.goto('/desk/accounts');
    const row = page.getByRole('row', { name: 'grace.hopper' });
    await row.getByRole('button', { name: 'Withdraw the invitation of grace.hopper' }).waitFor();

    const other = await openContext(shared.browser, shared.origin, { javaScriptEnabled: false });
    await other.page.goto(address);
    expect(await other.page.locator('[name=username]').inputValue()).toBe(colleague.username);
    const accepted = await acceptInvitation(other.page, address, colleague);
    expect(accepted.navigation).toContain('Accounts');
    expect(other.complaints).toEqual([]);
    await other.context.close();

    await page.goto(address);
    expect(await page.locator('h1').innerText()).toBe('This address is not valid');
    expect(await violationsOf(page)).toEqual([]);
  });

  it('leave axe-core nothing to find at the desk', async () => {
    const { page, complaints } = watched;
    await signIn(page);
    const links = await page
      .locator('header nav a')
      .evaluateAll((all) => all.map((each) => each.getAttribute('href')!));
    const found: string[] = [];
    for (const address of new Set(links)) {
      await page.goto(address);
      found.push(...(await violationsOf(page)).map((violation) => `${address}: ${violation}`));
    }
    expect(links.length).toBeGreaterThan(5);
    expect(found).toEqual([]);
    expect(complaints).toEqual([]);
  });
}
