import { seriesUuid } from '../../src/import/pipeline/series-uuid.js';
import { testChange } from '../support/change-set.js';
import { openImports } from '../support/imports.js';

const WFP =
  'date,admin1,admin2,market,market_id,latitude,longitude,category,commodity,commodity_id,unit,priceflag,pricetype,currency,price,usdprice';
const VAM =
  'adm0_id,adm0_name,adm1_id,adm1_name,mkt_id,mkt_name,cm_id,cm_name,cur_id,cur_name,pt_id,pt_name,um_id,um_name,mp_month,mp_year,mp_price,mp_commoditysource';
const PRICES =
  'iso3_country_code,admin_unit,market,market_code,commodity,hs_code,category,price_type,source,currency,measure_unit,date,periodicity,price_value,comment';
const text = (...lines: string[]) => lines.join('\n');

describe('names and codes as other programs write them', () => {
  let imports: Awaited<ReturnType<typeof openImports>>;
  beforeAll(async () => (imports = await openImports()));
  afterEach(() => imports.empty());
  afterAll(() => imports.close());

  const markets = () =>
    imports.rows(
      'SELECT name, code, iso3_country_code AS country, admin_unit, admin_unit2, latitude FROM market ORDER BY id',
    );
  const series = () =>
    imports.rows<{ uuid: string; currency: string; points: number | string }>(
      'SELECT s.uuid, s.currency, (SELECT COUNT(*) FROM observation o WHERE o.serie_id = s.id) AS points' +
        ' FROM price_serie s ORDER BY s.id',
    );

  it('a file that R has written has the series of the published one', async () => {
    const fromR = text(
      WFP.replace(/\w+/g, '"$&"'),
      '"2024-01-15",NA,NA,"National Average",NA,NA,NA,"cereals and tubers","Sorghum",60,"KG","actual","Retail","KES",61,NA',
      '"2024-02-15",NA,NA,"National Average",NA,NA,NA,"cereals and tubers","Sorghum",60,"KG","actual","Retail","KES",63,NA',
    );
    const published = text(
      WFP,
      '2024-03-15,,,National Average,,,,cereals and tubers,Sorghum,60,KG,actual,Retail,KES,64,0.5',
    );
    const first = await imports.importText('wfp', fromR, { country: 'KEN' });
    expect([first.new, first.rejected, first.countries, first.replaced]).toEqual([2, 0, { KEN: 1 }, 10]);
    expect(first.replaced_values).toEqual(
      ['admin1', 'admin2', 'market_id', 'latitude', 'longitude'].map((column) => ({
        column,
        value: 'NA',
        read_as: '',
        cells: 2,
      })),
    );
    const second = await imports.importText('wfp', published, { country: 'KEN' });
    expect([second.new, second.series, second.records, second.replaced]).toEqual([1, 0, {}, 0]);
    expect(await markets()).toEqual([
      { name: 'National Average', code: '', country: 'KEN', admin_unit: '', admin_unit2: '', latitude: null },
    ]);
    expect((await series()).map(({ points }) => Number(points))).toEqual([3]);
  });

  it('dashes, dots and errors of formulas in other languages are blank as well', async () => {
    const row = (month: string, mark: string) =>
      `2024-${month}-15,${mark},${mark},Abéché,${mark},${mark},${mark},cereals and tubers,Millet,52,KG,actual,Retail,XAF,250,`;
    const marks = ['-', '..', '—', '#¡VALOR!', '#N/D', '#WERT!'];
    const report = await imports.importText(
      'wfp',
      text(WFP, row('01', ''), ...marks.map((mark, index) => row(`0${index + 2}`, mark))),
      { country: 'TCD' },
    );
    expect([report.new, report.rejects, report.series, report.records.Market, report.replaced]).toEqual([
      7,
      [],
      1,
      1,
      5 * marks.length,
    ]);
    expect((await markets()).at(-1)).toEqual({
      name: 'Abéché',
      code: '',
      country: 'TCD',
      admin_unit: '',
      admin_unit2: '',
      latitude: null,
    });
  });

  it('no market or commodity is called by a mark that is no word', async () => {
    const row = (market: string, commodity: string) =>
      `2024-01-15,,,${market},,,,cereals and tubers,${commodity},52,KG,actual,Retail,XAF,250,`;
    const report = await imports.importText(
      'wfp',
      text(WFP, row('-', 'Millet'), row('..', 'Millet'), row('Abéché', '#N/A'), row('None', 'Millet')),
      { country: 'TCD' },
    );
    expect([report.new, report.rejects]).toEqual([
      1,
      ['market', 'market', 'commodity'].map((field, index) => ({
        line: index + 2,
        field,
        reason: 'required',
        detail: `${field} is required.`,
      })),
    ]);
    expect((await markets()).map(({ name }) => name)).toEqual(['None']);
  });

  it('marks are blank in the own formats, but not the names of markets and commodities', async () => {
    const report = await imports.importText(
      'prices',
      text(
        PRICES,
        'ITA,NULL,None,#N/A,Maize,nan,n/a,RETAIL,Bureau,EUR,kg,2024-01-01,monthly,2,None',
        "ITA,'NA,Asti,'None,Maize,,,RETAIL,Bureau,EUR,kg,2024-01-01,monthly,3,'null",
        'ITA,,Asti,,Maize,,,RETAIL,Bureau,EUR,NaN,2024-01-01,monthly,4,',
        'nan,,Asti,,Maize,,,RETAIL,Bureau,EUR,kg,2024-01-01,monthly,4,',
        'ITA,,-,,Maize,,,RETAIL,Bureau,EUR,kg,2024-01-01,monthly,4,',
        'ITA,,Asti,,#N/A,,,RETAIL,Bureau,EUR,kg,2024-01-01,monthly,4,',
      ),
    );
    expect([report.new, report.rejects.map(({ line, field, reason }) => [line, field, reason])]).toEqual([
      2,
      [
        [4, 'measure_unit', 'required'],
        [5, 'iso3_country_code', 'required'],
        [6, 'market', 'required'],
        [7, 'commodity', 'required'],
      ],
    ]);
    expect(report.replaced_values.map(({ column, value }) => `${column} ${value}`).sort()).toEqual([
      'admin_unit NULL',
      'category n/a',
      'comment None',
      'hs_code nan',
      'market_code #N/A',
    ]);
    expect(await markets()).toEqual([
      { name: 'None', code: '', country: 'ITA', admin_unit: '', admin_unit2: '', latitude: null },
      { name: 'Asti', code: 'None', country: 'ITA', admin_unit: 'NA', admin_unit2: '', latitude: null },
    ]);
    expect(await imports.rows('SELECT comment FROM observation ORDER BY value')).toEqual([
      { comment: null },
      { comment: 'null' },
    ]);
  });

  it('marks are blank in tables, rates and indices', async () => {
    const cpi = 'iso3_country_code,date,item,value,base_period,source';
    const first = await imports.importText(
      'cpi',
      text(cpi, 'KEN,2024-01-01,general,134.2,2019.0,NA', 'KEN,2024-02-01,general,NA,2019,'),
    );
    expect([first.new, first.rejects.map(({ field, reason }) => [field, reason])]).toEqual([
      1,
      [['value', 'invalid_number']],
    ]);
    expect(await imports.rows('SELECT base_period, source FROM cpi')).toEqual([
      { base_period: '2019', source: '' },
    ]);
    expect((await imports.importText('cpi', text(cpi, 'KEN,2024-01-01,general,134.2,2019,'))).unchanged).toBe(
      1,
    );
    const table = await imports.importText(
      'Market',
      text(
        'name,iso3_country_code,admin_unit,code,latitude',
        'Opuwo,NAM,NA,#N/A,\\N',
        'NA,NAM,,,',
        '..,NAM,,,',
      ),
    );
    expect([table.new, table.replaced, table.rejects.map(({ line, reason }) => [line, reason])]).toEqual([
      2,
      4,
      [[4, 'required']],
    ]);
    expect((await markets()).map(({ name, admin_unit, code }) => [name, admin_unit, code])).toEqual([
      ['Opuwo', '', ''],
      ['NA', '', ''],
    ]);
  });

  it('text that was decoded wrongly is rejected, with what is meant', async () => {
    const report = await imports.importText(
      'wfp',
      text(
        WFP,
        '2024-01-15,,,AbÃ©chÃ©,,,,cereals and tubers,Millet,52,KG,actual,Retail,XAF,250,',
        '2024-01-15,,,Abéché,,,,cereals and tubers,Millet,52,KG,actual,Retail,XAF,250,',
      ),
      { country: 'TCD' },
    );
    expect([report.new, report.rejects]).toEqual([
      1,
      [
        {
          line: 2,
          field: 'market',
          reason: 'invalid_text',
          detail: 'market "AbÃ©chÃ©" is text in UTF-8 that was read in another encoding: "Abéché".',
        },
      ],
    ]);
  });

  it('a country that is not in ISO 3166-1 is named', async () => {
    const row = (iso3: string) => `${iso3},,Asti,,Maize,,,RETAIL,Bureau,EUR,kg,2024-01-01,monthly,2,`;
    const report = await imports.importText('prices', text(PRICES, row('XYZ'), row('ITA'), row('XKX')));
    expect([report.new, report.notes]).toEqual([3, ['XYZ is no code of ISO 3166-1.']]);
  });

  it('base periods are years, with or without the value of the index', async () => {
    const header = 'iso3_country_code,date,item,value,base_period';
    const first = await imports.importText('cpi', text(header, 'KEN,2024-01-01,general,134.2,2019=100'));
    expect(first.replaced_values).toEqual([
      { column: 'base_period', value: '2019=100', read_as: '2019', cells: 1 },
    ]);
    const next = await imports.importText('cpi', text(header, 'KEN,2024-02-01,general,135.1,2019'));
    expect([first.new, next.new]).toEqual([1, 1]);
    expect(await imports.rows('SELECT DISTINCT base_period FROM cpi')).toEqual([{ base_period: '2019' }]);
  });

  it('codes that have become numbers are read as the known ones', async () => {
    const first = await imports.importText(
      'Commodity',
      text('name,hs_code', 'Lentils,71340', 'Honey,409', 'Cashews,801.0', 'Rice,1006', 'Odd,999'),
    );
    expect(first.rejects).toEqual([
      {
        line: 6,
        field: 'hs_code',
        reason: 'invalid_hs_code',
        detail: 'hs_code "999" may have lost a zero, but there is no code 0999.',
      },
    ]);
    expect(first.replaced_values.map(({ value, read_as }) => `${value} ${read_as}`)).toEqual([
      '71340 071340',
      '409 0409',
      '801.0 0801',
    ]);
    expect(await imports.rows('SELECT name, hs_code FROM commodity ORDER BY id')).toEqual([
      { name: 'Lentils', hs_code: '071340' },
      { name: 'Honey', hs_code: '0409' },
      { name: 'Cashews', hs_code: '0801' },
      { name: 'Rice', hs_code: '1006' },
    ]);
    const row = (date: string, code: string) =>
      text(WFP, `${date},A,B,Alpha,${code},,,cereals and tubers,Maize,51.0,KG,actual,Retail,KES,45.5,`);
    const floats = await imports.importText('wfp', row('2024-01-15', '812.0'), { country: 'KEN' });
    expect(floats.replaced_values).toEqual([
      { column: 'market_id', value: '812.0', read_as: '812', cells: 1 },
    ]);
    const next = await imports.importText('wfp', row('2024-02-15', '812'), { country: 'KEN' });
    expect([next.attribute_conflicts, next.replaced]).toEqual([0, 0]);
    await imports.importText('Market', text('name,iso3_country_code,code', 'Beta,KEN,0042'));
    const lost = await imports.importText(
      'prices',
      text(PRICES, 'KEN,,Beta,42,Maize,,,RETAIL,Own,KES,kg,2024-01-01,monthly,2,'),
    );
    expect([lost.attribute_conflicts, lost.replaced_values]).toEqual([
      0,
      [{ column: 'code', value: '42', read_as: '0042', cells: 1 }],
    ]);
  });

  it('codes that were stored as numbers are the same ones', async () => {
    const cpi = 'iso3_country_code,date,item,value,base_period';
    await imports.importText(
      'cpi',
      text(
        cpi,
        ...['2024-01-01', '2024-02-01', '2024-03-01'].map((date) => `TZA,${date},food,120,2015`),
        'TZA,2024-01-01,general,130,2015',
        'UGA,2024-01-01,food,140,2016',
      ),
    );
    const row = (date: string, code: string) =>
      text(WFP, `${date},A,B,Mbeya,${code},,,cereals and tubers,Rice,52,KG,actual,Retail,TZS,2500,`);
    await imports.importText('wfp', row('2024-01-15', '6143'), { country: 'TZA' });
    // As releases before stored them; one index has been published anew since.
    await imports.unitOfWork.change(testChange, async (transaction) => {
      await transaction.execute("UPDATE market SET code = '6143.0'");
      await transaction.execute(
        "UPDATE cpi SET base_period = CONCAT(base_period, '.0') WHERE date < '2024-03-01'",
      );
    });
    const again = await imports.importText('wfp', row('2024-02-15', '6143'), { country: 'TZA' });
    expect([again.new, again.attribute_conflicts, again.records]).toEqual([1, 0, {}]);
    expect((await markets()).map(({ code }) => code)).toEqual(['6143.0']);
    const report = await imports.importText(
      'cpi',
      text(cpi, 'TZA,2024-02-01,food,125,2015', 'TZA,2024-04-01,food,126,2015.0'),
    );
    expect([report.new, report.changed, report.unchanged]).toEqual([1, 1, 0]);
    expect(report.replaced_values.filter(({ value }) => value === '2015.0')).toEqual([
      { column: 'base_period', value: '2015.0', read_as: '2015', cells: 2 },
    ]);
    const stored = await imports.rows<{ month: string; base_period: string }>(
      "SELECT date AS month, base_period FROM cpi WHERE iso3_country_code = 'TZA' AND item = 'food' ORDER BY date",
    );
    expect(stored.map(({ base_period }) => base_period)).toEqual(['2015', '2015', '2015', '2015']);
    expect(await imports.rows("SELECT base_period FROM cpi WHERE item = 'general' OR value = 140")).toEqual([
      { base_period: '2015.0' },
      { base_period: '2016.0' },
    ]);
  });

  it('rows of other countries than that of the option are rejected', async () => {
    const vam = (country: string) => `1,${country},0,,1,M,5,Bread,9,USD,15,Retail,5,KG,1,2015,5,`;
    const names = await imports.importText('wfp', text(VAM, vam('Kenya'), vam('Uganda'), vam('Somewhere')), {
      country: 'KEN',
    });
    expect([names.read, names.new, names.unchanged, names.countries]).toEqual([3, 1, 1, { KEN: 1 }]);
    expect(names.rejects).toEqual([
      {
        line: 3,
        field: 'adm0_name',
        reason: 'other_country',
        detail:
          'The row is of Uganda (UGA), not of Kenya (KEN), which --country (over HTTP: country=) names.',
      },
    ]);
    const coded = await imports.importText(
      'wfp',
      text(
        `countryiso3,${WFP}`,
        'MLI,2024-01-15,,,Gao,,,,f,Rice,1,KG,actual,Retail,XOF,500,',
        'KEN,2024-01-15,,,Garissa,,,,f,Rice,1,KG,actual,Retail,KES,90,',
        ',2024-01-15,,,Lamu,,,,f,Rice,1,KG,actual,Retail,KES,95,',
      ),
      { country: 'KEN' },
    );
    expect([coded.new, coded.rejected_by_reason, coded.countries]).toEqual([
      2,
      { other_country: 1 },
      { KEN: 2 },
    ]);
  });

  it('NIS and ZiG are ILS and ZWG, also of series that were stored before', async () => {
    const vam = (month: number, currency: string) =>
      `1,State of Palestine,0,,1,Hebron,5,Bread,9,${currency},15,Retail,5,KG,${month},2015,3.5,`;
    const report = await imports.importText('wfp', text(VAM, vam(1, 'NIS'), vam(2, 'ILS')));
    expect([report.series, report.replaced_values]).toEqual([
      1,
      [{ column: 'cur_name', value: 'NIS', read_as: 'ILS', cells: 1 }],
    ]);
    const source = 'World Food Programme (WFP)';
    const uuidOf = (currency: string) =>
      seriesUuid(['PSE', '', '', 'Hebron', 'Bread', 'RETAIL', source, 'KG', currency]);
    expect((await series()).map(({ uuid, currency }) => [uuid, currency])).toEqual([[uuidOf('ILS'), 'ILS']]);

    // As releases before stored it.
    await imports.unitOfWork.change(testChange, (transaction) =>
      transaction.execute('UPDATE price_serie SET uuid = ?, currency = ?', [uuidOf('NIS'), 'NIS']),
    );
    const again = await imports.importText(
      'wfp',
      text(VAM, vam(2, 'NIS'), vam(3, 'ILS').replace(',3,2015,', ',3.0,2015.0,')),
    );
    expect([again.new, again.unchanged, again.series]).toEqual([1, 1, 0]);
    expect((await series()).map(({ uuid, points }) => [uuid, Number(points)])).toEqual([[uuidOf('NIS'), 3]]);
    const rates = await imports.importText(
      'fx',
      text('currency,date,rate', 'ZIG,2024-06-01,13.5', 'RMB,2024-06-01,7.2'),
    );
    expect([rates.new, await imports.rows('SELECT currency FROM fx_rate ORDER BY currency')]).toEqual([
      2,
      [{ currency: 'CNY' }, { currency: 'ZWG' }],
    ]);
  });
});
