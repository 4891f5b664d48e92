import { openContext, violationsOf, type WatchedContext } from './chromium.js';
import type { InBrowser } from './in-browser.js';
import {
  acceptInvitation,
  correctSlip,
  csvOfTowns,
  inviteColleague,
  isDearer,
  MOST_STEPS,
  signIn,
} from './tasks.js';

/** Tasks from beginning to end, in few steps, and the pages of the desk. */
export function taskTests(shared: InBrowser): void {
  let watched: WatchedContext;
  beforeEach(async () => (watched = await openContext(shared.browser, shared.origin)));
  afterEach(() => watched.context.close());

  it('say whether rice in Kabul is dearer than usual', async () => {
    const { steps, title, facts } = await isDearer(watched.page, 'rice kabul');
    expect(title).toBe('Rice, Kabul, Afghanistan (retail)');
    expect(facts.filter((fact) => /^(Against 5-year mean|IFPA|ALPS) /.test(fact))).toHaveLength(3);
    expect(steps.count).toBeLessThanOrEqual(MOST_STEPS.isDearer);
    expect(watched.complaints).toEqual([]);
  });

  it('give maize of three Kenyan towns in dollars per kilogram as CSV', async () => {
    const { steps, name, csv } = await csvOfTowns(watched.page, 'maize kenya');
    expect(name).toMatch(/\.csv$/);
    const [header, newest] = csv.split('\r\n').map((line) => line.split(','));
    expect([header!.length, newest!.length]).toEqual([4, 4]);
    for (const town of ['Nairobi', 'Kisumu', 'Mombasa'])
      expect(header!.filter((column) => column.includes(town) && column.includes('USD'))).toHaveLength(1);
    // All Kenyan prices of the newest month are between 0.30 and 0.60 dollars.
    expect(newest!.slice(1).filter((value) => Number(value) > 0.3 && Number(value) < 0.6)).toHaveLength(3);
    expect(steps.count).toBeLessThanOrEqual(MOST_STEPS.csvOfTowns);
    expect(watched.complaints).toEqual([]);
  });

  it('correct the decimal slip that an upload brings', async () => {
    const { steps, stored, right } = await correctSlip(watched.page);
    expect(stored).toEqual([right]);
    expect(steps.count).toBeLessThanOrEqual(MOST_STEPS.correctSlip);
  });

  it('invite a colleague, who sets a password without scripts and signs in', async () => {
    const { page } = watched;
    const colleague = { username: 'grace.hopper', password: 'nine slow rivers to the coast' };
    const { steps, address } = await inviteColleague(page, colleague.username);
    expect(await violationsOf(page)).toEqual([]);
    expect(steps.count).toBeLessThanOrEqual(MOST_STEPS.inviteColleague);
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
