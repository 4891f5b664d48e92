import { readFile } from 'node:fs/promises';
import type { Locator, Page } from 'playwright-core';
import { Steps } from './steps.js';

/** Most links, buttons and suggestions of each task, from the start page. */
export const MAX_READING_STEPS = 4;

/** Types words into the search field of the start page. */
async function search(page: Page, words: string): Promise<Locator> {
  await page.goto('/');
  const field = page.getByRole('combobox', { name: /^Search/ });
  await field.fill(words);
  return field;
}

/** Types words into the search field of the start page, and opens the first of a kind. */
async function openSuggestion(steps: Steps, words: string, kind: string): Promise<void> {
  const field = await search(steps.page, words);
  await steps.click(steps.page.getByRole('group', { name: kind, exact: true }).getByRole('option').first());
  await field.waitFor({ state: 'detached' });
}

/** Follows a link to a file. @returns its name and what is in it */
async function saved(steps: Steps, link: Locator): Promise<{ name: string; content: Buffer }> {
  const waiting = steps.page.waitForEvent('download');
  await steps.click(link);
  const download = await waiting;
  return { name: download.suggestedFilename(), content: await readFile(await download.path()) };
}

/** "This view as data", where the files of a page are. */
const dataOf = (page: Page) => page.locator('main section').filter({ hasText: 'This view as data' });

/**
 * "How much has maize risen in Kenya?", asked as a question, for an article.
 * @returns the sentence that answers it, its picture, and the address that cites it
 */
export async function howMuchRisen(page: Page, question: string) {
  const steps = new Steps(page);
  const field = await search(page, question);
  await field.press('Enter');
  await page.waitForURL('**/browse?**');
  await steps.click(
    page
      .locator('main p')
      .filter({ hasText: /^\s*Pages:/ })
      .getByRole('link')
      .first(),
  );
  await page.waitForURL('**/countries/*/commodities/*');
  const sentence = await page.locator('h1 + p').innerText();
  const picture = await saved(steps, page.getByRole('link', { name: 'PNG', exact: true }).first());
  await steps.click(page.getByRole('link', { name: 'Link to this state, for citing' }));
  await page.waitForURL(/as_of=r\d+/);
  return { steps, sentence, picture, cited: page.url() };
}

/**
 * "Where are prices high now, and compared with when?"
 * @returns what the page of warnings says first, its columns, and the page of its first country
 */
export async function whereHigh(page: Page) {
  const steps = new Steps(page);
  await page.goto('/');
  await steps.click(page.locator('header').getByRole('link', { name: 'Warnings' }));
  await page.waitForURL('**/warnings');
  const sentence = await page.locator('h1 + p').innerText();
  const table = page.locator('main table').first();
  const columns = await table.locator('thead th').allInnerTexts();
  const first = table.locator('tbody tr').first();
  const cells = (await first.locator('th, td').allInnerTexts()).map((cell) => cell.trim());
  await steps.click(first.getByRole('link').first());
  await page.waitForURL('**/countries/*');
  return { steps, sentence, columns, cells, country: await page.locator('h1').innerText() };
}

/**
 * "All prices of a country, for R."
 * @returns the file, and the call that R makes
 */
export async function pricesForR(page: Page, country: string) {
  const steps = new Steps(page);
  await openSuggestion(steps, country, 'Countries');
  const { name, content } = await saved(steps, dataOf(page).getByRole('link', { name: 'CSV' }).first());
  await steps.click(page.locator('.api summary').filter({ hasText: /^R$/ }));
  const call = await page.locator('pre').filter({ hasText: 'read.csv' }).first().innerText();
  return { steps, name, rows: content.toString().trimEnd().split('\r\n'), call };
}

/**
 * "What does food cost in my town?"
 * @returns the rows of the table of its market: food, price, change in a year
 */
export async function foodInTown(page: Page, town: string) {
  const steps = new Steps(page);
  await openSuggestion(steps, town, 'Markets');
  const rows = await page.locator('main table').first().locator('tbody tr').all();
  const cells = await Promise.all(rows.map((row) => row.locator('th, td').allInnerTexts()));
  return { steps, title: await page.locator('h1').innerText(), rows: cells };
}

/**
 * "Is rice in Kabul dearer than usual?"
 * @returns what the page says of it
 */
export async function isDearer(page: Page, words: string) {
  const steps = new Steps(page);
  await openSuggestion(steps, words, 'Series');
  const facts = (await page.locator('.facts > li').allInnerTexts()).map((fact) => fact.replaceAll('\n', ' '));
  return { steps, title: await page.locator('h1').innerText(), facts };
}

/**
 * "Maize in Kenyan towns, in dollars per kilogram, as CSV."
 * @returns the file that is saved
 */
export async function csvOfTowns(page: Page, words: string) {
  const steps = new Steps(page);
  await openSuggestion(steps, words, 'Commodities in a country');
  await steps.click(page.getByRole('link', { name: 'In US dollars' }));
  await page.waitForURL(/measure=usd/);
  const link = dataOf(page)
    .getByRole('listitem')
    .filter({ hasText: 'dates down and series across' })
    .getByRole('link', { name: 'CSV' });
  const { name, content } = await saved(steps, link.first());
  return { steps, name, csv: content.toString() };
}

/**
 * The same by a comparison that is put together series by series.
 * @returns the file that is saved
 */
export async function csvOfComparison(page: Page, words: string) {
  const steps = new Steps(page);
  await openSuggestion(steps, words, 'Series');
  await steps.click(page.getByRole('link', { name: 'Compare with…' }));
  const others = page.getByRole('heading', { name: /^Add another series/ }).locator('+ ul a');
  for (const count of [2, 3]) {
    await steps.click(others.first());
    await page.waitForFunction(
      (expected) => new URL(location.href).searchParams.get('uuids')!.split(',').length === expected,
      count,
    );
  }
  await page.locator('select[name=measure]').selectOption('usd');
  await page.waitForURL(/measure=usd/);
  await page.locator('select[name=per]').selectOption('base');
  await page.waitForURL(/per=base/);
  const { name, content } = await saved(
    steps,
    page.locator('main').getByRole('link', { name: 'CSV' }).first(),
  );
  return { steps, name, csv: content.toString() };
}
