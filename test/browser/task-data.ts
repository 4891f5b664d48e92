import { authorization } from './service.js';

const HEADER =
  'date,admin1,admin2,market,market_id,latitude,longitude,category,commodity,commodity_id,unit,' +
  'priceflag,pricetype,currency,price,usdprice';

/** The months that are stored before an upload, and the month that it brings. */
const [FIRST_YEAR, MONTHS] = [2019, 94];
const monthOf = (index: number) =>
  `${FIRST_YEAR + Math.floor(index / 12)}-${String((index % 12) + 1).padStart(2, '0')}`;

/** Prices with a season and a trend, so that rules have nothing to find in them. */
const priceAt = (level: number, index: number) =>
  Number((level * (1 + 0.004 * index + 0.08 * Math.sin((index * Math.PI) / 6))).toFixed(2));

interface Market {
  region: string;
  name: string;
  id: number;
  level: number;
}

const KENYAN: Market[] = [
  { region: 'Nairobi', name: 'Nairobi', id: 191, level: 48 },
  { region: 'Nyanza', name: 'Kisumu', id: 187, level: 44 },
  { region: 'Coast', name: 'Mombasa', id: 189, level: 52 },
];
const AFGHAN: Market[] = [{ region: 'Kabul', name: 'Kabul', id: 266, level: 61 }];

const row = ({ region, name, id }: Market, month: string, goods: string, currency: string, price: number) =>
  [
    `${month}-15`,
    region,
    region,
    name,
    id,
    0,
    0,
    'cereals and tubers',
    goods,
    51,
    'KG',
    'actual',
    'Retail',
  ].join() + `,${currency},${price},`;

const prices = (markets: Market[], goods: string, currency: string) =>
  markets.flatMap((market) =>
    Array.from({ length: MONTHS }, (_, index) =>
      row(market, monthOf(index), goods, currency, priceAt(market.level, index)),
    ),
  );

const file = (rows: string[]) => [HEADER, ...rows, ''].join('\n');

/** A file in which the point of one price has slipped by a digit. */
export interface SlippedUpload {
  name: string;
  content: string;
  /** As the file has it, and as it should be. */
  price: number;
  right: number;
}

/** A file of the next month. */
export const slippedUpload = (): SlippedUpload => {
  const rights = KENYAN.map(({ level }) => priceAt(level, MONTHS));
  const price = Number((rights[1]! * 10).toFixed(1));
  const rows = KENYAN.map((market, index) =>
    row(market, monthOf(MONTHS), 'Maize', 'KES', index === 1 ? price : rights[index]!),
  );
  return { name: 'wfp_food_prices_ken.csv', content: file(rows), price, right: rights[1]! };
};

/** A file of an office of statistics: in French, with semicolons, without country and source. */
export const officeFile = {
  name: 'releves.csv',
  content: [
    'date;marché;produit;unité;prix;devise;type de prix',
    '2026-09;Garissa;Sorgho;kg;1250,50;KES;Retail',
    '2026-10;Garissa;Sorgho;kg;1310,25;KES;Retail',
    '',
  ].join('\n'),
};

/** Stores maize of three Kenyan towns, rice of Kabul, and the exchange rates of both countries. */
export async function storeTaskData(origin: string): Promise<void> {
  const rates = Array.from({ length: MONTHS + 1 }, (_, index) =>
    [['KES', 130] as const, ['AFN', 70] as const].map(
      ([currency, rate]) => `${currency},${monthOf(index)}-01,monthly,${rate},official`,
    ),
  );
  for (const [query, body] of [
    ['format=wfp&country=KEN', file(prices(KENYAN, 'Maize', 'KES'))],
    ['format=wfp&country=AFG', file(prices(AFGHAN, 'Rice', 'AFN'))],
    ['format=fx', ['currency,date,period,rate,rate_type', ...rates.flat(), ''].join('\n')],
  ] as const)
    await importFile(origin, query, body);
}

/** Imports a file of the format `prices`. */
export const importPrices = (origin: string, body: string): Promise<void> =>
  importFile(origin, 'format=prices', body);

async function importFile(origin: string, query: string, body: string): Promise<void> {
  const headers = { 'Content-Type': 'text/csv', ...(await authorization(origin)) };
  const response = await fetch(`${origin}/api/v1/Import/?${query}`, { method: 'POST', headers, body });
  if (!response.ok) throw new Error(await response.text());
}
