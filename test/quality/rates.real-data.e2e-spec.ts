import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { parse } from 'csv-parse/sync';
import { openImports } from '../support/imports.js';
import { describeWithRealData, realData } from '../support/real-data.js';

const IMF = 'fx/fx_monthly_imf_2015_2020.csv';
const FAO = 'cpi/fao_cpi_monthly_long_2000_2024.csv.gz';

type Values = Record<number, number>;

const monthOf = (date: string) => Number(date.slice(0, 4)) * 12 + Number(date.slice(5, 7)) - 1;
const monthText = (month: number) =>
  `${Math.floor(month / 12)}-${String((month % 12) + 1).padStart(2, '0')}-01`;

function table(file: string): Record<string, string>[] {
  const bytes = readFileSync(realData(file));
  return parse(file.endsWith('.gz') ? gunzipSync(bytes) : bytes, { columns: true, bom: true });
}

/** Whether a value of the three months after one is within 15 % of that of the month before it. */
function returns(values: Values, month: number): boolean {
  const before = values[month - 1]!;
  for (const later of [month + 1, month + 2, month + 3]) {
    if (later in values && Math.abs(values[later]! / before - 1) <= 0.15) return true;
  }
  return false;
}

// A second implementation, which shares nothing with the rules.
describeWithRealData('findings about published rates and indices', () => {
  let imports: Awaited<ReturnType<typeof openImports>>;
  beforeAll(async () => (imports = await openImports()));
  afterEach(() => imports.empty());
  afterAll(() => imports.close());

  const found = async (rule: string) => {
    const rows = await imports.rows<{ subject: string; day: number }>(
      'SELECT subject, day FROM finding WHERE rule = ?',
      [rule],
    );
    const dateOf = (day: number) => new Date((day - 719_163) * 86_400_000).toISOString().slice(0, 10);
    return rows.map(({ subject, day }) => `${subject} ${dateOf(day)}`).sort();
  };

  it('are those of plain loops over the rates of the IMF', async () => {
    await imports.importFile('fx', realData(IMF));
    const rates: Record<string, Values> = {};
    const outside: Record<string, number> = {};
    const begins: Record<string, string> = {
      BYN: '2016-07-01',
      MRU: '2018-01-01',
      SLE: '2022-07-01',
      STN: '2018-01-01',
      UYW: '2018-08-29',
      VED: '2021-10-01',
    };
    for (const { Currency: code, Date: date, Rate: rate } of table(IMF)) {
      if (code === '' || monthOf(date!) in (rates[code!] ??= {})) continue;
      rates[code!]![monthOf(date!)] = Number(rate);
      if (date! < (begins[code!] ?? '') || code === 'HRD' || code === 'ITL')
        outside[code!] = (outside[code!] ?? 0) + 1;
    }
    expect(outside).toEqual({ BYN: 18, MRU: 36, SLE: 72, STN: 36, VED: 42, HRD: 72, ITL: 72, UYW: 43 });
    const counts = await imports.rows<{ subject: string; severity: string; count: number }>(
      "SELECT subject, severity, COUNT(*) AS count FROM finding WHERE rule = 'rate_outside_currency_life'" +
        ' GROUP BY subject, severity',
    );
    const restated = ['BYN', 'MRU', 'SLE', 'STN'];
    expect(
      counts.map(({ subject, severity, count }) => `${subject} ${severity} ${Number(count)}`).sort(),
    ).toEqual(
      Object.entries(outside)
        .map(([code, count]) => `rates ${code} ${restated.includes(code) ? 'info' : 'error'} ${count}`)
        .sort(),
    );
    const steps: string[] = [];
    for (const [code, values] of Object.entries(rates)) {
      for (const month of Object.keys(values).map(Number)) {
        const ratio = values[month]! / values[month - 1]!;
        const moves = Math.abs(ratio - 1) >= 0.3 && returns(values, month);
        if (code !== 'USD' && (moves || ratio >= 10 || ratio <= 0.1))
          steps.push(`rates ${code} ${monthText(month)}`);
      }
    }
    expect(steps.sort()).toEqual(['rates TRY 2018-08-01', 'rates VED 2018-01-01', 'rates YER 2018-09-01']);
    expect(await found('rate_step')).toEqual(steps);
    expect([await found('rate_inverted'), await found('rate_date_out_of_range')]).toEqual([[], []]);
  });

  it('are those of plain loops over the indices of FAO', async () => {
    await imports.importFile('cpi', realData(FAO));
    const indices: Record<string, Values> = {};
    for (const { iso3, item_code: item, date, value } of table(FAO)) {
      if (iso3 === '' || (item !== '23012' && item !== '23013')) continue;
      const name = `indices ${iso3} ${item === '23012' ? 'general' : 'food'}`;
      (indices[name] ??= {})[monthOf(date!)] = Number(value);
    }
    const breaks: string[] = [];
    const lines: string[] = [];
    for (const [name, values] of Object.entries(indices)) {
      let straight = 0;
      for (const month of Object.keys(values).map(Number)) {
        const [before, value, after] = [values[month - 1], values[month]!, values[month + 1]];
        if (before !== undefined && before > 0 && value > 0) {
          if (Math.abs(Math.log(value / before)) > 0.15 && returns(values, month))
            breaks.push(`${name} ${monthText(month)}`);
        }
        if (Math.abs(after! - 2 * value + before!) < 1e-5 * value) straight++;
        else {
          if (straight >= 5) lines.push(`${name} ${monthText(month - straight - 1)}`);
          straight = 0;
        }
      }
    }
    expect([breaks.length, lines.length]).toEqual([35, 439]);
    expect(breaks).toContain('indices GIN general 2007-01-01');
    expect(lines).toContain('indices SOM general 2000-01-01');
    expect(await found('index_break')).toEqual(breaks.sort());
    expect(await found('index_interpolated')).toEqual(lines.sort());
    expect([await found('index_level'), await found('index_date_out_of_range')]).toEqual([[], []]);
  });

  it('find official rates that stay while prices rise', async () => {
    await imports.importFile('cpi', realData(FAO));
    await imports.importFile('fx', realData(IMF));
    const frozen = (await found('rate_frozen')).map((text) => text.split(' ')[1]);
    expect([...new Set(frozen)]).toEqual(['AOA', 'IRR', 'LBP', 'MWK', 'NGN', 'SDG', 'SRD']);
  });
});
