import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { ADMIN } from './service.js';
import { Steps } from './steps.js';
import { slippedUpload } from './task-data.js';

/** Most clicks and fields of each task. */
export const MOST_STEPS = { isDearer: 6, csvOfTowns: 8, correctSlip: 8, inviteColleague: 6 };

/** A series among the suggestions for words. */
async function openSeries(steps: Steps, words: string): Promise<void> {
  const { page } = steps;
  await page.goto('/');
  await steps.fill(page.getByRole('combobox', { name: /^Search/ }), words);
  await steps.click(page.getByRole('group', { name: 'Series' }).getByRole('option').first());
  await page.waitForURL('**/series/**');
}

/**
 * "Is rice in Kabul dearer than usual?"
 * @returns what the page says of it
 */
export async function isDearer(page: Page, words: string) {
  const steps = new Steps(page);
  await openSeries(steps, words);
  const facts = (await page.locator('.facts > li').allInnerTexts()).map((fact) => fact.replaceAll('\n', ' '));
  return { steps, title: await page.locator('h1').innerText(), facts };
}

/**
 * "Maize in three Kenyan towns, in dollars per kilogram, as CSV."
 * @returns the file that is saved
 */
export async function csvOfTowns(page: Page, words: string) {
  const steps = new Steps(page);
  await openSeries(steps, words);
  await steps.click(page.getByRole('link', { name: 'Compare with…' }));
  const others = page.getByRole('heading', { name: /^Add another series/ }).locator('+ ul a');
  for (const count of [2, 3]) {
    await steps.click(others.first());
    await page.waitForFunction(
      (expected) => new URL(location.href).searchParams.get('uuids')!.split(',').length === expected,
      count,
    );
  }
  await steps.choose(page.locator('select[name=measure]'), 'usd');
  await page.waitForURL(/measure=usd/);
  await steps.choose(page.locator('select[name=per]'), 'base');
  await page.waitForURL(/per=base/);
  const saved = page.waitForEvent('download');
  await steps.click(page.locator('main').getByRole('link', { name: 'CSV' }).first());
  const download = await saved;
  const csv = await readFile(await download.path(), 'utf8');
  return { steps, name: download.suggestedFilename(), csv };
}

/** Signs in at the desk. */
export async function signIn(page: Page, { username, password } = ADMIN): Promise<void> {
  await page.goto('/desk/login');
  await page.locator('[name=username]').fill(username);
  await page.locator('[name=password]').fill(password);
  await page.locator('main form button').click();
  await page.waitForURL('**/desk/');
}

/**
 * "Correct the decimal slip that this upload brings." Begins at the desk, signed in.
 * @returns the prices that the series has then, newest first
 */
export async function correctSlip(page: Page, upload = slippedUpload()) {
  await signIn(page);
  const { name, content, price, right } = upload;
  const steps = new Steps(page);
  await steps.click(page.getByRole('link', { name: 'Upload' }));
  await steps.chooseFile(page.locator('input[type=file]'), name, content);
  await steps.click(page.getByRole('button', { name: 'Upload and check' }));
  await steps.click(page.getByRole('button', { name: 'Import', exact: true }));
  await page.waitForURL('**/desk/change-sets/**');
  await steps.open('/desk/findings');
  const finding = page.locator('tbody tr').filter({ hasText: `${price}, the last price` });
  await steps.click(finding.getByRole('link').first());
  const series = page.getByRole('link', { name: 'Page of the series' });
  const uuid = (await series.getAttribute('href'))!.split('/')[2]!.slice(0, 36);
  await steps.fill(page.locator('[name=price_value]').first(), String(right));
  await steps.click(page.getByRole('button', { name: 'Correct', exact: true }));
  await page.getByText(/^Finding \d+ is corrected\.$/).waitFor();
  const newest = await page.request.get(`/api/v1/PriceSeriePrice/${uuid}/?latest=1&periodicity=monthly`);
  const { datapoints } = (await newest.json()) as { datapoints: { price_value: number }[] };
  return { steps, stored: datapoints.map(({ price_value }) => price_value), right };
}

/**
 * "Invite a colleague who looks after the accounts, too." Begins at the desk, signed in.
 * @returns the address to send
 */
export async function inviteColleague(page: Page, username: string) {
  await signIn(page);
  const steps = new Steps(page);
  await steps.click(page.getByRole('link', { name: 'Accounts' }));
  await steps.fill(page.getByRole('textbox', { name: 'Name' }), username);
  await steps.choose(page.getByRole('combobox', { name: 'Role' }), 'admin');
  await steps.click(page.getByRole('button', { name: 'Invite', exact: true }));
  const address = page.locator('main pre');
  await address.waitFor();
  return { steps, address: await address.innerText() };
}

/** Sets a password at an address that somebody has sent, and signs in with it. */
export async function acceptInvitation(page: Page, address: string, account: typeof ADMIN) {
  const steps = new Steps(page);
  await page.goto(address);
  await steps.fill(page.getByLabel('New password'), account.password);
  await steps.fill(page.getByLabel('The same password again'), account.password);
  await steps.click(page.getByRole('button', { name: 'Set the password' }));
  await page.getByText('Your password is set. Sign in with it.').waitFor();
  await steps.fill(page.getByLabel('User name'), account.username);
  await steps.fill(page.getByLabel('Password'), account.password);
  await steps.click(page.getByRole('button', { name: 'Sign in' }));
  await page.waitForURL('**/desk/');
  return { steps, navigation: await page.locator('header nav').innerText() };
}
