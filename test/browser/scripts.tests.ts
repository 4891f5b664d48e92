import type { Page } from 'playwright-core';
import { openContext, violationsOf, type WatchedContext } from './chromium.js';
import type { InBrowser } from './in-browser.js';
import { seriesOf } from './public-pages.js';

/** What scripts add. */
export function scriptTests(shared: InBrowser): void {
  let watched: WatchedContext;
  let page: Page;
  beforeEach(async () => {
    const permissions = ['clipboard-read', 'clipboard-write'];
    watched = await openContext(shared.browser, shared.origin, { permissions });
    ({ page } = watched);
  });
  afterEach(async () => {
    expect(watched.complaints).toEqual([]);
    await watched.context.close();
  });

  const openSeries = async (query = '') => {
    const [entry] = await seriesOf(shared.origin, 'search=maize&periodicity=monthly');
    await page.goto(`/series/${entry!.uuid}${query}`);
    return entry!;
  };

  describe('the field of a search', () => {
    const options = () => page.locator('.suggestions [role=option]');
    const chosen = () => page.locator('[role=option][aria-selected=true]');

    it('suggests, and opens what is chosen by keyboard', async () => {
      await page.goto('/');
      const field = page.getByRole('combobox', { name: /Search/ });
      expect(await field.getAttribute('aria-expanded')).toBe('false');
      await field.pressSequentially('mai');
      await options().first().waitFor();
      expect(await field.getAttribute('aria-expanded')).toBe('true');
      expect(await page.locator('.wide [role=status]').textContent()).toBe(
        `${await options().count()} suggestions. Arrow keys choose.`,
      );
      expect(await violationsOf(page)).toEqual([]);
      await field.press('ArrowDown');
      expect(await field.getAttribute('aria-activedescendant')).toBe(await chosen().getAttribute('id'));
      expect(await chosen().textContent()).toMatch(/^Maize/);
      // One above the first is the last; one below the last is the text itself.
      await field.press('ArrowUp');
      expect(await chosen().count()).toBe(0);
      await field.press('ArrowUp');
      expect(await options().last().getAttribute('aria-selected')).toBe('true');
      await field.press('ArrowDown');
      await field.press('ArrowDown');
      await field.press('Enter');
      await page.waitForURL(/\/commodities\/\d+$/);
    });

    it('closes by Escape and when it is left, and sends the text where nothing is chosen', async () => {
      await page.goto('/');
      const field = page.getByRole('combobox', { name: /Search/ });
      await field.pressSequentially('mai');
      await options().first().waitFor();
      await field.press('Escape');
      expect([await options().count(), await field.inputValue()]).toEqual([0, 'mai']);
      await field.pressSequentially('z');
      await options().first().waitFor();
      await field.press('Tab');
      expect(await options().count()).toBe(0);
      await field.press('End');
      await field.pressSequentially('e');
      await options().first().waitFor();
      await field.press('Enter');
      await page.waitForURL('**/browse?search=maize');
    });

    it('opens what is clicked, shows names as text, and says when there is nothing', async () => {
      await page.goto('/browse');
      const field = page.getByRole('combobox', { name: /Search/ });
      await field.fill('qqqq');
      await page.getByText('No suggestions.').waitFor({ state: 'attached' });
      await field.fill('aldoria');
      await options().filter({ hasText: 'Aldoria' }).first().click();
      await page.waitForURL(/\/countries\/[A-Z]{3}$/);
    });

    it('suggests a commodity in a country first, and a market by its page', async () => {
      await page.goto('/');
      const field = page.getByRole('combobox', { name: /Search/ });
      await field.fill('maize borunda');
      await options().filter({ hasText: 'Maize (white)' }).first().waitFor();
      await field.press('ArrowDown');
      await field.press('Enter');
      await page.waitForURL(/\/countries\/XAB\/commodities\/\d+$/);
      await page.goto('/');
      await field.fill('borun central');
      await options().filter({ hasText: 'Borun Central' }).first().click();
      await page.waitForURL(/\/markets\/\d+$/);
    });
  });

  it('the field of a search leads to pages in the state that is shown', async () => {
    await page.goto('/browse');
    await page.getByRole('link', { name: 'Link to this state, for citing' }).click();
    await page.waitForURL(/as_of=r\d+$/);
    const state = new URL(page.url()).search;
    await page.getByRole('combobox', { name: /Search/ }).fill('aldoria');
    await page.locator('.suggestions [role=option]').filter({ hasText: 'Aldoria' }).first().click();
    await page.waitForURL(`**/countries/*${state}`);
    expect(await page.getByRole('link', { name: 'Browse series' }).first().getAttribute('href')).toBe(
      `/browse${state}`,
    );
  });

  describe('the cursor of a chart', () => {
    const slider = () => page.getByRole('slider').first();
    const live = () => page.locator('.plot [aria-live]').first();

    it('reads out by keyboard what the table says', async () => {
      await openSeries();
      const rows = await page
        .locator('table')
        .first()
        .locator('tbody tr')
        .evaluateAll((all) =>
          all.slice(0, 3).map((row) => ({
            date: row.querySelector('time')!.dateTime,
            value: Number(row.querySelector('data')!.value),
          })),
        );
      // Into the chart by Tab: the focus is then visible, and the newest point is read.
      await page.locator('.path a').last().focus();
      await page.keyboard.press('Tab');
      for (const { date, value } of rows) {
        expect(await slider().getAttribute('aria-valuetext')).toBe(date);
        const text = Number(value.toPrecision(6)).toLocaleString('en', { maximumSignificantDigits: 6 });
        expect(await live().textContent()).toContain(`${text} `);
        await page.keyboard.press('ArrowLeft');
      }
      await page.keyboard.press('Home');
      expect(await slider().getAttribute('aria-valuenow')).toBe('0');
      await page.keyboard.press('ArrowLeft');
      expect(await slider().getAttribute('aria-valuenow')).toBe('0');
      await page.keyboard.press('PageUp');
      expect(await slider().getAttribute('aria-valuenow')).toBe('12');
      await page.keyboard.press('End');
      expect(await slider().getAttribute('aria-valuetext')).toBe(rows[0]!.date);
      expect(await violationsOf(page)).toEqual([]);
      await page.keyboard.press('Escape');
      expect(await page.locator('.readout:visible').count()).toBe(0);
    });

    it('follows the pointer, without reading out', async () => {
      await openSeries();
      const { x, y, width, height } = (await slider().boundingBox())!;
      await page.mouse.move(x + width - 20, y + height / 2);
      const newest = await page.locator('.readout:visible strong').textContent();
      await page.mouse.move(x + width / 2, y + height / 2);
      const earlier = await page.locator('.readout:visible strong').textContent();
      expect(earlier! < newest!).toBe(true);
      expect(await live().textContent()).toBe('');
      // The rule is where the pointer is, the dot on the line.
      const dot = (await page.locator('svg.chart:visible g circle').first().boundingBox())!;
      expect(Math.abs(dot.x + dot.width / 2 - (x + width / 2))).toBeLessThan(width / 60);
      await page.mouse.move(x + width / 2, y - 40);
      expect(await page.locator('.readout:visible').count()).toBe(0);
    });
  });

  describe('dragging over a chart', () => {
    const slider = () => page.getByRole('slider').first();
    const drag = async (from: number, to: number) => {
      const { x, y, width, height } = (await slider().boundingBox())!;
      await page.mouse.move(x + from * width, y + height / 2);
      await page.mouse.down();
      await page.mouse.move(x + ((from + to) / 2) * width, y + height / 2);
      await page.mouse.move(x + to * width, y + height / 2);
    };

    it('shows the range of time that is marked, and is reverted by the history', async () => {
      const entry = await openSeries();
      const before = page.url();
      await drag(0.7, 0.4);
      expect(await page.locator('.range').first().isVisible()).toBe(true);
      await page.mouse.up();
      await page.waitForURL(/start_date=\d{4}-\d\d-\d\d&end_date=\d{4}-\d\d-\d\d/);
      const { searchParams } = new URL(page.url());
      const [start, end] = [searchParams.get('start_date')!, searchParams.get('end_date')!];
      const { start_date: first, end_date: last } = entry.periodicity.at(-1)!;
      expect([first, start, end, last].toSorted()).toEqual([first, start, end, last]);
      await page.locator(`input[name=start_date][value="${start}"]`).waitFor();
      await page.goBack();
      await page.locator('input[name=start_date][value=""]').waitFor();
      expect(page.url()).toBe(before);
    });

    it('shows nothing else where it ends at once or by Escape', async () => {
      await openSeries();
      const before = page.url();
      await drag(0.5, 0.501);
      await page.mouse.up();
      await slider().focus();
      await drag(0.3, 0.6);
      await page.keyboard.press('Escape');
      expect(await page.locator('.range').first().isVisible()).toBe(false);
      await page.mouse.up();
      await page.waitForTimeout(200);
      expect(page.url()).toBe(before);
    });

    it('does so on the page of a commodity in a country', async () => {
      const entry = await openSeries();
      await page.goto(`/countries/${entry.iso3_country_code}/commodities/${entry.commodity_id}`);
      await drag(0.2, 0.8);
      await page.mouse.up();
      await page.waitForURL(/start_date=.*&end_date=/);
    });
  });

  describe('choices', () => {
    it('change the page in place; the focus, the address and the history are right', async () => {
      const { uuid } = await openSeries();
      await page.evaluate(() => ((window as unknown as { isSame: boolean }).isSame = true));
      const measure = page.locator('select[name=measure]');
      await measure.focus();
      await measure.selectOption('usd');
      await page.waitForURL(/measure=usd/);
      expect(await page.evaluate(() => document.activeElement!.getAttribute('name'))).toBe('measure');
      expect(await page.locator('svg.chart:visible').first().textContent()).toContain('US$');
      expect(await page.locator('#status').textContent()).toMatch(/^Shown: /);
      expect(await page.getByRole('slider').count()).toBeGreaterThan(0);
      await page.locator('input[name=start_date]').fill('2025-01-01');
      await page.getByRole('button', { name: 'Show' }).click();
      await page.waitForURL(/start_date=2025-01-01/);
      // What is empty is not part of the address.
      expect(page.url()).not.toContain('end_date');
      await page.goBack();
      await page.locator('input[name=start_date][value=""]').waitFor();
      expect(await measure.inputValue()).toBe('usd');
      await page.goBack();
      await page
        .locator('select[name=measure] option[value=nominal][selected]')
        .waitFor({ state: 'attached' });
      expect(page.url()).toBe(`${shared.origin}/series/${uuid}`);
      await page.goForward();
      await page.locator('select[name=measure] option[value=usd][selected]').waitFor({ state: 'attached' });
      expect(await page.evaluate(() => (window as unknown as { isSame?: boolean }).isSame)).toBe(true);
      // A reload shows the state of the address.
      await page.reload();
      expect(await measure.inputValue()).toBe('usd');
    });

    it('move through the months by a slider, by keyboard, in place', async () => {
      await page.goto('/warnings');
      const slider = page.getByRole('slider', { name: 'Through time' });
      expect(await slider.getAttribute('aria-valuetext')).toBe('newest of each country');
      await slider.focus();
      await slider.press('ArrowLeft');
      await page.waitForURL(/\?month=\d{4}-\d\d&by=country$/);
      const month = new URL(page.url()).searchParams.get('month')!;
      await page.locator(`option[value="${month}"][selected]`).waitFor({ state: 'attached' });
      expect(await slider.getAttribute('aria-valuetext')).toBe(month);
      expect(await page.locator('.slider b').textContent()).toBe(month);
      expect(await slider.evaluate((each) => each === document.activeElement)).toBe(true);
      expect(await violationsOf(page)).toEqual([]);
      await slider.press('Home');
      const first = await page.locator('select[name=month] option').last().getAttribute('value');
      await page.waitForURL(`**/warnings?month=${first!}&by=country`);
    });

    it('order a table in place', async () => {
      await page.goto('/browse?search=maize');
      const order = page.locator('thead').getByRole('link', { name: 'Market' });
      await order.click();
      await page.waitForURL(/order=market/);
      const names = await page.locator('tbody tr td:nth-of-type(3)').allTextContents();
      expect(names.length).toBeGreaterThan(1);
      expect(await page.locator('[role=search] input[name=order]').inputValue()).toBe('market');
    });

    it('tick in place, and apply a date at once', async () => {
      await page.goto('/browse?search=maize');
      await page.evaluate(() => Object.assign(window, { isSame: true }));
      const box = page.locator('tbody button[name=tick]').nth(1);
      await box.click();
      await page.getByRole('button', { name: 'Compare (1)' }).waitFor();
      expect(await box.getAttribute('aria-pressed')).toBe('true');
      expect(await box.evaluate((button) => button === document.activeElement)).toBe(true);
      await page.locator('input[name=newerThan]').fill('2001-01-01');
      await page.waitForURL(/newerThan=2001-01-01/);
      expect(await page.getByRole('button', { name: 'Compare (1)' }).isVisible()).toBe(true);
      await page.getByRole('link', { name: 'Remove Newest price since: 2001-01-01' }).click();
      await page.waitForURL((url) => !url.search.includes('newerThan'));
      expect(await page.evaluate(() => 'isSame' in window)).toBe(true);
    });
  });

  it('copy a call', async () => {
    await openSeries();
    const box = page.locator('.copied:has(pre)').first();
    await box.getByRole('button', { name: 'Copy' }).click();
    await box.getByRole('button', { name: 'Copied' }).waitFor();
    const text = await page.evaluate(() => navigator.clipboard.readText());
    expect(text).toBe((await box.locator('pre').textContent())!.trim());
  });
}
