import { spawnSync } from 'node:child_process';
import type { Page } from 'playwright-core';
import { openContext, violationsOf, type WatchedContext } from './chromium.js';
import type { InBrowser } from './in-browser.js';
import { authorization } from './service.js';
import { MAX_DESK_STEPS, signIn } from './desk-tasks.js';
import { Steps } from './steps.js';

/** An account that is not an admin. */
const MAINTAINER = { username: 'grace', password: 'nine slow rivers to the coast' };

const RATES = 'currency,date,period,rate,rate_type\nUGX,2024-05-01,monthly,3790.5,official\n';

/** Chromium says so of a page with this status, and so should it. */
const isConflict = (complaint: string) => complaint.includes('status of 412');

/** What maintainers do at the desk. */
export function deskTests(shared: InBrowser): void {
  let watched: WatchedContext;
  let page: Page;
  beforeEach(async () => {
    watched = await openContext(shared.browser, shared.origin);
    ({ page } = watched);
    await signIn(page);
  });
  afterEach(async () => {
    expect(watched.complaints.filter((complaint) => !isConflict(complaint))).toEqual([]);
    await watched.context.close();
  });

  const source = (id: number) => fetch(`${shared.origin}/api/v1/Source/${id}/`);
  const createSource = async (name: string) => {
    const headers = { 'Content-Type': 'application/json', ...(await authorization(shared.origin)) };
    const body = JSON.stringify({ source_name: name });
    const reply = await fetch(`${shared.origin}/api/v1/Source/`, { method: 'POST', headers, body });
    return ((await reply.json()) as { id: number }).id;
  };
  const press = (name: string) => page.getByRole('button', { name, exact: true }).click();

  it('a maintainer merges two records, and reverts that', async () => {
    const [from, into] = [await createSource('Ministry of Trade'), await createSource('Trade Ministry')];
    const menu = page.locator('header');
    const merging = new Steps(page);
    await merging.click(menu.getByRole('link', { name: 'Tables' }));
    await merging.click(page.locator('main').getByRole('link', { name: 'Sources' }));
    await page.getByRole('searchbox').fill('ministry of trade');
    await page.getByRole('searchbox').press('Enter');
    await merging.click(page.getByRole('link', { name: 'Ministry of Trade' }));
    await merging.click(page.getByRole('link', { name: 'Merge this source into another' }));
    // What is typed here is a name of this table: no suggestion leads to a public page.
    await page.getByRole('searchbox').fill('trade min');
    await page.getByRole('searchbox').press('Enter');
    await merging.click(page.getByRole('link', { name: 'Trade Ministry' }));
    await page.getByText('0 series; 1 name under which imports find it.').waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await merging.click(page.getByRole('button', { name: 'Merge', exact: true }));
    await page.waitForURL(`**/desk/tables/Source/${into}?done=merged`);
    expect((await source(from)).status).toBe(404);
    expect(merging.count).toBeLessThanOrEqual(MAX_DESK_STEPS);

    const reverting = new Steps(page);
    await reverting.click(menu.getByRole('link', { name: 'Change sets' }));
    await reverting.click(page.locator('tbody a').first());
    await reverting.click(page.getByRole('link', { name: 'Revert it …' }));
    expect(await violationsOf(page)).toEqual([]);
    await reverting.click(page.getByRole('button', { name: 'Revert it', exact: true }));
    await page.getByText(/^It reverts change set \d+\.$/).waitFor();
    expect((await source(from)).status).toBe(200);
    expect(reverting.count).toBeLessThanOrEqual(MAX_DESK_STEPS);
  });

  it('a maintainer prints the prices of a series as text', async () => {
    await page.goto('/desk/series');
    await page.locator('tbody a').first().click();
    const price = page.locator('td input[inputmode=decimal]').first();
    const border = () => price.evaluate((field) => getComputedStyle(field).borderTopWidth);
    expect(await border()).toBe('1px');
    await page.emulateMedia({ media: 'print' });
    expect(await border()).toBe('0px');
    expect(await page.locator('.scroll + label').isVisible()).toBe(false);
  });

  it('an admin disables an account, which ends its session', async () => {
    const { username, password } = MAINTAINER;
    const command = ['dist/src/commands/user.command.js', 'add', username];
    const env = { PATH: process.env.PATH, DATABASE_URL: shared.databaseUrl };
    expect(spawnSync(process.execPath, command, { env, input: password }).status).toBe(0);
    const other = await openContext(shared.browser, shared.origin);
    await signIn(other.page, MAINTAINER);
    expect(await other.page.getByRole('link', { name: 'Accounts' }).count()).toBe(0);
    const steps = new Steps(page);
    await steps.click(page.getByRole('link', { name: 'Accounts' }));
    await steps.click(page.getByRole('link', { name: username, exact: true }));
    expect(await violationsOf(page)).toEqual([]);
    await page.getByLabel('State').selectOption('disabled');
    await steps.click(page.getByRole('button', { name: 'Save', exact: true }));
    expect(steps.count).toBeLessThanOrEqual(MAX_DESK_STEPS);
    await page.getByText(`${username} is saved.`).waitFor();
    await other.page.goto('/desk/tables');
    await other.page.waitForURL('**/desk/login?next=**');
    expect(other.complaints).toEqual([]);
    await other.context.close();
  });

  it('a maintainer chooses between two versions of a record that both have edited', async () => {
    const id = await createSource('Bureau');
    const second = await watched.context.newPage();
    for (const each of [page, second]) await each.goto(`/desk/tables/Source/${id}`);
    await page.locator('[name=name]').fill('Bureau of Statistics');
    await press('Save');
    await page.getByText('It was saved.').waitFor();
    await second.locator('[name=name]').fill('Statistics');
    await second.locator('[name=license]').fill('CC BY 4.0');
    await second.getByRole('button', { name: 'Save', exact: true }).click();
    await second.getByRole('alert').getByText('Changed meanwhile').waitFor();
    expect(await violationsOf(second)).toEqual([]);
    await second.getByRole('group', { name: 'Name: which to keep' }).getByLabel('Yours').check();
    await second.getByRole('button', { name: 'Save this choice' }).click();
    await second.getByText('It was saved.').waitFor();
    expect(await (await source(id)).json()).toMatchObject({ name: 'Statistics', license: 'CC BY 4.0' });
  });

  it('a maintainer drops a file on the form, and looks at what it would do', async () => {
    await page.getByRole('link', { name: 'Upload' }).click();
    const form = page.locator('form[enctype="multipart/form-data"]');
    const drag = (type: string) =>
      form.evaluate(
        (element, [name, content]) => {
          const dataTransfer = new DataTransfer();
          dataTransfer.items.add(new File([content!], 'rates.csv', { type: 'text/csv' }));
          element.dispatchEvent(new DragEvent(name!, { dataTransfer, bubbles: true, cancelable: true }));
          return element.classList.contains('dropping');
        },
        [type, RATES],
      );
    expect([await drag('dragover'), await drag('drop')]).toEqual([true, false]);
    expect(await form.locator('input[type=file]').inputValue()).toMatch(/rates\.csv$/);
    await press('Upload and check');
    await page.getByRole('heading', { name: 'Check of rates.csv' }).waitFor();
    await press('Remove the file');
    await page.waitForURL('**/desk/upload');
  });
}

