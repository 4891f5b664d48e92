import { driverStatements } from '../support/driver-statements.js';
import { RevertClient } from '../support/reverts.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

const COLUMNS = ['iso3_country_code', 'market', 'commodity', 'price_type', 'source', 'measure_unit'] as const;
type Column = (typeof COLUMNS)[number];
type Row = Record<Column, string> & { date: string; price: number };

const HEADER = [...COLUMNS, 'currency', 'periodicity', 'date', 'price_value'].join(',');
const row = (price: number, fields: Partial<Row> = {}): Row => ({
  iso3_country_code: 'GHA',
  market: 'Techiman',
  commodity: 'Cowpea',
  price_type: 'FARM GATE',
  source: 'Ministry',
  measure_unit: 'KG',
  date: '2024-01-01',
  price,
  ...fields,
});
const text = (rows: readonly Row[]) =>
  [
    HEADER,
    ...rows.map((one) =>
      [...COLUMNS.map((column) => one[column]), 'GHS', 'monthly', one.date, one.price].join(','),
    ),
    '',
  ].join('\n');

/** A table, two values of its column, and a column that tells a new series from those before. */
const MERGES: [table: string, column: Column, one: string, other: string, another: Column, value: string][] =
  [
    ['Commodity', 'commodity', 'Cowpea', 'Cowpea (brown)', 'market', 'Kumasi'],
    ['Market', 'market', 'Techiman', 'Techiman Town', 'commodity', 'Millet'],
    ['Source', 'source', 'Ministry', 'Bureau', 'market', 'Kumasi'],
    ['MeasureUnit', 'measure_unit', 'KG', '1 KG', 'market', 'Kumasi'],
    ['PriceType', 'price_type', 'FARM GATE', 'FARM SHED', 'market', 'Kumasi'],
  ];

