/** A page that everybody may open. */
export interface PublicPage {
  name: string;
  address: string;
  hasChart?: true;
  hasTable?: true;
}

interface Entry {
  uuid: string;
  iso3_country_code: string;
  commodity_id: number;
  market_id: number;
  conversion_factor: number | null;
  price_type: string;
  periodicity: { period: string; start_date: string; end_date: string }[];
}

/** All public pages, with records that the service has. */
export async function publicPages(origin: string): Promise<PublicPage[]> {
  const series = await seriesOf(origin, 'search=maize%20white');
  const [one] = series;
  const others = series.filter(
    ({ commodity_id, conversion_factor }) =>
      commodity_id === one!.commodity_id && conversion_factor === one!.conversion_factor,
  );
  const uuids = others.slice(0, 3).map(({ uuid }) => uuid);
  const newest = one!.periodicity.at(-1)!;
  return [
    { name: 'home', address: '/', hasTable: true },
    { name: 'country', address: `/countries/${one!.iso3_country_code}`, hasChart: true, hasTable: true },
    {
      name: 'country-commodity',
      address: `/countries/${one!.iso3_country_code}/commodities/${one!.commodity_id}`,
      hasChart: true,
      hasTable: true,
    },
    { name: 'market', address: `/markets/${one!.market_id}`, hasTable: true },
    { name: 'commodity', address: `/commodities/${one!.commodity_id}`, hasChart: true, hasTable: true },
    { name: 'series', address: `/series/${one!.uuid}`, hasChart: true, hasTable: true },
    {
      name: 'point',
      address: `/series/${one!.uuid}/points/${newest.period}/${newest.end_date}`,
      hasTable: true,
    },
    {
      name: 'compare',
      address: `/compare?uuids=${uuids.join()}&measure=usd&per=base`,
      hasChart: true,
      hasTable: true,
    },
    { name: 'compare-empty', address: '/compare' },
    { name: 'browse', address: '/browse?search=maize', hasTable: true },
    { name: 'browse-nothing', address: '/browse?search=maize&currencies=QQQ' },
    { name: 'warnings', address: '/warnings', hasTable: true },
    { name: 'data', address: '/data', hasTable: true },
    { name: 'help', address: '/help' },
    { name: 'term', address: '/help/ifpa' },
    { name: 'guide', address: '/help/guides/analysis', hasTable: true },
    { name: 'guide-of-the-api', address: '/help/guides/api', hasTable: true },
    { name: 'guide-of-prices', address: '/help/guides/api/prices', hasTable: true },
    { name: 'error', address: '/nowhere' },
  ];
}

/** Entries of series by a filter of the API. */
export async function seriesOf(origin: string, query: string): Promise<Entry[]> {
  const response = await fetch(`${origin}/api/v1/PriceSerie/?${query}`);
  return ((await response.json()) as { results: Entry[] }).results;
}
