import type { Page } from 'playwright-core';
import { ADMIN } from './service.js';
import { Steps } from './steps.js';
import { slippedUpload } from './task-data.js';

/** Most links and buttons of each task, once signed in. */
export const MAX_DESK_STEPS = 6;

/** Chooses a file in the form of uploads. */
const chooseFile = (page: Page, name: string, content: string) =>
  page
    .locator('input[type=file]')
    .setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(content) });

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
  await chooseFile(page, name, content);
  await steps.click(page.getByRole('button', { name: 'Upload and check' }));
  await steps.click(page.getByRole('button', { name: 'Import', exact: true }));
  await page.waitForURL('**/desk/change-sets/**');
  await steps.open('/desk/findings');
  const finding = page.locator('tbody tr').filter({ hasText: `${price}, the last price` });
  await steps.click(finding.getByRole('link').first());
  const series = page.getByRole('link', { name: 'Page of the series' });
  const uuid = (await series.getAttribute('href'))!.split('/')[2]!.slice(0, 36);
  await page.locator('[name=price_value]').first().fill(String(right));
  await steps.click(page.getByRole('button', { name: 'Correct', exact: true }));
  await page.getByText(/^Finding \d+ is corrected\.$/).waitFor();
  const newest = await page.request.get(`/api/v1/PriceSeriePrice/${uuid}/?latest=1&periodicity=monthly`);
  const { datapoints } = (await newest.json()) as { datapoints: { price_value: number }[] };
  return { steps, stored: datapoints.map(({ price_value }) => price_value), right };
}

/**
 * "Bring in what the ministry has sent": its words and signs, and not what everybody there knows.
 * @returns the country that is proposed, and how the page reads the first rows
 */
export async function bringIn(page: Page, { name, content }: { name: string; content: string }) {
  await signIn(page);
  const steps = new Steps(page);
  await steps.click(page.getByRole('link', { name: 'Upload' }));
  await chooseFile(page, name, content);
  await steps.click(page.getByRole('button', { name: 'Upload and check' }));
  // What the file does not say is asked by its fields alone; the currency has proposed the country.
  const country = await page.getByRole('combobox', { name: 'Country' }).inputValue();
  await page.getByRole('textbox', { name: 'Source' }).fill('Bureau des statistiques');
  await steps.click(page.getByRole('button', { name: 'Check again' }));
  await page.getByRole('heading', { name: /^The first rows/ }).waitFor();
  const firstRows = await page.locator('main').innerText();
  await steps.click(page.getByRole('button', { name: 'Import', exact: true }));
  await page.waitForURL('**/desk/change-sets/**');
  return { steps, country, firstRows };
}

/**
 * "Enter this month's price as I type it." The number may be read in two ways.
 * @returns both readings, and the price that is stored once one is chosen
 */
export async function enterPrice(page: Page, words: string, typed: string, meant: string) {
  await signIn(page);
  const steps = new Steps(page);
  await steps.click(page.locator('header').getByRole('link', { name: 'Series' }));
  await page.getByRole('searchbox').fill(words);
  await page.getByRole('searchbox').press('Enter');
  await steps.click(page.locator('tbody a').first());
  await page
    .getByRole('textbox', { name: /^Price of/ })
    .first()
    .fill(typed);
  await steps.click(page.getByRole('button', { name: 'Save the changes' }));
  const readings = page
    .getByRole('group')
    .filter({ has: page.getByRole('radio') })
    .first();
  const offered = (await readings.locator('label').allInnerTexts()).map((label) => label.trim());
  await readings.getByLabel(meant, { exact: true }).check();
  await steps.click(page.getByRole('button', { name: 'Save the changes' }));
  await page.getByText('The changes were saved.').waitFor();
  return {
    steps,
    offered,
    stored: await page
      .getByRole('textbox', { name: /^Price of/ })
      .first()
      .inputValue(),
  };
}

/**
 * "Invite a colleague who looks after the accounts, too." Begins at the desk, signed in.
 * @returns the address to send
 */
export async function inviteColleague(page: Page, username: string) {
  await signIn(page);
  const steps = new Steps(page);
  await steps.click(page.getByRole('link', { name: 'Accounts' }));
  await page.getByRole('textbox', { name: 'Name' }).fill(username);
  await page.getByRole('combobox', { name: 'Role' }).selectOption('admin');
  await steps.click(page.getByRole('button', { name: 'Invite', exact: true }));
  const address = page.locator('main pre');
  await address.waitFor();
  return { steps, address: await address.innerText() };
}

/** Sets a password at an address that somebody has sent, and signs in with it. */
export async function acceptInvitation(page: Page, address: string, account: typeof ADMIN) {
  const steps = new Steps(page);
  await page.goto(address);
  await page.getByLabel('New password').fill(account.password);
  await page.getByLabel('The same password again').fill(account.password);
  await steps.click(page.getByRole('button', { name: 'Set the password' }));
  await page.getByText('Your password is set. Sign in with it.').waitFor();
  await page.getByLabel('User name').fill(account.username);
  await page.getByLabel('Password').fill(account.password);
  await steps.click(page.getByRole('button', { name: 'Sign in' }));
  await page.waitForURL('**/desk/');
  return { steps, navigation: await page.locator('header nav').innerText() };
}