describe('H2: a merge that is reverted', () => {
  let service: TestApp;
  let client: RevertClient;
  let admin: { Authorization: string };
  beforeEach(async () => {
    service = await startTestApp();
    client = await RevertClient.of(service);
    admin = await service.authHeader();
  });
  afterEach(() => service?.close());

  const imported = async (...rows: Row[]) => {
    const { body } = await service
      .http()
      .post('/api/v1/Import/?format=prices&input=file.csv')
      .set({ ...admin, 'Content-Type': 'text/csv' })
      .send(text(rows))
      .expect(200);
    return (body as { change_set_id: number }).change_set_id;
  };
  const idOf = async (table: string, name: string) => {
    const { body } = await service.http().get(`/api/v1/${table}/`).expect(200);
    return (body as { id: number; name: string }[]).find((record) => record.name === name)!.id;
  };
  const merge = async (table: string, one: string, other: string) => {
    await client
      .send('post', `${table}/${await idOf(table, other)}/merge/`, { into: await idOf(table, one) })
      .expect(200);
    return client.newest();
  };
  /** Each price, with its series' texts and uuid; and the names of records and other uuids. */
  const state = async () => {
    const prices = await service.database.rows<object>(
      'SELECT s.uuid, m.name AS market, c.name AS commodity, t.name AS price_type, q.name AS source,' +
        ' u.name AS measure_unit, o.day, o.value FROM price_serie s JOIN market m ON m.id = s.market_id' +
        ' JOIN commodity c ON c.id = s.commodity_id JOIN price_type t ON t.id = s.price_type_id' +
        ' JOIN source q ON q.id = s.source_id JOIN measure_unit u ON u.id = s.measure_unit_id' +
        ' LEFT JOIN observation o ON o.serie_id = s.id ORDER BY s.uuid, o.day',
    );
    const names: Record<string, unknown> = {};
    for (const table of ['market', 'commodity', 'price_type', 'source', 'measure_unit', 'alias'])
      names[table] = await service.database.rows(`SELECT name FROM ${table} ORDER BY name`);
    const aliases = await service.database.rows('SELECT uuid FROM series_alias ORDER BY uuid');
    return { prices, names, aliases };
  };

  it.each(MERGES)('takes with it the series of %s that an import made under it', async (...each) => {
    const [table, column, one, other, another, value] = each;
    const before = [row(11), row(15, { [column]: other })];
    const after = [row(12, { [another]: value }), row(16, { [another]: value, [column]: other })];
    await imported(...before);
    const file = await imported(...after);
    const expected = await state();
    await client.revertChecked(file);
    const merged = await merge(table, one, other);
    const second = await imported(...after);
    const under = await state();
    const without = await client.revertChecked(merged);
    expect(await state()).toEqual(expected);
    expect(await imported(...after)).toBeDefined();
    expect(await state()).toEqual(expected);
    await client.revertChecked(without);
    expect(await state()).toEqual(under);
    const withoutFile = await client.revertChecked(second);
    await client.revertChecked(merged);
    await client.revertChecked(withoutFile);
    expect(await state()).toEqual(expected);
  });

  it('reads the merges once', async () => {
    await imported(row(11), row(15, { commodity: 'Cowpea (brown)' }));
    const merged = await merge('Commodity', 'Cowpea', 'Cowpea (brown)');
    const statements = await driverStatements(service.database, () => client.revert(merged));
    expect(statements.filter((sql) => sql.includes("WHERE c.kind = 'merge'"))).toHaveLength(1);
  });

  it('takes the series with it after its record was renamed', async () => {
    await imported(row(11), row(15, { commodity: 'Cowpea (brown)' }));
    const merged = await merge('Commodity', 'Cowpea', 'Cowpea (brown)');
    const id = await idOf('Commodity', 'Cowpea');
    await client.send('patch', `Commodity/${id}/`, { commodity_name: 'Cowpea (white)' }).expect(200);
    const market = await idOf('Market', 'Techiman');
    await client.send('patch', `Market/${market}/`, { market_name: 'Techiman Town' }).expect(200);
    await imported(
      row(16, { market: 'Kumasi', commodity: 'Cowpea (brown)' }),
      row(12, { market: 'Kumasi' }),
      row(17, { source: 'Bureau', commodity: 'Cowpea (brown)' }),
    );
    await client.revertChecked(merged);
    const { prices } = await state();
    const found = (prices as { market: string; commodity: string; value: number }[])
      .map(({ market: place, commodity, value }) => `${place} ${commodity} ${value}`)
      .sort();
    expect(found).toEqual([
      'Kumasi Cowpea (brown) 16',
      'Kumasi Cowpea (white) 12',
      'Techiman Town Cowpea (brown) 15',
      'Techiman Town Cowpea (brown) 17',
      'Techiman Town Cowpea (white) 11',
    ]);
  });

  it('takes a series with it that has returned under it', async () => {
    const first = await imported(row(11));
    await imported(row(12, { commodity: 'Millet' }), row(13, { market: 'Techiman Town' }));
    const without = await client.revertChecked(first);
    const merged = await merge('Market', 'Techiman Town', 'Techiman');
    await client.revertChecked(without);
    await imported(row(14, { date: '2024-02-01' }));
    await client.revertChecked(first);
    await client.revertChecked(merged);
    const { prices } = await state();
    const found = (prices as { market: string; commodity: string; value: number }[])
      .map(({ market, commodity, value }) => `${market} ${commodity} ${value}`)
      .sort();
    expect(found).toEqual(['Techiman Cowpea 14', 'Techiman Millet 12', 'Techiman Town Cowpea 13']);
  });

  /** Each price with its market, and the markets and other names of markets. */
  const byMarket = async () => {
    const { prices, names } = await state();
    const found = (prices as { market: string; value: number }[]).map(
      ({ market, value }) => `${market} ${value}`,
    );
    const namesOf = (table: string) => (names[table] as { name: string }[]).map(({ name }) => name);
    return { prices: found.sort(), markets: namesOf('market'), aliases: namesOf('alias') };
  };
  const town = { market: 'Techiman Town', commodity: 'Millet' };
  const ofTown = (...values: number[]) => ({
    prices: values.map((value) => `Techiman Town ${value}`),
    markets: ['Techiman Town'],
    aliases: ['Techiman'],
  });
  const apart = (...prices: string[]) => ({
    prices,
    markets: ['Techiman', 'Techiman Town'],
    aliases: [],
  });

  it('leads an import after all of both records went, as long as it counts', async () => {
    const both = await imported(row(11), row(15, town));
    const merged = await merge('Market', 'Techiman Town', 'Techiman');
    await client.revertChecked(both);
    expect(await byMarket()).toEqual({ prices: [], markets: [], aliases: [] });
    const second = await imported(row(12));
    expect(await byMarket()).toEqual(ofTown(12));
    const without = await client.revertChecked(merged);
    expect(await byMarket()).toEqual({ prices: ['Techiman 12'], markets: ['Techiman'], aliases: [] });
    await client.revertChecked(without);
    expect(await byMarket()).toEqual(ofTown(12));
    const withoutSecond = await client.revertChecked(second);
    expect(await byMarket()).toEqual({ prices: [], markets: [], aliases: [] });
    await client.revertChecked(withoutSecond);
    expect(await byMarket()).toEqual(ofTown(12));
  });

  it('leads an import that names both of its records again', async () => {
    const both = await imported(row(11), row(15, town));
    await merge('Market', 'Techiman Town', 'Techiman');
    await client.revertChecked(both);
    await imported(row(12), row(16, town));
    expect(await byMarket()).toEqual(ofTown(12, 16));
  });

  it('leads a table of markets after all of both records went', async () => {
    const both = await imported(row(11), row(15, town));
    await merge('Market', 'Techiman Town', 'Techiman');
    await client.revertChecked(both);
    await service
      .http()
      .post('/api/v1/Import/?format=Market&input=markets.csv')
      .set({ ...admin, 'Content-Type': 'text/csv' })
      .send('iso3_country_code,country_name,name,code\nGHA,Ghana,Techiman,T1\n')
      .expect(200);
    expect(await byMarket()).toEqual(ofTown());
    const { body } = await service.http().get('/api/v1/Market/').expect(200);
    expect(body).toMatchObject([{ name: 'Techiman Town', code: 'T1' }]);
    // The table has given the record, which stays without prices.
    await client.revertChecked(await imported(row(12)));
    expect(await byMarket()).toEqual(ofTown());
  });

  it('leads what was made anew before it counts again', async () => {
    const first = await imported(row(11));
    await imported(row(15, town));
    const without = await client.revertChecked(await merge('Market', 'Techiman Town', 'Techiman'));
    await client.revertChecked(first);
    await imported(row(12), row(13, { market: 'Kumasi' }));
    await merge('Market', 'Techiman', 'Kumasi');
    await client.revertChecked(without);
    expect(await byMarket()).toEqual({ ...ofTown(12, 13, 15), aliases: ['Kumasi', 'Techiman'] });
    await imported(row(14, { market: 'Kumasi', date: '2024-02-01' }));
    expect(await byMarket()).toEqual({ ...ofTown(12, 13, 14, 15), aliases: ['Kumasi', 'Techiman'] });
  });

  it('leads nothing that was made anew after a maintainer removed its alias', async () => {
    await imported(row(11), row(15, town));
    const merged = await merge('Market', 'Techiman Town', 'Techiman');
    const { body } = await service.http().get('/api/v1/Alias/').expect(200);
    const { results } = body as { results: { id: number }[] };
    for (const { id } of results) await client.send('delete', `Alias/${id}/`).expect(204);
    const anew = await imported(row(12, { commodity: 'Rice' }));
    const both = ['Techiman 12', 'Techiman Town 11', 'Techiman Town 15'];
    expect(await byMarket()).toEqual(apart(...both));
    await client.revertChecked(await client.revertChecked(anew));
    expect(await byMarket()).toEqual(apart(...both));
    const without = await client.revertChecked(merged);
    expect(await byMarket()).toEqual(apart('Techiman 11', 'Techiman 12', 'Techiman Town 15'));
    await client.revertChecked(without);
    expect(await byMarket()).toEqual(apart(...both));
  });

  it('gives way to a newer merge of the same record, and leads again without that', async () => {
    await imported(row(11), row(15, town), row(13, { market: 'Kumasi' }));
    const without = await client.revertChecked(await merge('Market', 'Techiman Town', 'Techiman'));
    const newer = await merge('Market', 'Kumasi', 'Techiman');
    const inKumasi = ['Kumasi 11', 'Kumasi 13', 'Techiman Town 15'];
    await client.revertChecked(without);
    expect((await byMarket()).prices).toEqual(inKumasi);
    await client.revertChecked(newer);
    expect((await byMarket()).prices).toEqual(['Kumasi 13', 'Techiman Town 11', 'Techiman Town 15']);
    await imported(row(12, { commodity: 'Rice' }));
    const { prices, markets } = await byMarket();
    expect(prices).toContain('Techiman Town 12');
    expect(markets).toEqual(['Kumasi', 'Techiman Town']);
  });

  it('takes only the series with it whose uuid led to its record until then', async () => {
    await imported(row(11), row(15, town));
    const one = await merge('Market', 'Techiman', 'Techiman Town');
    await imported(row(12, { commodity: 'Rice' }));
    await client.revertChecked(one);
    await imported(row(13, { market: 'Kumasi' }));
    const other = await merge('Market', 'Techiman Town', 'Techiman');
    await client.revertChecked(other);
    const { prices } = await byMarket();
    expect(prices).toEqual(['Kumasi 13', 'Techiman 11', 'Techiman 12', 'Techiman Town 15']);
  });

  it('takes the series with it where the other record was merged further', async () => {
    const brown = { commodity: 'Cowpea (brown)' };
    await imported(row(11), row(15, brown), row(21, { commodity: 'Bean' }));
    const first = await merge('Commodity', 'Cowpea', 'Cowpea (brown)');
    const second = await merge('Commodity', 'Bean', 'Cowpea');
    await imported(row(16, { ...brown, market: 'Kumasi' }), row(12, { market: 'Tamale' }));
    const commodities = async () => {
      const { prices } = await state();
      const all = prices as { commodity: string; value: number }[];
      return all.map(({ commodity, value }) => `${value} ${commodity}`).sort();
    };
    const both = ['11 Bean', '12 Bean', '15 Bean', '16 Bean', '21 Bean'];
    expect(await commodities()).toEqual(both);
    const withoutSecond = await client.revertChecked(second);
    expect(await commodities()).toEqual(['11 Cowpea', '12 Cowpea', '15 Cowpea', '16 Cowpea', '21 Bean']);
    const withoutFirst = await client.revertChecked(first);
    const apart = ['11 Cowpea', '12 Cowpea', '15 Cowpea (brown)', '16 Cowpea (brown)', '21 Bean'];
    expect(await commodities()).toEqual(apart);
    await client.revertChecked(withoutSecond);
    expect(await commodities()).toEqual([
      '11 Bean',
      '12 Bean',
      '15 Cowpea (brown)',
      '16 Cowpea (brown)',
      '21 Bean',
    ]);
    await client.revertChecked(withoutFirst);
    expect(await commodities()).toEqual(both);
  });

  it.each(MERGES)(
    'leaves nothing of an import whose series it has moved: %s',
    async (table, column, one, other) => {
      const empty = await state();
      const first = await imported(
        row(1, { [column]: one }),
        row(2, { [column]: other, date: '2024-02-01' }),
      );
      const whole = await state();
      const by = await merge(table, one, other);
      const merged = await state();
      const { counts } = await client.revert(first, '?dry_run=true');
      expect(counts).toMatchObject({ changed_since: 0, still_used: 0 });
      const taken = await client.revertChecked(first);
      expect(await state()).toEqual(empty);
      // The merge counts, and what returns comes under it.
      await client.revertChecked(taken);
      expect(await state()).toEqual(merged);
      await client.revertChecked(by);
      expect(await state()).toEqual(whole);
    },
  );

  it('names the imports that continued a series of the other record under it', async () => {
    const brown = { commodity: 'Cowpea (brown)' };
    const before = [row(11), row(15, brown), row(12, { market: 'Kumasi' })];
    const after = [
      row(13, { market: 'Kumasi', date: '2024-02-01' }),
      row(16, { ...brown, market: 'Kumasi', date: '2024-03-01' }),
    ];
    await imported(...before);
    const file = await imported(...after);
    const expected = await state();
    await client.revertChecked(file);
    const merged = await merge('Commodity', 'Cowpea', 'Cowpea (brown)');
    const second = await imported(...after);
    const { counts } = await client.revert(merged, '?dry_run=true');
    expect(counts.later_inputs).toMatchObject([{ change_set_id: second, input: 'file.csv' }]);
    await client.revertChecked(second);
    await client.revertChecked(merged);
    await imported(...after);
    expect(await state()).toEqual(expected);
  });
});