/** The same without scripts. */
export function deskTestsWithoutScripts(shared: InBrowser): void {
  it('a maintainer edits, uploads, corrects and dismisses by forms alone', async () => {
    const { context, page } = await openContext(shared.browser, shared.origin, { javaScriptEnabled: false });
    const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
    await signIn(page);

    await page.goto('/desk/tables/Commodity/new');
    await page.locator('[name=name]').fill('Sorghum (test)');
    await press('Save');
    await page.getByText('It was created.').waitFor();
    await page.locator('[name=category]').fill('Cereals');
    await press('Save');
    await page.getByText('It was saved.').waitFor();
    await press('Remove');
    await page.getByText('It was removed.').waitFor();

    await page.goto('/desk/upload');
    const file = { name: 'rates.csv', mimeType: 'text/csv', buffer: Buffer.from(RATES) };
    await page.locator('input[type=file]').setInputFiles(file);
    await press('Upload and check');
    await press('Import');
    await page.waitForURL('**/desk/change-sets/*');

    await page.goto('/desk/series');
    await page.getByRole('searchbox').fill('rice kabul');
    await press('Search');
    await page.locator('tbody a').first().click();
    const price = page.getByRole('textbox', { name: /^Price of/ }).first();
    const value = String(Number(await price.inputValue()) + 1);
    await price.fill(value);
    await press('Save the changes');
    await page.getByText('The changes were saved.').waitFor();
    expect(await price.inputValue()).toBe(value);
    await page.getByRole('button', { name: /^Withdraw the correction/ }).click();
    await page.getByText('The correction was withdrawn: the source’s price is back.').waitFor();

    await page.goto('/desk/findings');
    await page.getByRole('link', { name: 'Go through them one after the other' }).click();
    await page.locator('form[action*="/dismiss"] [name=reason]').fill('It is true');
    await press('Dismiss');
    await page.getByText(/^Finding \d+ is dismissed\.$/).waitFor();
    await press('Sign out');
    await page.waitForURL('**/desk/login');
    await context.close();
  });
}
