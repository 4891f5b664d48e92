// Writes the sample data set: invented countries, currencies, markets and prices. Every run writes
// the same bytes.
//
//   node sample/make-sample.mjs
//
// The countries (XAA …) and currencies (XDA …) have user-assigned ISO codes, so that no rate and no
// index of the sample can affect a real price.
import { writeFileSync } from 'node:fs';

const SOURCE = 'Synthetic sample';
const DAY = 86_400_000;

/** A small seeded generator (mulberry32): the sample must not differ from run to run. */
function random(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

const countries = [
  { iso3: 'XAA', name: 'Aldoria', currency: 'XDA', rate: 1.6, inflation: 0.03 },
  { iso3: 'XAB', name: 'Borunda', currency: 'XDB', rate: 118, inflation: 0.07 },
  { iso3: 'XAC', name: 'Cestria', currency: 'XDC', rate: 24.5, inflation: 0.05 },
  { iso3: 'XAD', name: 'Deltania', currency: 'XDD', rate: 530, inflation: 0.11 },
  { iso3: 'XAE', name: 'Esmeria', currency: 'XDE', rate: 7.2, inflation: 0.04 },
  { iso3: 'XAF', name: 'Fenmark', currency: 'XDF', rate: 3900, inflation: 0.16 },
];

const markets = {
  XAA: [
    ['National Average', '', '', 'National average', null, null],
    ['Port Aldor', 'Coast', 'Aldor', 'Urban', 12.402, -61.115],
    ['Highfield', 'Uplands', 'Highfield', 'Rural', 12.817, -60.904],
  ],
  XAB: [
    ['Borun Central', 'Capital district', 'Borun', 'Urban', -8.114, 34.552],
    ["N'Dera", 'North', "N'Dera", 'Rural', -6.93, 34.108],
    ['Saint-Élie', 'North', 'Élie', 'Border', -6.421, 33.777],
  ],
  XAC: [
    ['National Average', '', '', 'National average', null, null],
    ['Cestra', 'Cestra', 'Cestra', 'Urban', 14.655, -87.201],
    ['Río Claro', 'Valle', 'Río Claro', 'Rural', 14.02, -86.55],
  ],
  XAD: [
    ['Delta Gate', 'Lower delta', 'Gate', 'Urban', 23.71, 90.4],
    ['Old Ferry, east bank', 'Lower delta', 'Ferry', 'Rural', 23.442, 90.611],
    ['Mirpur Hat', 'Upper delta', 'Mirpur', 'Rural', 24.15, 89.95],
  ],
  XAE: [
    ['Esmer', 'Esmer', '', 'Urban', 35.171, 10.83],
    ['Southern average', 'South', '', 'Regional average', null, null],
    ['Tall Zayt', 'South', 'Zayt', 'Rural', 33.909, 10.11],
  ],
  XAF: [
    ['Fenholm', 'Fen', 'Holm', 'Urban', 55.31, 15.2],
    ['Saltmarsh', 'Fen', 'Marsh', 'Border', 55.02, 15.741],
    ['National Average', '', '', 'National average', null, null],
  ],
};

// Name, HS code, category, unit, dimension, kilograms or litres per unit, dollars per kg or litre
const goods = [
  ['Maize (white)', '100590', 'cereals and tubers', 'Kg', 'mass', 1, 0.32],
  ['Rice (imported)', '100630', 'cereals and tubers', 'Kg', 'mass', 1, 0.85],
  ['Wheat flour', '110100', 'cereals and tubers', '50 kg', 'mass', 50, 0.55],
  ['Beans (red)', '071333', 'pulses and nuts', 'Kg', 'mass', 1, 1.25],
  ['Vegetable oil', '151790', 'oil and fats', 'Liter', 'volume', 1, 1.7],
  ['Milk', '040120', 'milk and dairy', '0.5 Liter', 'volume', 0.5, 1.1],
  ['Eggs', '040721', 'meat, fish and eggs', 'Dozen', 'count', null, 2.1],
  ['Tomatoes', '070200', 'vegetables and fruits', 'Kg', 'mass', 1, 0.9],
  ['Sugar', '170199', 'miscellaneous food', 'Pound', 'mass', 0.45359237, 0.75],
  ['Salt (iodised)', '250100', 'miscellaneous food', 'Packet', 'other', null, 0.3],
];

const exportsOf = [
  ['Wheat (hard red)', '100199', 'Gulf terminal', 255],
  ['Maize (yellow)', '100590', 'Gulf terminal', 205],
  ['Rice (5 % broken)', '100630', 'Delta Gate, FOB', 430],
  ['Soybeans', '120190', 'Port Aldor, FOB', 470],
  ['Palm oil (crude)', '151110', 'Delta Gate, FOB', 890],
  ['Sugar (raw)', '170114', 'Port Aldor, FOB', 420],
];

const iso = (time) => new Date(time).toISOString().slice(0, 10);
const range = (first, last, keep) => {
  const dates = [];
  for (let time = Date.parse(first); time <= Date.parse(last); time += DAY)
    if (keep(new Date(time))) dates.push(iso(time));
  return dates;
};
const months = range('2021-01-01', '2026-10-01', (date) => date.getUTCDate() === 1);
const fridays = range('2025-07-04', '2026-11-13', (date) => date.getUTCDay() === 5);
const workdays = range('2026-06-01', '2026-11-13', (date) => date.getUTCDay() > 0 && date.getUTCDay() < 6);

/** Prices around `level` with a trend, a season and some noise, rounded as markets quote. */
function prices(dates, level, yearly, seed) {
  const next = random(seed);
  const phase = next() * 2 * Math.PI;
  let drift = 0;
  return dates.map((date) => {
    const years = (Date.parse(date) - Date.parse('2021-01-01')) / (365.25 * DAY);
    drift = 0.9 * drift + 0.04 * (next() - 0.5);
    const price =
      level * (1 + yearly) ** years * (1 + 0.09 * Math.sin(2 * Math.PI * years + phase)) * (1 + drift);
    const decimals = price >= 1000 ? 0 : price >= 10 ? 1 : 2;
    return Number(price.toFixed(decimals));
  });
}

const rows = [];
let number = 0;
function addSeries(facts, frequencies, level, yearly) {
  number += 1;
  for (const [periodicity, dates] of frequencies) {
    prices(dates, level, yearly, number).forEach((price_value, index) =>
      rows.push({ ...facts, date: dates[index], periodicity, price_value }),
    );
  }
}

countries.forEach((country, place) => {
  const places = markets[country.iso3];
  for (let each = 0; each < 10; each++) {
    const [commodity, hs_code, category, measure_unit, dimension, size, dollars] =
      goods[(each + place) % goods.length];
    const [market, admin_unit, admin_unit2, market_type, latitude, longitude] = places[each % places.length];
    const wholesale = each % 3 === 2;
    const facts = {
      iso3_country_code: country.iso3,
      country_name: country.name,
      commodity,
      hs_code,
      category,
      price_type: wholesale ? 'WHOLESALE' : 'RETAIL',
      market,
      market_type,
      admin_unit,
      admin_unit2,
      latitude,
      longitude,
      regional_average: /average/i.test(market_type),
      currency: country.currency,
      measure_unit,
      measure_unit_dimension: dimension,
      conversion_factor: size === null ? null : Number((1 / size).toPrecision(15)),
    };
    // Daily, weekly or monthly only, or original months beside finer data: all origins of periods.
    const frequencies =
      each === 1
        ? [['daily', workdays]]
        : each === 4 || each === 7
          ? [['weekly', fridays]]
          : each === 5 && place % 2 === 0
            ? [
                ['weekly', fridays],
                ['monthly', months],
              ]
            : each === 8 && place === 0
              ? [
                  ['daily', workdays],
                  ['monthly', months],
                ]
              : [['monthly', months.slice(each === 3 ? 12 : 0, each === 9 ? -20 : undefined)]];
    addSeries(
      facts,
      frequencies,
      dollars * (size ?? 1) * country.rate * (wholesale ? 0.82 : 1),
      country.inflation,
    );
  }
});

for (const [commodity, hs_code, market, dollars] of exportsOf) {
  addSeries(
    {
      iso3_country_code: 'IPS',
      country_name: 'International prices',
      commodity,
      hs_code,
      category: 'international trade',
      price_type: 'EXPORT',
      market,
      market_type: 'Export terminal',
      admin_unit: '',
      admin_unit2: '',
      latitude: null,
      longitude: null,
      regional_average: false,
      currency: 'USD',
      measure_unit: 'tonne',
      measure_unit_dimension: 'mass',
      conversion_factor: 0.001,
    },
    [
      [
        commodity.startsWith('Wheat') ? 'weekly' : 'monthly',
        commodity.startsWith('Wheat') ? fridays : months,
      ],
    ],
    dollars,
    0.02,
  );
}

const quoted = (value) => {
  const text = value === null || value === undefined ? '' : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};
const csv = (columns, records) =>
  [columns, ...records.map((record) => columns.map((column) => record[column]))]
    .map((cells) => `${cells.map(quoted).join(',')}\r\n`)
    .join('');
const write = (name, columns, records) =>
  writeFileSync(new URL(name, import.meta.url), csv(columns, records));

const columns = Object.keys(rows[0]).filter((name) => !['date', 'periodicity', 'price_value'].includes(name));
write(
  'prices.csv',
  [...columns, 'source', 'source_license', 'date', 'periodicity', 'price_value'],
  rows.map((row) => ({ ...row, source: SOURCE, source_license: 'Invented data, free for any use' })),
);

const rates = [];
countries.forEach(({ currency, rate, inflation }, place) => {
  const daily = place === 1;
  const dates = daily
    ? range('2025-06-01', '2026-11-13', (date) => date.getUTCDay() % 6 !== 0)
    : [...months, '2026-11-01'];
  prices(dates, rate, inflation - 0.02, 1000 + place).forEach((value, index) =>
    rates.push({
      currency,
      date: dates[index],
      period: daily ? 'daily' : 'monthly',
      rate: value,
      rate_type: 'official',
    }),
  );
  if (inflation > 0.1) {
    prices(months, rate * 1.35, inflation, 1100 + place).forEach((value, index) =>
      rates.push({ currency, date: months[index], period: 'monthly', rate: value, rate_type: 'parallel' }),
    );
  }
});
write('fx.csv', ['currency', 'date', 'period', 'rate', 'rate_type'], rates);

const indices = [];
countries.forEach(({ iso3, inflation }, place) => {
  for (const [item, extra] of [
    ['general', 0],
    ['food', 0.015],
  ]) {
    const next = random(2000 + place);
    months.slice(0, -1).forEach((date, index) =>
      indices.push({
        iso3_country_code: iso3,
        date,
        item,
        value: Number(
          (100 * (1 + inflation + extra) ** (index / 12) * (1 + 0.004 * (next() - 0.5))).toFixed(2),
        ),
        base_period: '2021-01',
      }),
    );
  }
});
write('cpi.csv', ['iso3_country_code', 'date', 'item', 'value', 'base_period'], indices);
