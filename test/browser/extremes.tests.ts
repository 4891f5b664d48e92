import { openContext } from './chromium.js';
import type { InBrowser } from './in-browser.js';
import { seriesOf } from './public-pages.js';
import { importPrices } from './task-data.js';

/** Pages that need no record. */
const ALWAYS = [
  '/',
  '/browse',
  '/browse?search=maize',
  '/compare',
  '/warnings',
  '/data',
  '/help',
  '/nowhere',
];
/** How wide the pages are looked at, in pixels: a telephone, and a screen. */
const WIDTHS = [360, 1200];
/** As long as a name may be, without a place to break it. */
const LONG = 'Maïs'.repeat(50);
const ARABIC = 'دقيق الذرة البيضاء المطحون، السوق المركزي';

/** A file of prices of one series. */
const file = (commodity: string, market: string, unit: string, prices: readonly number[]) =>
  [
    'iso3_country_code,market,commodity,category,measure_unit,currency,price_type,source,date,price_value',
    ...prices.map(
      (price, index) =>
        `YEM,"${market}","${commodity}",Cereals,"${unit}",YER,Retail,Office,2026-${String(index + 1).padStart(2, '0')},${price}`,
    ),
    '',
  ].join('\n');

/** Pages of data that are rare: none, one price, and the longest names and numbers. */
export function extremeTests(shared: InBrowser): void {
  /** What is wider than the window, is answered by an error, or complains, on some pages. */
  async function faultsOf(addresses: readonly string[]): Promise<string[]> {
    const faults: string[] = [];
    for (const width of WIDTHS) {
      const viewport = { width, height: 740 };
      const { context, page, complaints } = await openContext(shared.browser, shared.origin, { viewport });
      for (const address of addresses) {
        const reply = await page.goto(address);
        const expected = address === '/nowhere' ? 404 : 200;
        if (reply!.status() !== expected) faults.push(`${address}: ${reply!.status()}`);
        const wide = await page.evaluate(() => document.documentElement.scrollWidth);
        if (wide > width) faults.push(`${address} at ${width}: ${wide} pixels`);
        const text = await page.locator('main').innerText();
        const broken = /\b(NaN|undefined|null|Infinity|\[object)\b/.exec(text);
        if (broken !== null) faults.push(`${address}: ${broken[0]}`);
      }
      faults.push(...complaints.filter((each) => !each.includes('/nowhere')));
      await context.close();
    }
    return faults;
  }

  /** All pages of the series that a search finds. */
  async function pagesOf(search: string): Promise<string[]> {
    const series = await seriesOf(shared.origin, `search=${encodeURIComponent(search)}`);
    expect(series).not.toEqual([]);
    return series.flatMap(({ uuid, iso3_country_code: iso3, commodity_id, market_id, periodicity }) => [
      `/countries/${iso3}`,
      `/countries/${iso3}/commodities/${commodity_id}`,
      `/countries/${iso3}/commodities/${commodity_id}?measure=usd`,
      `/commodities/${commodity_id}`,
      `/markets/${market_id}`,
      `/series/${uuid}`,
      `/series/${uuid}?measure=real&scale=log`,
      `/series/${uuid}/points/${periodicity[0]!.period}/${periodicity[0]!.end_date}`,
      `/compare?uuids=${uuid}`,
      `/browse?search=${encodeURIComponent(search.slice(0, 60))}`,
      `/warnings?by=country,commodity`,
    ]);
  }

  it('hold without any data', async () => {
    expect(await faultsOf(ALWAYS)).toEqual([]);
  }, 120_000);

  it('hold with one price', async () => {
    await importPrices(shared.origin, file('Maize', 'Aden', 'kg', [250]));
    expect(await faultsOf([...ALWAYS, ...(await pagesOf('Aden'))])).toEqual([]);
  }, 120_000);

  it('hold with names of 200 characters that cannot be broken', async () => {
    await importPrices(shared.origin, file(LONG, LONG, 'kg', [250, 251, 260]));
    expect(await faultsOf([...ALWAYS, ...(await pagesOf(LONG.slice(0, 40)))])).toEqual([]);
  }, 120_000);

  it('hold with names from right to left', async () => {
    await importPrices(shared.origin, file(ARABIC, ARABIC, 'كيس', [250, 251, 260]));
    expect(await faultsOf([...ALWAYS, ...(await pagesOf('دقيق'))])).toEqual([]);
  }, 120_000);

  it('hold with prices of a billionth and of a trillion', async () => {
    await importPrices(shared.origin, file('Salt', 'Mukalla', 'kg', [1e-9, 2e-9, 3.5e-9]));
    await importPrices(shared.origin, file('Gold', 'Mukalla', 'kg', [1e12, 1.25e12, 999_999_999_999.5]));
    await importPrices(shared.origin, file('Both', 'Mukalla', 'kg', [1e-9, 1e12, 1]));
    expect(await faultsOf([...ALWAYS, ...(await pagesOf('Mukalla'))])).toEqual([]);
  }, 120_000);
}
