import { reportText } from '../../src/import/pipeline/import-report.js';
import { openImports } from '../support/imports.js';

const DOLLARS = 'Dollars are prices divided by the official rate of their month that is stored here.';
const PRICES =
  'iso3_country_code,commodity,price_type,market,source,currency,measure_unit,date,periodicity,price_value';
const ROW = 'SDN,Sorghum,RETAIL,Kassala,Own,SDG,kg,2023-05-01,monthly,540';
const WFP =
  'date,admin1,admin2,market,market_id,latitude,longitude,category,commodity,commodity_id,unit,priceflag,pricetype,currency,price,usdprice';

describe('dollars and rates that a file has and that are not used', () => {
  let imports: Awaited<ReturnType<typeof openImports>>;
  beforeAll(async () => (imports = await openImports()));
  afterAll(() => imports.close());

  it('are named in the report and in that of a dry run', async () => {
    const wfp = `${WFP}\n2023-05-15,,,Kassala,1,,,cereals,Sorghum,1,KG,actual,Retail,SDG,540,0.9`;
    for (const dryRun of [true, false]) {
      const report = await imports.importText('wfp', wfp, { country: 'SDN', dryRun });
      expect(report.notes).toEqual([`usdprice is not read. ${DOLLARS}`]);
      expect(reportText(report)).toContain(`\n  usdprice is not read. ${DOLLARS}\n`);
    }
    const notes = async (columns: string) => {
      const text = `${WFP.replace('usdprice', columns)}\n2023-05-15,,,Wad Madani,1,,,cereals,Rice,1,KG,actual,Retail,SDG,540`;
      const values = columns === '' ? '' : ',1'.repeat(columns.split(',').length);
      return (await imports.importText('wfp', text.replace(',\n', '\n') + values, { country: 'SDN' })).notes;
    };
    expect(await notes('Parallel rate,USD price')).toEqual([
      `Parallel rate and USD price are not read. ${DOLLARS}`,
    ]);
    expect(await notes('exchange_rate_parallel')).toEqual([`exchange_rate_parallel is not read. ${DOLLARS}`]);
    expect(await notes('')).toEqual([]);
    const { error, notes: none } = await imports.importText('prices', `${PRICES},usdprice\n${ROW},0.9`);
    expect([error, none]).toEqual([expect.stringContaining('usdprice'), []]);
  });

  it('are the parallel ones of a file of rates', async () => {
    const rates = async (...rows: string[]) =>
      (await imports.importText('fx', ['currency,date,period,rate,rate_type', ...rows].join('\n'))).notes;
    expect(await rates('SDG,2023-05-01,monthly,560,official')).toEqual([]);
    expect(await rates('SDG,2023-06-01,monthly,560,official', 'SDG,2023-06-01,monthly,640,parallel')).toEqual(
      [`The file has parallel rates, which are stored and not used. ${DOLLARS}`],
    );
    const h10 = await imports.importText('fx', 'Date,Country,Exchange rate\n2023-05-01,Mexico,17.7');
    expect(h10.notes).toEqual([]);
  });

  it('are those of codes that are none of ISO 4217, which are named', async () => {
    const note = 'KSH is no code of ISO 4217: it has no rates but those under the same letters.';
    const row = 'KEN,Maize,RETAIL,Kitale,Own,KSH,kg,2023-05-01,monthly,54';
    for (const dryRun of [true, false])
      expect((await imports.importText('prices', `${PRICES}\n${row}`, { dryRun })).notes).toEqual([note]);
    const rate = await imports.importText('fx', 'currency,date,period,rate\nksh,2023-05-01,monthly,137');
    expect(rate.notes).toEqual([note]);
    // Somaliland's has no code, and no other letters.
    const own = 'SOM,Maize,RETAIL,Borama,Own,SLS,kg,2023-05-01,monthly,5400';
    expect((await imports.importText('prices', `${PRICES}\n${own}`)).notes).toEqual([]);
  });
});

describe('an input of which no row can be stored', () => {
  let imports: Awaited<ReturnType<typeof openImports>>;
  beforeAll(async () => (imports = await openImports()));
  afterAll(() => imports.close());

  it('says that all are skipped', async () => {
    const quarterly = 'Date,Rate,Currency,Frequency\n2024-03-31,129,KES,Q\n2024-06-30,130,KES,Q\n';
    for (const dryRun of [true, false]) {
      const { notes, error, read } = await imports.importText('fx', quarterly, { dryRun });
      expect([notes, error, read]).toEqual([
        ['No row of the input can be stored. All are skipped: other_frequency 2.'],
        null,
        2,
      ]);
    }
    const { notes } = await imports.importText('fx', `${quarterly}2024-06-30,130,KES,M\n`);
    expect(notes).toEqual([]);
  });
});
